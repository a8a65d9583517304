package dev.idgen.server.http;

import dev.idgen.server.service.ServiceException;
import dev.idgen.server.service.ServiceReason;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.impl.VertxConnection;
import org.jspecify.annotations.Nullable;

/** Answers what the decoder could not read. The connection cannot be used after it. */
final class Malformed {
  private Malformed() {}

  static void answer(HttpServerRequest request, HttpLimits limits) {
    Connections.answerAndClose(
        ((VertxConnection) request.connection()).channel(),
        refusal(request.decoderResult().cause(), limits));
  }

  private static ServiceException refusal(@Nullable Throwable cause, HttpLimits limits) {
    if (cause instanceof TooLongHttpHeaderException) {
      return new ServiceException(
          ServiceReason.TOO_LARGE,
          "header fields: over the limit (expected: at most "
              + limits.maxHeaderBytes()
              + " bytes)");
    }
    if (cause instanceof TooLongHttpLineException) {
      return new ServiceException(
          ServiceReason.TOO_LARGE,
          "request line: over the limit (expected: at most "
              + HttpTransport.MAX_REQUEST_LINE
              + " bytes)");
    }
    return new ServiceException(
        ServiceReason.INVALID_BODY, "request: malformed (expected: HTTP/1.1)");
  }
}
