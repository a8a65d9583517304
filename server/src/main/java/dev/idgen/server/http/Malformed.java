package dev.idgen.server.http;

import dev.idgen.server.service.ServiceException;
import dev.idgen.server.service.ServiceReason;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.vertx.core.http.HttpServerRequest;

/** Answers what the decoder could not read. The connection cannot be used after it. */
final class Malformed {
  private Malformed() {}

  static void answer(HttpServerRequest request, Replies replies, HttpLimits limits) {
    replies
        .problemAndClose(request, refusal(request.decoderResult().cause(), limits))
        .onComplete(sent -> request.connection().close());
  }

  private static ServiceException refusal(Throwable cause, HttpLimits limits) {
    if (cause instanceof TooLongHttpHeaderException) {
      return new ServiceException(
          ServiceReason.TOO_LARGE,
          "header fields: over the limit (expected: at most "
              + limits.maxHeaderBytes()
              + " bytes)");
    }
    if (cause instanceof TooLongHttpLineException) {
      return new ServiceException(
          ServiceReason.TOO_LARGE, "request line: over the limit (expected: shorter)");
    }
    return new ServiceException(
        ServiceReason.INVALID_BODY, "request: malformed (expected: HTTP/1.1)");
  }
}
