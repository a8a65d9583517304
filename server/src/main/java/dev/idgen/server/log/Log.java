package dev.idgen.server.log;

import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Log lines with fields. Thread-safe. */
public final class Log {
  private final Logger logger;

  private Log(Logger logger) {
    this.logger = logger;
  }

  /**
   * The log of one part of the server.
   *
   * @param name of the part
   */
  public static Log of(String name) {
    return new Log(Logger.getLogger("dev.idgen." + name));
  }

  /**
   * Something that a reader of the log expects.
   *
   * @param event what happened
   * @param fields names and values in turn
   */
  public void info(String event, Object... fields) {
    write(Level.INFO, event, null, fields);
  }

  /** Something that needs a look; see {@link #info}. */
  public void warn(String event, Object... fields) {
    write(Level.WARNING, event, null, fields);
  }

  /** Something that should not have happened, with its cause; see {@link #info}. */
  public void error(String event, @Nullable Throwable cause, Object... fields) {
    write(Level.SEVERE, event, cause, fields);
  }

  private void write(Level level, String event, @Nullable Throwable cause, Object... fields) {
    if (!logger.isLoggable(level)) {
      return;
    }
    LogRecord line = new LogRecord(level, event);
    line.setLoggerName(logger.getName());
    line.setThrown(cause);
    line.setParameters(fields);
    logger.log(line);
  }
}
