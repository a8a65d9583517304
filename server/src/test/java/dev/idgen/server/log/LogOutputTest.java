package dev.idgen.server.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;

class LogOutputTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @Test
  void json_ready_carriesTheLineAndItsFields() {
    publish(true, line("dev.idgen.server", "ready", "http", "127.0.0.1:8080", "worker", 7));

    assertEquals(
        "{\"time\":\"2026-11-29T16:06:01.123Z\",\"level\":\"info\",\"event\":\"ready\","
            + "\"text\":\"ready http=127.0.0.1:8080 worker=7\",\"http\":\"127.0.0.1:8080\","
            + "\"worker\":7}\n",
        text(out));
    assertEquals("", text(err));
  }

  @Test
  void text_ready_isOneBareLineOnStdout() {
    publish(false, line("dev.idgen.server", "ready", "http", "127.0.0.1:8080", "worker", "7"));

    assertEquals("ready http=127.0.0.1:8080 worker=7\n", text(out));
    assertEquals("", text(err));
  }

  @Test
  void text_anyOtherLine_goesToStderr() {
    publish(false, line("dev.idgen.engine", "lease lost", "why", "taken over", "worker", 7));

    assertEquals("", text(out));
    assertEquals(
        "2026-11-29T16:06:01.123Z info lease lost why=\"taken over\" worker=7\n", text(err));
  }

  @Test
  void anyFormat_linesOfLibraries_areFilledIn() {
    publish(true, line("io.vertx.x", "{0} of {1}", 1, 2));

    assertTrue(text(out).contains("\"event\":\"1 of 2\""), text(out));
  }

  @Test
  void anyFormat_cause_isTold() {
    LogRecord line = line("dev.idgen.http", "request failed");
    line.setThrown(new IllegalStateException("broken"));
    publish(true, line);

    assertTrue(
        text(out).contains("\"cause\":\"java.lang.IllegalStateException: broken\\n"), text(out));
    assertEquals(1, text(out).lines().count());
  }

  private void publish(boolean json, LogRecord line) {
    new LogOutput(json, new PrintStream(out, true), new PrintStream(err, true)).publish(line);
  }

  private static LogRecord line(String logger, String event, Object... fields) {
    LogRecord line = new LogRecord(Level.INFO, event);
    line.setLoggerName(logger);
    line.setInstant(Instant.parse("2026-11-29T16:06:01.123Z"));
    line.setParameters(fields);
    return line;
  }

  private static String text(ByteArrayOutputStream stream) {
    return stream.toString(StandardCharsets.UTF_8).replace("\r", "");
  }
}
