import io.netty.buffer.Unpooled;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.internal.buffer.BufferInternal;

/**
 * The floor under the floor: no gRPC, but requests of HTTP/2 that are answered with the bytes of an empty message without a look at
 * what was sent. Started as a single source file by {@code checks/load/grpc}.
 */
final class EmptyHttp2Server {
  private static final CharSequence TYPE = HttpHeaders.createOptimized("application/grpc");
  private static final CharSequence STATUS = HttpHeaders.createOptimized("grpc-status");
  private static final CharSequence OK = HttpHeaders.createOptimized("0");

  public static void main(String[] args) {
    System.setProperty("vertx.disableWebsockets", "true");
    System.setProperty("vertx.disableMetrics", "true");
    Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1))
        .createHttpServer(new HttpServerOptions())
        .requestHandler(EmptyHttp2Server::answer)
        .listen(Integer.parseInt(args[0]), "127.0.0.1")
        .onSuccess(server -> System.out.println("ready"))
        .onFailure(
            failure -> {
              System.err.println(failure);
              System.exit(1);
            });
  }

  private static void answer(HttpServerRequest request) {
    request.handler(chunk -> {});
    request.endHandler(
        end -> {
          HttpServerResponse response = request.response();
          response.putHeader(HttpHeaders.CONTENT_TYPE, TYPE);
          response.putTrailer(STATUS, OK);
          response.end(BufferInternal.buffer(Unpooled.wrappedBuffer(new byte[5])));
        });
  }
}
