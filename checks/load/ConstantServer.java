import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpVersion;
import java.util.List;

/**
 * The floor of the HTTP row: the server's own stack, one event loop, answering every request with the same bytes. Started as a
 * single source file by {@code checks/load/http}.
 */
final class ConstantServer {
  public static void main(String[] args) {
    int port = Integer.parseInt(args[0]);
    Buffer body =
        Buffer.buffer(
            "[{\"id\":\"385531172186230784\",\"time\":\"2026-11-29T20:43:14.272Z\",\"machine\":999,\"sequence\":0}]");
    CharSequence type = HttpHeaders.createOptimized("application/json");
    CharSequence noStore = HttpHeaders.createOptimized("no-store");
    CharSequence length = HttpHeaders.createOptimized(String.valueOf(body.length()));
    System.setProperty("vertx.disableWebsockets", "true");
    Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1))
        .createHttpServer(
            new HttpServerOptions()
                .setHttp2ClearTextEnabled(false)
                .setAlpnVersions(List.of(HttpVersion.HTTP_1_1)))
        .requestHandler(
            request ->
                request
                    .response()
                    .putHeader(HttpHeaders.CONTENT_TYPE, type)
                    .putHeader(HttpHeaders.CACHE_CONTROL, noStore)
                    .putHeader(HttpHeaders.CONTENT_LENGTH, length)
                    .end(body))
        .listen(port, "127.0.0.1")
        .onSuccess(server -> System.out.println("ready"))
        .onFailure(
            failure -> {
              System.err.println(failure);
              System.exit(1);
            });
  }
}
