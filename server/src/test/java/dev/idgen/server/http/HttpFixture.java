package dev.idgen.server.http;

import dev.idgen.entropy.Entropy;
import dev.idgen.opaque.OpaqueKey;
import dev.idgen.opaque.OpaqueKeys;
import dev.idgen.server.engine.TextEngines;
import dev.idgen.server.metrics.MetricsPage;
import dev.idgen.server.metrics.ServerGauges;
import dev.idgen.server.service.Callers;
import dev.idgen.server.service.Durations;
import dev.idgen.server.service.EngineKind;
import dev.idgen.server.service.HeldText;
import dev.idgen.server.service.IdService;
import dev.idgen.server.service.Idempotency;
import dev.idgen.server.service.ServiceLimits;
import dev.idgen.server.service.TagAdmin;
import dev.idgen.server.service.TagDirectory;
import dev.idgen.server.service.TagEngine;
import dev.idgen.server.service.TagEvents;
import dev.idgen.server.service.TagRows;
import dev.idgen.server.service.TagTexts;
import dev.idgen.store.SegmentTerms;
import dev.idgen.store.TagRow;
import dev.idgen.store.memory.MemoryIdempotencyStore;
import dev.idgen.store.memory.MemorySegmentStore;
import dev.idgen.store.memory.MemoryTagStore;
import dev.idgen.time.TimeSource;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A real transport on a free port of loopback, over a {@link FakeEngine}. */
public final class HttpFixture implements AutoCloseable {
  public static final HttpLimits LIMITS =
      new HttpLimits(
          10_000, 1_000_000, 1000, 64 << 10, 8 << 10, 5_000, 15_000, 600_000, 10_000, 256,
          32 << 20);

  /** Timeouts that a test can wait for. */
  public static final HttpLimits HASTY =
      new HttpLimits(
          10_000, 1_000_000, 1000, 64 << 10, 8 << 10, 300, 600, 1_000, 10_000, 256, 32 << 20);

  static final OpaqueKeys OPAQUE = new OpaqueKeys(List.of(new OpaqueKey('k', new byte[16])));

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  /** One for all tests: they end with the process. */
  static final Entrance ENTRANCE = new Entrance();

  public static final Vertx VERTX =
      Vertx.builder()
          .with(
              new VertxOptions()
                  .setEventLoopPoolSize(2)
                  .setFileSystemOptions(
                      new FileSystemOptions()
                          .setClassPathResolvingEnabled(false)
                          .setFileCachingEnabled(false)))
          .withTransport(ENTRANCE)
          .build();

  public final FakeEngine engine = new FakeEngine();
  private final TextEngines texts = new TextEngines(TimeSource.system());
  private final Map<String, HeldText> opaque = new ConcurrentHashMap<>();
  public final MemoryTagStore tags = new MemoryTagStore();
  final FakeAdmin admin = new FakeAdmin();
  final TagDirectory directory;
  public final IdService service;
  public final int port;
  private final Routes routes;
  public final HttpTransport transport;
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(PATIENCE).build();

  HttpFixture() {
    this(LIMITS, 1_000);
  }

  HttpFixture(HttpLimits limits, int maxWaiting) {
    this(limits, maxWaiting, Callers.OPEN);
  }

  HttpFixture(HttpLimits limits, int maxWaiting, Callers callers) {
    this(limits, maxWaiting, callers, null);
  }

  /** With a limit of what may have come of requests that are not whole. */
  HttpFixture(HttpLimits limits, ServiceLimits service) {
    this(limits, service, Callers.OPEN, null, any -> OtherCalls.NONE);
  }

  HttpFixture(HttpLimits limits, int maxWaiting, Callers callers, @Nullable Tls tls) {
    this(limits, maxWaiting, callers, tls, service -> OtherCalls.NONE);
  }

  /** With another transport on the same port. */
  public HttpFixture(
      HttpLimits limits,
      int maxWaiting,
      Callers callers,
      @Nullable Tls tls,
      Function<IdService, OtherCalls> others) {
    this(limits, new ServiceLimits(maxWaiting, 64 << 20), callers, tls, others);
  }

  private HttpFixture(
      HttpLimits limits,
      ServiceLimits common,
      Callers callers,
      @Nullable Tls tls,
      Function<IdService, OtherCalls> others) {
    tags.write("default", TagRows.of("default", "snowflake"), 0);
    TagRow first = tags.read("default", "default").toCompletableFuture().join();
    directory =
        new TagDirectory(first, this::engine, new TagTexts(this::opaque), TimeSource.system(), "");
    TagAdmin tagAdmin =
        new TagAdmin(
            "default",
            first,
            tags,
            new MemorySegmentStore("fixture"),
            row -> SegmentTerms.of("default", row.tag(), 1_000),
            directory,
            TimeSource.system(),
            TagEvents.NONE);
    service =
        new IdService(
            directory,
            new Idempotency(
                new MemoryIdempotencyStore(TimeSource.system()),
                "default",
                60_000,
                100,
                Entropy.secure()),
            engine::health,
            common,
            TimeSource.system());
    Administration administration =
        new Administration(tagAdmin, admin, metrics(), Set.of("idgen.example"));
    routes =
        new Routes(
            service,
            callers,
            administration,
            FakeEngine.LAYOUT,
            limits,
            TimeSource.system(),
            new Replies(limits, new AtomicLong()),
            VERTX.getOrCreateContext());
    transport =
        new HttpTransport(
            VERTX,
            ENTRANCE,
            service,
            callers,
            administration,
            FakeEngine.LAYOUT,
            limits,
            tls,
            others.apply(service),
            TimeSource.system());
    port = transport.start("127.0.0.1", 0, 2).await();
  }

  /** The opaque text of a tag, which a test may slow down. */
  public HeldText opaque(String tag) {
    return opaque.computeIfAbsent(tag, name -> new HeldText(OPAQUE.of(name)));
  }

  private TagEngine engine(TagRow row, EngineKind kind) {
    return kind.numbers() ? engine.of(row) : texts.of(kind, row.tag());
  }

  private MetricsPage metrics() {
    ServerGauges gauges = new ServerGauges(true, 0, 5, 1, 2, 3, 4, 5, 6, 1024);
    return new MetricsPage(
        service, () -> gauges, new Durations(), FakeEngine.LAYOUT, TimeSource.system());
  }

  /** As before any was read. */
  public void forgetTags(String why) {
    directory.setProblem(why);
    directory.beginReading();
    directory.replaceBy(List.of(), List.of());
  }

  /** Those of no event loop: to be looked at. */
  Routes routes() {
    return routes;
  }

  public HttpResponse<String> get(String path) {
    return send("GET", path, null);
  }

  public HttpResponse<String> post(String path, String body) {
    return send("POST", path, body);
  }

  public HttpResponse<String> send(
      String method, String path, @Nullable String body, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .timeout(PATIENCE)
            .method(
                method,
                body == null
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofString(body));
    if (headers.length > 0) {
      request.headers(headers);
    }
    try {
      return CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new IllegalStateException(method + " " + path, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  public Raw raw() {
    return new Raw(port);
  }

  @Override
  public void close() {
    transport.stop(0).await();
  }

  /** A bare socket, for what no client library sends. */
  public static final class Raw implements AutoCloseable {
    private final Socket socket;

    public Raw(int port) {
      try {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout((int) PATIENCE.toMillis());
        socket.setTcpNoDelay(true);
      } catch (IOException e) {
        throw new IllegalStateException("port " + port, e);
      }
    }

    public Raw send(String text) {
      return send(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    public Raw send(byte[] bytes) {
      try {
        OutputStream out = socket.getOutputStream();
        out.write(bytes);
        out.flush();
        return this;
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    }

    public Raw endOfSending() {
      try {
        socket.shutdownOutput();
        return this;
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    }

    /** All that comes until the server closes; a reset counts as closing. */
    public String untilClosed() {
      StringBuilder all = new StringBuilder();
      try {
        InputStream in = socket.getInputStream();
        byte[] some = new byte[8 << 10];
        for (int n = in.read(some); n >= 0; n = in.read(some)) {
          all.append(new String(some, 0, n, StandardCharsets.ISO_8859_1));
        }
      } catch (java.net.SocketException e) {
        return all.toString();
      } catch (IOException e) {
        throw new IllegalStateException("after: " + all, e);
      }
      return all.toString();
    }

    /** Exactly one reply that bears a content-length. */
    public String reply() {
      try {
        InputStream in = socket.getInputStream();
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
          int b = in.read();
          if (b < 0) {
            throw new IllegalStateException("closed after: " + head);
          }
          head.append((char) b);
        }
        String lower = head.toString().toLowerCase(java.util.Locale.ROOT);
        int at = lower.indexOf("content-length: ");
        int length =
            at < 0 ? 0 : Integer.parseInt(lower.substring(at + 16, lower.indexOf("\r\n", at)));
        return head + new String(in.readNBytes(length), StandardCharsets.UTF_8);
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void close() {
      try {
        socket.close();
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
