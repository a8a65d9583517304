package dev.idgen.server.http;

import dev.idgen.server.service.Caller;
import dev.idgen.server.service.Callers;
import dev.idgen.server.service.ServiceException;
import dev.idgen.server.service.ServiceReason;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;

/** Who calls, by the token of a request. */
final class Bearer {
  private Bearer() {}

  /**
   * Who calls.
   *
   * @throws ServiceException with {@link ServiceReason#UNAUTHENTICATED}
   */
  static Caller of(HttpServerRequest request, Callers callers) {
    return callers.open()
        ? Caller.ANYBODY
        : callers.ofHeaders(request.headers().getAll(HttpHeaders.AUTHORIZATION));
  }

  /** The same for a call that takes no token: {@link Caller#NOBODY} without a known one. */
  static Caller orNobody(HttpServerRequest request, Callers callers) {
    return callers.open()
        ? Caller.ANYBODY
        : callers.ofHeadersOrNobody(request.headers().getAll(HttpHeaders.AUTHORIZATION));
  }
}
