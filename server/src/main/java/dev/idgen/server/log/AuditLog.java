package dev.idgen.server.log;

import dev.idgen.server.json.JsonOut;
import dev.idgen.time.TimeSource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;

/**
 * What decided over ids, one JSON object a line: leases gained and lost, rollbacks, start and stop.
 * Each line is appended by one write, so that several processes can share the file. Thread-safe.
 *
 * <p>A line that cannot be written is told to the log and does not stop the caller: the safety of
 * ids never hangs on it.
 */
public final class AuditLog {
  private static final Log LOG = Log.of("audit");

  private final Path path;
  private final TimeSource time;
  private final String process;

  /**
   * An audit log.
   *
   * @param path the file; made when the first line is written
   * @param time dates the lines
   * @param process tells processes apart that share the file
   */
  public AuditLog(Path path, TimeSource time, String process) {
    this.path = path;
    this.time = time;
    this.process = process;
  }

  /**
   * Writes a line, and logs it.
   *
   * @param event what happened
   * @param fields names and values in turn
   */
  public synchronized void record(String event, Object... fields) {
    JsonOut out = new JsonOut(256).beginObject();
    out.name("time").text(Instant.ofEpochMilli(time.wallMillis()).toString());
    out.name("event").text(event);
    out.name("process").text(process);
    for (int i = 0; i + 1 < fields.length; i += 2) {
      out.name(fields[i].toString()).any(fields[i + 1]);
    }
    append(out.endObject() + "\n");
  }

  private void append(String line) {
    try {
      Files.createDirectories(path.toAbsolutePath().getParent());
      Files.write(
          path,
          line.getBytes(StandardCharsets.UTF_8),
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException e) {
      LOG.warn("audit line lost", "path", path, "cause", e.toString(), "line", line.strip());
    }
  }
}
