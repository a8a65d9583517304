package dev.idgen.server.http;

import dev.idgen.layout.Layout;
import dev.idgen.server.service.Callers;
import dev.idgen.server.service.IdService;
import dev.idgen.time.TimeSource;
import io.vertx.core.Context;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.impl.VertxConnection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Serves the calls over HTTP/1.1. Started once, stopped once.
 *
 * <p>Limits on time and memory hold before a request is understood; see {@link HttpLimits}.
 */
public final class HttpTransport {
  private static final int BACKLOG = 1024;
  static final int MAX_REQUEST_LINE = 4096;

  /**
   * A negative port is, to Vert.x, one free port that all servers with this number share: the event
   * loops of one transport, and not those of another.
   */
  private static final AtomicInteger NEXT_SHARED_PORT = new AtomicInteger(-1);

  static {
    // Read once, when Vert.x makes its first server: an upgrade to WebSocket is no call of ours.
    System.setProperty("vertx.disableWebsockets", "true");
  }

  private final Vertx vertx;
  private final IdService service;
  private final Callers callers;
  private final Administration administration;
  private final Layout layout;
  private final HttpLimits limits;
  private final TimeSource time;
  private final AtomicInteger connections = new AtomicInteger();
  private final AtomicLong unsent = new AtomicLong();
  private final List<HttpServer> servers = new CopyOnWriteArrayList<>();
  private volatile @Nullable String deployment;

  /**
   * A transport that does not listen yet.
   *
   * @param callers who may do what
   * @param administration what administrators reach
   */
  public HttpTransport(
      Vertx vertx,
      IdService service,
      Callers callers,
      Administration administration,
      Layout layout,
      HttpLimits limits,
      TimeSource time) {
    this.vertx = vertx;
    this.service = service;
    this.callers = callers;
    this.administration = administration;
    this.layout = layout;
    this.limits = limits;
    this.time = time;
  }

  /**
   * Listens.
   *
   * @param port 0: any free one
   * @param eventLoops how many threads serve the connections, 1 or more
   * @return the port
   */
  public Future<Integer> start(String host, int port, int eventLoops) {
    int bound = port == 0 ? NEXT_SHARED_PORT.getAndDecrement() : port;
    return vertx
        .deployVerticle(
            () -> new Loop(host, bound), new DeploymentOptions().setInstances(eventLoops))
        .map(
            id -> {
              deployment = id;
              return servers.get(0).actualPort();
            });
  }

  /**
   * Accepts nobody any more, lets replies under way go out, closes.
   *
   * @param timeoutMs connections still busy then are cut
   */
  public Future<Void> stop(long timeoutMs) {
    String id = deployment;
    if (id == null) {
      return Future.succeededFuture();
    }
    return Future.join(
            servers.stream()
                .map(server -> server.shutdown(timeoutMs, TimeUnit.MILLISECONDS))
                .toList())
        .eventually(() -> vertx.undeploy(id))
        .mapEmpty();
  }

  private HttpServerOptions options() {
    return new HttpServerOptions()
        .setAcceptBacklog(BACKLOG)
        .setMaxInitialLineLength(MAX_REQUEST_LINE)
        .setMaxHeaderSize(limits.maxHeaderBytes())
        .setHttp2ClearTextEnabled(false)
        .setAlpnVersions(List.of(HttpVersion.HTTP_1_1));
  }

  /** One event loop with its share of the connections. */
  private final class Loop extends VerticleBase {
    private final String host;
    private final int port;

    Loop(String host, int port) {
      this.host = host;
      this.port = port;
    }

    @Override
    public Future<?> start() {
      Context own = context;
      Connections open = new Connections(limits, time, connections);
      Replies replies = new Replies(limits, unsent);
      Routes routes =
          new Routes(service, callers, administration, layout, limits, time, replies, own);
      vertx.setPeriodic(Connections.SWEEP_MS, timer -> open.sweep());
      HttpServer server =
          vertx
              .createHttpServer(options())
              .connectionHandler(made -> open.add(((VertxConnection) made).channel()))
              .requestHandler(routes)
              .invalidRequestHandler(request -> Malformed.answer(request, limits));
      return server.listen(port, host).onSuccess(servers::add);
    }
  }
}
