package dev.idgen.server.log;

import dev.idgen.server.json.JsonOut;
import dev.idgen.time.TimeSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What decided over ids, one JSON object a line: leases gained and lost, rollbacks, start and stop.
 * Each line is appended by one write, so that several processes can share the file. Thread-safe.
 *
 * <p>Lines are dated and queued by whoever records them and written by a thread of their own, so
 * that a disk that hangs holds nobody up. A line that cannot be written, or finds the queue full,
 * goes to the log instead: the safety of ids never hangs on it.
 */
public final class AuditLog {
  /** How many lines may wait for the disk. */
  static final int MAX_QUEUED = 1024;

  private static final Log LOG = Log.of("audit");

  private final Path path;
  private final TimeSource time;
  private final String process;
  private final ThreadPoolExecutor writer;

  /** Lines that found the queue full and are not yet told in the file: 0 or more. */
  private final AtomicLong overflown = new AtomicLong();

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
    this.writer =
        new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.MILLISECONDS,
            new LinkedBlockingQueue<>(MAX_QUEUED),
            work -> {
              Thread thread = new Thread(work, "idgen-audit");
              thread.setDaemon(true);
              return thread;
            });
  }

  /**
   * Has a line written. Does not wait for it.
   *
   * @param event what happened
   * @param fields names and values in turn
   */
  public void record(String event, Object... fields) {
    String line = line(event, fields);
    try {
      writer.execute(() -> write(line));
    } catch (RejectedExecutionException e) {
      overflown.incrementAndGet();
      LOG.warn("audit line lost", "path", path, "cause", rejection(), "line", line.strip());
    }
  }

  private String rejection() {
    return writer.isShutdown()
        ? "the audit log is closed"
        : MAX_QUEUED + " lines wait to be written";
  }

  private String line(String event, Object... fields) {
    JsonOut out = new JsonOut(256).beginObject();
    out.name("time").text(Instant.ofEpochMilli(time.wallMillis()).toString());
    out.name("event").text(event);
    out.name("process").text(process);
    for (int i = 0; i + 1 < fields.length; i += 2) {
      out.name(fields[i].toString()).any(fields[i + 1]);
    }
    return out.endObject() + "\n";
  }

  private void write(String line) {
    long lost = overflown.getAndSet(0);
    if (lost > 0) {
      append(line("audit lines lost", "lines", lost));
    }
    append(line);
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

  /**
   * Lines of the file, newest first; those that were recorded before this call are among them.
   *
   * @param before where an earlier answer began; -1: the end
   * @return fails with an {@link UncheckedIOException} if the file cannot be read
   */
  public CompletionStage<Page> page(long before, int limit) {
    try {
      return CompletableFuture.supplyAsync(() -> read(before, limit), writer);
    } catch (RejectedExecutionException e) {
      return CompletableFuture.failedFuture(new IllegalStateException(rejection(), e));
    }
  }

  private Page read(long before, int limit) {
    try {
      AuditReader.Tail tail = AuditReader.read(path, before, limit);
      return new Page(tail.lines(), tail.next());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Some lines. A value.
   *
   * @param lines newest first
   * @param next where older ones end; -1: there are none
   */
  public record Page(List<String> lines, long next) {

    /** Copies the list. */
    public Page {
      lines = List.copyOf(lines);
    }
  }

  /**
   * Takes no more lines, and waits for those that were taken. An interrupt ends the wait and stays
   * set.
   *
   * @return whether all were written or told to the log within the time
   */
  public boolean close(long timeoutMs) {
    writer.shutdown();
    try {
      return writer.awaitTermination(timeoutMs, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
