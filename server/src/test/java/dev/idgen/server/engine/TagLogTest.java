package dev.idgen.server.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.server.log.AuditLog;
import dev.idgen.server.log.LogLines;
import dev.idgen.server.service.TagRows;
import dev.idgen.store.TagRow;
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

  /** A change may be in the store although its answer was lost. */
  @Test
  void change_outcomeUnknown_isAuditedAsSuch() throws IOException {
    AuditLog audit = new AuditLog(folder.resolve("audit.log"), time, "p1");
    TagLog tags = new TagLog(audit, time);
    TagRow row = TagRows.of("order", "segment");
    tags.unknown().tagWritten(row, TagRows.of("order", "snowflake"), "ops", true);
    tags.unknown().tagRemoved(row, "ops");
    tags.tagRaised(row, "ops");
    audit.close(PATIENCE_MS);
    List<String> lines = Files.readString(folder.resolve("audit.log")).lines().toList();
    assertEquals(3, lines.size());
    assertTrue(lines.get(0).contains("\"event\":\"tag changed\""), lines.get(0));
    assertTrue(lines.get(0).contains("\"forced\":true"), lines.get(0));
    assertTrue(lines.get(0).contains("\"outcome\":\"unknown\""), lines.get(0));
    assertTrue(lines.get(1).contains("\"outcome\":\"unknown\""), lines.get(1));
    assertFalse(lines.get(2).contains("outcome"), lines.get(2));
  }
}
