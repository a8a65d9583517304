package dev.idgen.server.http;

import io.vertx.core.Context;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpServerRequest;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Calls of another transport that come as requests of HTTP/2, over the same connections.
 *
 * @param takes whether a request with this content type is one
 * @param goesOn whether a request for this path may take as long as its client likes; others are
 *     cut when they are not whole, or their reply is not fetched, in time
 * @param on gives what answers them on an event loop
 */
public record OtherCalls(
    Predicate<String> takes,
    Predicate<String> goesOn,
    Function<Context, Handler<HttpServerRequest>> on) {
  /** There is no other transport. */
  public static final OtherCalls NONE =
      new OtherCalls(
          type -> false,
          path -> false,
          context ->
              request -> {
                throw new IllegalStateException("content-type: taken by nobody");
              });
}
