package dev.idgen.server.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.time.TimeSource;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditLogTest {
  private static final long PATIENCE_MS = 60_000;

  @TempDir private Path folder;

  @Test
  void record_untilClosed_writesInOrder() throws IOException {
    Path file = folder.resolve("made/audit.log");
    AuditLog log = new AuditLog(file, TimeSource.system(), "p1");

    log.record("start", "http", "127.0.0.1:1");
    log.record("lease gained", "worker", 7);
    assertTrue(log.close(PATIENCE_MS));

    List<String> lines = Files.readAllLines(file);
    assertEquals(2, lines.size());
    assertTrue(
        lines.get(0).contains("\"event\":\"start\",\"process\":\"p1\",\"http\":"), lines + "");
    assertTrue(lines.get(1).endsWith("\"worker\":7}"), lines + "");
  }

  /** A pipe that nobody reads takes no more than its buffer: a disk that hangs. */
  @Test
  void record_diskHangs_holdsNobodyUpAndTellsWhatWasLost() throws Exception {
    Path pipe = folder.resolve("pipe");
    assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
    AuditLog log = new AuditLog(pipe, TimeSource.system(), "p1");

    for (int i = 0; i < AuditLog.MAX_QUEUED + 10; i++) {
      log.record("event", "number", i);
    }
    assertFalse(log.close(1));

    ByteArrayOutputStream read = new ByteArrayOutputStream();
    try (RandomAccessFile reader = new RandomAccessFile(pipe.toFile(), "rw")) {
      Thread drain = new Thread(() -> drain(reader, read), "reads the pipe");
      drain.setDaemon(true);
      drain.start();
      assertTrue(log.close(PATIENCE_MS));
      reader.writeBytes("end");
      drain.join(PATIENCE_MS);
    }
    String all = read.toString(StandardCharsets.UTF_8);
    assertTrue(all.contains("\"event\":\"audit lines lost\""), all);
  }

  private static void drain(RandomAccessFile reader, ByteArrayOutputStream into) {
    byte[] bytes = new byte[4096];
    try {
      int n = reader.read(bytes);
      while (n < 3 || !new String(bytes, n - 3, 3, StandardCharsets.UTF_8).equals("end")) {
        into.write(bytes, 0, n);
        n = reader.read(bytes);
      }
      into.write(bytes, 0, n);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void record_closed_isRefusedAndDoesNotThrow() {
    AuditLog log = new AuditLog(folder.resolve("audit.log"), TimeSource.system(), "p1");
    assertTrue(log.close(PATIENCE_MS));

    log.record("late");

    assertFalse(Files.exists(folder.resolve("audit.log")));
  }

  @Test
  void record_folderCannotBeMade_goesOn() throws IOException {
    Path inTheWay = Files.writeString(folder.resolve("file"), "");
    AuditLog log = new AuditLog(inTheWay.resolve("audit.log"), TimeSource.system(), "p1");

    log.record("start");

    assertTrue(log.close(PATIENCE_MS));
  }
}
