import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.grpc.server.GrpcServer;

/**
 * The floor of the gRPC row: the server's own stack, one event loop, answering every call with an empty message. Started as a
 * single source file by {@code checks/load/grpc}.
 */
final class EmptyGrpcServer {
  public static void main(String[] args) {
    int port = Integer.parseInt(args[0]);
    Buffer nothing = Buffer.buffer();
    System.setProperty("vertx.disableWebsockets", "true");
    System.setProperty("vertx.disableMetrics", "true");
    Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    GrpcServer calls =
        GrpcServer.server(vertx)
            .callHandler(call -> call.handler(message -> call.response().end(nothing)));
    vertx
        .createHttpServer(new HttpServerOptions())
        .requestHandler(calls)
        .listen(port, "127.0.0.1")
        .onSuccess(server -> System.out.println("ready"))
        .onFailure(
            failure -> {
              System.err.println(failure);
              System.exit(1);
            });
  }
}
