package dev.idgen.server.http;

import dev.idgen.server.service.ServiceException;
import dev.idgen.server.service.ServiceReason;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpServerRequest;

/**
 * Answers on a port that is for the calls of another transport alone. Belongs to one event loop.
 */
final class NoRoutes implements Handler<HttpServerRequest> {
  private final HttpLimits limits;
  private final Replies replies;

  NoRoutes(HttpLimits limits, Replies replies) {
    this.limits = limits;
    this.replies = replies;
  }

  @Override
  public void handle(HttpServerRequest request) {
    if (request.version() == null) {
      Malformed.answer(request, limits);
      return;
    }
    replies.problem(
        request,
        new ServiceException(
            ServiceReason.UNKNOWN_PATH, "path: none on this port (expected: calls over gRPC)"));
  }
}
