package dev.idgen.server.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.server.log.AuditLog;
import dev.idgen.server.log.LogLines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TagLogTest {
  private static final long PATIENCE_MS = 60_000;

  @TempDir private Path folder;
  private final StillTime time = new StillTime(1_796_000_000_000L);

  /** Acknowledged writes may be gone: people should know when that was. */
  @Test
  void identity_changes_isLoggedAndAudited() throws IOException {
    AuditLog audit = new AuditLog(folder.resolve("audit.log"), time, "p1");
    TagLog tags = new TagLog(audit, time);
    try (LogLines log = new LogLines()) {
      tags.storeChanged("identity a, revision 7", "identity b, revision 3");
      tags.identityChanged(1, "identity a, fence 0", "identity b, fence 0");
      assertEquals(
          List.of(
              "store changed [of, tags, before, identity a, revision 7, now, identity b, revision"
                  + " 3]",
              "store changed [of, marks, database 1, before, identity a, fence 0, now, identity b,"
                  + " fence 0]"),
          log.all());
    }
    audit.close(PATIENCE_MS);
    String lines = Files.readString(folder.resolve("audit.log"));
    assertEquals(
        2, lines.lines().filter(line -> line.contains("\"store changed\"")).count(), lines);
    assertTrue(lines.contains("identity b, revision 3"), lines);
  }
}
