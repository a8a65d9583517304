package dev.idgen.server.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KnownFaultsTest {
  @ParameterizedTest
  @CsvSource({
    "io.vertx.core.http.impl.VertxHttp2Stream$3, false",
    "io.vertx.core.http.impl.Http2ConnectionBase, false",
    "io.vertx.core.http.impl.Http1xServerConnection, true",
    "dev.idgen.server.http.Routes, true"
  })
  void fault_ofNullInAPlace_isToldUnlessKnown(String place, boolean told) {
    NullPointerException fault = new NullPointerException();
    fault.setStackTrace(new StackTraceElement[] {new StackTraceElement(place, "m", "f", 1)});

    assertEquals(told, loggable(fault));
  }

  @Test
  void others_areTold() {
    assertTrue(loggable(new IllegalStateException()));
    assertTrue(loggable(null));
  }

  private static boolean loggable(@Nullable Throwable thrown) {
    LogRecord line = new LogRecord(Level.WARNING, "An exception was thrown by a listener");
    line.setThrown(thrown);
    return new KnownFaults().isLoggable(line);
  }
}
