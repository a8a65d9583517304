package dev.idgen.server.http;

import io.netty.handler.codec.http2.Http2Error;
import io.vertx.core.Context;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;

/** Tells a request of HTTP from a call of another transport. Belongs to one event loop. */
final class Fork implements Handler<HttpServerRequest> {
  private final OtherCalls others;
  private final Handler<HttpServerRequest> other;
  private final Handler<HttpServerRequest> own;

  /** A fork for an event loop. */
  Fork(OtherCalls others, Context context, Handler<HttpServerRequest> own) {
    this.others = others;
    this.other = others.on().apply(context);
    this.own = own;
  }

  @Override
  public void handle(HttpServerRequest request) {
    if (request.version() != HttpVersion.HTTP_2) {
      own.handle(request);
    } else if (request.uri() == null) { // CONNECT
      request.response().reset(Http2Error.PROTOCOL_ERROR.code());
    } else if (isOther(request)) {
      if (others.goesOn().test(request.uri())) {
        ConnectionWatch.of(request.connection()).letGo(request.streamId());
      }
      other.handle(request);
    } else {
      own.handle(request);
    }
  }

  private boolean isOther(HttpServerRequest request) {
    String type = request.headers().get(HttpHeaders.CONTENT_TYPE);
    return type != null && others.takes().test(type);
  }
}
