package dev.idgen.server.log;

import dev.idgen.server.json.JsonOut;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.text.MessageFormat;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * Writes log lines: JSON objects to stdout, or texts to stderr. The {@link #READY} line goes to
 * stdout either way, as {@code ready http=... resp=... worker=...}.
 */
public final class LogOutput extends Handler {
  /** The event that tells scripts that the server is ready. */
  public static final String READY = "ready";

  private final boolean json;
  private final PrintStream out;
  private final PrintStream err;

  LogOutput(boolean json, PrintStream out, PrintStream err) {
    this.json = json;
    this.out = out;
    this.err = err;
  }

  /**
   * Makes this the only output of the process.
   *
   * @param json whether lines are JSON on stdout
   * @param level the least level that is written; libraries keep to warnings
   */
  public static void install(boolean json, Level level) {
    LogManager.getLogManager().reset();
    Logger root = Logger.getLogger("");
    root.setLevel(Level.FINE.equals(level) ? Level.INFO : Level.WARNING);
    LogOutput output = new LogOutput(json, System.out, System.err);
    output.setFilter(new KnownFaults());
    root.addHandler(output);
    Logger own = Logger.getLogger("dev.idgen");
    own.setLevel(level);
    List<Logger> kept = new ArrayList<>(List.of(own));
    if (!Level.FINE.equals(level)) {
      for (String library : TOLD_BY_DRIVERS) {
        Logger quiet = Logger.getLogger(library);
        quiet.setLevel(Level.OFF);
        kept.add(quiet);
      }
    }
    KEPT = List.copyOf(kept);
  }

  /** What these libraries say about a store that is away, its driver says in one line. */
  private static final List<String> TOLD_BY_DRIVERS =
      List.of("com.zaxxer.hikari", "io.etcd.jetcd", "io.grpc", "org.apache.zookeeper");

  /** Loggers are held weakly by the platform: a level that nobody holds would be lost. */
  @SuppressWarnings("unused")
  private static volatile List<Logger> KEPT = List.of();

  @Override
  public void publish(LogRecord line) {
    if (!isLoggable(line)) {
      return;
    }
    if (json) {
      println(out, jsonLine(line));
    } else {
      println(isReady(line) ? out : err, textLine(line));
    }
  }

  private static boolean isReady(LogRecord line) {
    return READY.equals(line.getMessage());
  }

  private static synchronized void println(PrintStream stream, String text) {
    stream.println(text);
    stream.flush();
  }

  static String jsonLine(LogRecord line) {
    JsonOut out = new JsonOut(256).beginObject();
    out.name("time").text(time(line));
    out.name("level").text(level(line.getLevel()));
    out.name("event").text(message(line));
    if (isReady(line)) {
      out.name("text").text(READY + fieldsText(line));
    }
    Object[] fields = fields(line);
    for (int i = 0; i + 1 < fields.length; i += 2) {
      out.name(fields[i].toString()).any(fields[i + 1]);
    }
    Throwable cause = line.getThrown();
    if (cause != null) {
      out.name("cause").text(stackTrace(cause));
    }
    return out.endObject().toString();
  }

  static String textLine(LogRecord line) {
    if (isReady(line)) {
      return READY + fieldsText(line);
    }
    String text =
        time(line) + " " + level(line.getLevel()) + " " + message(line) + fieldsText(line);
    Throwable cause = line.getThrown();
    return cause == null ? text : text + System.lineSeparator() + stackTrace(cause).stripTrailing();
  }

  private static String fieldsText(LogRecord line) {
    StringBuilder text = new StringBuilder();
    Object[] fields = fields(line);
    for (int i = 0; i + 1 < fields.length; i += 2) {
      String value = fields[i + 1].toString();
      boolean plain = !value.isEmpty() && value.indexOf(' ') < 0 && value.indexOf('"') < 0;
      text.append(' ').append(fields[i]).append('=');
      text.append(plain ? value : new JsonOut(64).text(value).toString());
    }
    return text.toString();
  }

  /** Our own lines carry names and values; those of libraries carry message parameters. */
  private static Object[] fields(LogRecord line) {
    Object[] parameters = line.getParameters();
    return parameters == null || !isOwn(line) ? new Object[0] : parameters;
  }

  private static String message(LogRecord line) {
    String message = line.getMessage();
    Object[] parameters = line.getParameters();
    if (isOwn(line) || parameters == null || parameters.length == 0 || message == null) {
      return message == null ? "" : message;
    }
    try {
      return MessageFormat.format(message, parameters);
    } catch (IllegalArgumentException e) {
      return message; // a library's own braces; the text still tells what it is about
    }
  }

  private static boolean isOwn(LogRecord line) {
    String name = line.getLoggerName();
    return name != null && name.startsWith("dev.idgen.");
  }

  private static String time(LogRecord line) {
    return Instant.ofEpochMilli(line.getMillis()).truncatedTo(ChronoUnit.MILLIS).toString();
  }

  private static String level(Level level) {
    if (level.intValue() >= Level.SEVERE.intValue()) {
      return "error";
    }
    return level.equals(Level.WARNING) ? "warn" : level.getName().toLowerCase(Locale.ROOT);
  }

  private static String stackTrace(Throwable cause) {
    StringWriter text = new StringWriter();
    cause.printStackTrace(new PrintWriter(text));
    return text.toString();
  }

  @Override
  public void flush() {
    out.flush();
    err.flush();
  }

  @Override
  public void close() {
    flush();
  }
}
