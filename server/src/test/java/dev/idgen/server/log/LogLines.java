package dev.idgen.server.log;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What is logged while this is open: event and fields of each line. */
public final class LogLines extends Handler implements AutoCloseable {
  private final Logger logger = Logger.getLogger("dev.idgen");
  private final List<String> lines = new CopyOnWriteArrayList<>();

  /** Listens from now on. */
  public LogLines() {
    logger.addHandler(this);
  }

  /** What was logged since. */
  public List<String> all() {
    return lines;
  }

  /** How many lines begin with an event. */
  public long count(String event) {
    return lines.stream().filter(line -> line.startsWith(event)).count();
  }

  @Override
  public void publish(LogRecord line) {
    Object[] fields = line.getParameters();
    lines.add(line.getMessage() + " " + (fields == null ? "" : List.of(fields)));
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    logger.removeHandler(this);
  }
}
