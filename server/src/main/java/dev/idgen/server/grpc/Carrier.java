package dev.idgen.server.grpc;

import dev.idgen.server.service.ServiceException;
import dev.idgen.server.service.ServiceReason;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.internal.http.HttpServerRequestInternal;
import io.vertx.core.internal.http.HttpServerRequestWrapper;
import org.jspecify.annotations.Nullable;

/**
 * The request of HTTP/2 that bears a call, as Vert.x's gRPC gets it. What that throws at a message
 * would reach nobody: here the call is refused.
 */
final class Carrier extends HttpServerRequestWrapper {
  private final String path;
  private @Nullable Exchange exchange; // null: it is not known yet whose it is

  Carrier(HttpServerRequest request) {
    super((HttpServerRequestInternal) request);
    this.path = request.path() + "";
  }

  void belongsTo(Exchange call) {
    exchange = call;
  }

  @Override
  public String path() {
    return path;
  }

  @Override
  public HttpServerRequest handler(@Nullable Handler<Buffer> handler) {
    return delegate.handler(handler == null ? null : chunk -> take(handler, chunk));
  }

  private void take(Handler<Buffer> handler, Buffer chunk) {
    try {
      handler.handle(chunk);
    } catch (UnsupportedOperationException e) {
      refuse(
          new ServiceException(
              ServiceReason.INVALID_BODY,
              "message: marked as compressed (expected: with grpc-encoding: gzip)"));
    } catch (RuntimeException e) {
      refuse(e);
    }
  }

  private void refuse(RuntimeException failure) {
    if (exchange == null) {
      throw failure;
    }
    exchange.refuse(failure);
  }
}
