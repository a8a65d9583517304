package dev.idgen.server.http;

import dev.idgen.layout.Layout;
import dev.idgen.server.service.Callers;
import dev.idgen.server.service.IdService;
import dev.idgen.time.TimeSource;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.internal.ContextInternal;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Serves the calls over HTTP/1.1 and HTTP/2, in clear text or over TLS. Started once, stopped once.
 *
 * <p>Limits on time and memory hold before a request is understood; see {@link HttpLimits}.
 */
public final class HttpTransport {
  private static final int BACKLOG = 1024;
  static final int MAX_REQUEST_LINE = 4096;

  /** Of HTTP/2: what a client may send of one request, and of all, before it is read. */
  private static final int STREAM_WINDOW = 64 << 10;

  private static final int CONNECTION_WINDOW = 1 << 20;

  /** Requests that a client takes back in so many seconds before its connection is ended. */
  private static final int MAX_RESETS = 1000;

  private static final int RESETS_SECONDS = 10;

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
  private final Entrance entrance;
  private final IdService service;
  private final Callers callers;
  private final Administration administration;
  private final Layout layout;
  private final HttpLimits limits;
  private final @Nullable Tls tls; // null: in clear text
  private final OtherCalls others;
  private final TimeSource time;
  private final AtomicInteger connections = new AtomicInteger();
  private final AtomicLong unsent = new AtomicLong();
  private final Map<EventLoop, Connections> byLoop = new ConcurrentHashMap<>();
  private final List<HttpServer> servers = new CopyOnWriteArrayList<>();
  private final List<String> deployments = new CopyOnWriteArrayList<>();

  /**
   * A transport that does not listen yet.
   *
   * @param entrance that of the Vert.x
   * @param callers who may do what
   * @param administration what administrators reach
   * @param tls null: in clear text
   * @param others come over the same connections
   */
  public HttpTransport(
      Vertx vertx,
      Entrance entrance,
      IdService service,
      Callers callers,
      Administration administration,
      Layout layout,
      HttpLimits limits,
      @Nullable Tls tls,
      OtherCalls others,
      TimeSource time) {
    this.vertx = vertx;
    this.entrance = entrance;
    this.service = service;
    this.callers = callers;
    this.administration = administration;
    this.layout = layout;
    this.limits = limits;
    this.tls = tls;
    this.others = others;
    this.time = time;
  }

  /**
   * Listens.
   *
   * @param port 0: any free one
   * @param eventLoops how many threads serve the connections, 1 or more
   * @return the port; fails with an {@link IOException} that names the file where the certificate
   *     or its key cannot be read
   */
  public Future<Integer> start(String host, int port, int eventLoops) {
    return listen(host, port, eventLoops, true);
  }

  /** Listens on one more port, for the calls of the other transport alone. */
  public Future<Integer> startOthers(String host, int port, int eventLoops) {
    return listen(host, port, eventLoops, false);
  }

  private Future<Integer> listen(String host, int port, int eventLoops, boolean own) {
    int bound = port == 0 ? NEXT_SHARED_PORT.getAndDecrement() : port;
    List<HttpServer> listening = new CopyOnWriteArrayList<>();
    HttpServerOptions options;
    try {
      options = options(bound, host);
    } catch (IOException e) {
      return Future.failedFuture(e);
    }
    entrance.guard(bound, this::meet);
    return vertx
        .deployVerticle(
            () -> new Loop(options, own, listening),
            new DeploymentOptions().setInstances(eventLoops))
        .map(
            id -> {
              deployments.add(id);
              return listening.get(0).actualPort();
            });
  }

  private void meet(Channel channel, Runnable letIn) {
    Connections here = byLoop.get(channel.eventLoop());
    if (here == null) {
      var unused = channel.close(); // accepted while the last server was being closed
    } else {
      here.meet(channel, letIn);
    }
  }

  /**
   * Accepts nobody any more, lets replies under way go out, closes.
   *
   * @param timeoutMs connections still busy then are cut
   */
  public Future<Void> stop(long timeoutMs) {
    if (deployments.isEmpty()) {
      return Future.succeededFuture();
    }
    byLoop.values().forEach(Connections::stop);
    return Future.join(
            servers.stream()
                .map(server -> server.shutdown(timeoutMs, TimeUnit.MILLISECONDS))
                .toList())
        .eventually(() -> Future.join(deployments.stream().map(vertx::undeploy).toList()))
        .mapEmpty();
  }

  private HttpServerOptions options(int port, String host) throws IOException {
    HttpServerOptions options =
        new HttpServerOptions()
            .setPort(port)
            .setHost(host)
            .setAcceptBacklog(BACKLOG)
            .setMaxInitialLineLength(MAX_REQUEST_LINE)
            .setMaxHeaderSize(limits.maxHeaderBytes())
            .setInitialSettings(http2())
            .setHttp2ConnectionWindowSize(CONNECTION_WINDOW)
            .setHttp2RstFloodMaxRstFramePerWindow(MAX_RESETS)
            .setHttp2RstFloodWindowDuration(RESETS_SECONDS)
            .setHttp2RstFloodWindowDurationTimeUnit(TimeUnit.SECONDS);
    if (tls != null) {
      options
          .setSsl(true)
          .setUseAlpn(true)
          .setAlpnVersions(List.of(HttpVersion.HTTP_2, HttpVersion.HTTP_1_1))
          .setSslHandshakeTimeout(limits.headerTimeoutMs())
          .setSslHandshakeTimeoutUnit(TimeUnit.MILLISECONDS)
          .setKeyCertOptions(tls.read());
    }
    return options;
  }

  private Http2Settings http2() {
    return new Http2Settings()
        .setMaxConcurrentStreams(limits.maxStreams())
        .setMaxHeaderListSize(limits.maxHeaderBytes())
        .setInitialWindowSize(STREAM_WINDOW);
  }

  /** One event loop with its share of the connections. */
  private final class Loop extends VerticleBase {
    private final HttpServerOptions options;
    private final boolean own;
    private final List<HttpServer> listening;

    Loop(HttpServerOptions options, boolean own, List<HttpServer> listening) {
      this.options = options;
      this.own = own;
      this.listening = listening;
    }

    @Override
    public Future<?> start() {
      EventLoop loop = ((ContextInternal) context).nettyEventLoop();
      Connections open =
          byLoop.computeIfAbsent(
              loop, any -> new Connections(limits, service.unread(), time, connections));
      vertx.setPeriodic(Connections.SWEEP_MS, timer -> open.sweep());
      HttpServer server =
          vertx
              .createHttpServer(options)
              .connectionHandler(HttpTransport::understood)
              .requestHandler(new Fork(others, context, own()))
              .invalidRequestHandler(request -> Malformed.answer(request, limits));
      return server
          .listen()
          .onSuccess(
              made -> {
                servers.add(made);
                listening.add(made);
              });
    }

    private Handler<HttpServerRequest> own() {
      Replies replies = new Replies(limits, unsent);
      return own
          ? new Routes(service, callers, administration, layout, limits, time, replies, context)
          : new NoRoutes(limits, replies);
    }
  }

  private static void understood(HttpConnection connection) {
    ConnectionWatch.of(connection).understood();
  }
}
