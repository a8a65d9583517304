package dev.idgen.server.log;

import java.util.logging.Filter;
import java.util.logging.LogRecord;

/**
 * Leaves out what clients can make a library say at will, and what harms nobody: Vert.x trips over
 * the streams of HTTP/2 connections that end badly, after all there was to do is done.
 */
final class KnownFaults implements Filter {
  private static final String STREAMS = "io.vertx.core.http.impl.";

  @Override
  public boolean isLoggable(LogRecord line) {
    return !(line.getThrown() instanceof NullPointerException fault)
        || fault.getStackTrace().length == 0
        || !isOfStreams(fault.getStackTrace()[0].getClassName());
  }

  private static boolean isOfStreams(String className) {
    return className.startsWith(STREAMS + "Http2ConnectionBase")
        || className.startsWith(STREAMS + "VertxHttp2Stream");
  }
}
