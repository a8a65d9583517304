package dev.idgen.server.main;

import dev.idgen.entropy.Entropy;
import dev.idgen.layout.Layout;
import dev.idgen.server.config.Config;
import dev.idgen.server.config.Setting;
import dev.idgen.server.config.Settings;
import dev.idgen.server.config.StoreUrl;
import dev.idgen.server.engine.IdempotencyRoom;
import dev.idgen.server.engine.Lifecycle;
import dev.idgen.server.engine.ServerInsight;
import dev.idgen.server.engine.SnowflakeRoom;
import dev.idgen.server.engine.TagLog;
import dev.idgen.server.engine.TagRoom;
import dev.idgen.server.grpc.GrpcTransport;
import dev.idgen.server.http.Administration;
import dev.idgen.server.http.Entrance;
import dev.idgen.server.http.HttpTransport;
import dev.idgen.server.http.OtherCalls;
import dev.idgen.server.log.AuditLog;
import dev.idgen.server.log.Log;
import dev.idgen.server.log.LogOutput;
import dev.idgen.server.metrics.MetricsPage;
import dev.idgen.server.metrics.ServerGauges;
import dev.idgen.server.resp.RespTransport;
import dev.idgen.server.service.Callers;
import dev.idgen.server.service.Durations;
import dev.idgen.server.service.EngineHealth;
import dev.idgen.server.service.IdService;
import dev.idgen.server.service.TagDirectory;
import dev.idgen.server.service.TagTexts;
import dev.idgen.snowflake.EngineOptions;
import dev.idgen.snowflake.EngineStatus;
import dev.idgen.snowflake.KeeperStatus;
import dev.idgen.snowflake.Owners;
import dev.idgen.time.TimeSource;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import java.net.BindException;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A whole server in this process. Started once, stopped once; both block. */
public final class IdgenServer {
  private static final Log LOG = Log.of("server");
  private static final long QUIET_STOP_MS = 1000;

  /** Of the shutdown timeout: one part in so many is for the end of the process itself. */
  private static final int PART_LEFT_TO_THE_PROCESS = 10;

  private static final int PROCESSORS_PER_LOOP = 2;

  static {
    // Features that this server does not use, and that cost time at start or per request.
    System.setProperty("vertx.disableDnsResolver", "true");
    System.setProperty("vertx.disableMetrics", "true");
  }

  private final Config config;
  private final TimeSource time;
  private final AuditLog audit;
  private final SnowflakeRoom engine;
  private final @Nullable TagRoom tags; // null: the store keeps none
  private final @Nullable IdempotencyRoom keys; // null: the store keeps none
  private final IdService service;
  private final Callers callers;
  private final Vertx vertx;
  private final HttpTransport http;
  private final GrpcTransport grpc;
  private final RespTransport resp;
  private int httpPort;
  private int grpcPort;
  private int respPort;

  /**
   * A server that opens its store, and claims and serves nothing yet. To be started, or stopped.
   */
  public IdgenServer(Config config) {
    this(config, TimeSource.system(), new StoreDrivers(config));
  }

  private IdgenServer(Config config, TimeSource time, StoreDrivers drivers) {
    this(config, time, drivers, () -> drivers.workers(config.get(Settings.WORKERS_STORE)));
  }

  IdgenServer(Config config, TimeSource time, StoreOpener opener) {
    this(config, time, new StoreDrivers(config), opener);
  }

  private IdgenServer(Config config, TimeSource time, StoreDrivers drivers, StoreOpener opener) {
    this.config = config;
    this.time = time;
    String owner = Owners.fresh(Entropy.operatingSystem());
    this.audit = new AuditLog(config.get(Settings.DATA).resolve("audit.log"), time, owner);
    EngineOptions options = Wiring.engine(config);
    boolean embedded = config.get(Settings.WORKERS_STORE).kind().embedded();
    this.engine =
        new SnowflakeRoom(
            options,
            Wiring.keeper(config, options, embedded),
            opener::open,
            embedded,
            time,
            new Lifecycle(audit, time),
            owner);
    this.engine.open(); // its drivers take as long to load as the network's
    this.tags = config.get(Settings.STORE).kind().keepsTags() ? tagRoom(drivers) : null;
    this.keys = config.get(Settings.STORE).kind().keepsTags() ? keyRoom(drivers) : null;
    this.service =
        new IdService(
            directory(),
            keys == null ? null : Wiring.idempotency(config, keys),
            tags == null ? null : Wiring.autoTags(config, tags.admin()),
            this::health,
            Wiring.service(config),
            time);
    this.callers = Wiring.callers(config);
    Entrance entrance = new Entrance();
    this.vertx =
        Vertx.builder().with(vertxOptions(eventLoops(config))).withTransport(entrance).build();
    this.grpc =
        new GrpcTransport(
            service,
            callers,
            options.layout(),
            Wiring.grpcLimits(config),
            config.get(Settings.GRPC_REFLECTION),
            time);
    this.http =
        new HttpTransport(
            vertx,
            entrance,
            service,
            callers,
            administration(options.layout()),
            options.layout(),
            Wiring.limits(config),
            Wiring.tls(config),
            new OtherCalls(GrpcTransport::takes, GrpcTransport::goesOn, grpc::on),
            time);
    this.resp =
        new RespTransport(
            vertx, service, callers, options.layout(), Wiring.respLimits(config), time);
  }

  private IdempotencyRoom keyRoom(StoreDrivers drivers) {
    StoreUrl store = config.get(Settings.STORE);
    return new IdempotencyRoom(store.word(), () -> drivers.idempotency(store), time);
  }

  private TagRoom tagRoom(StoreDrivers drivers) {
    int anyNumber = Entropy.operatingSystem().nextInt(1 << 20);
    TagLog log = new TagLog(audit, time);
    TagRoom room =
        new TagRoom(
            Wiring.tags(config, anyNumber),
            engine,
            Wiring.texts(config),
            Wiring.tagStores(config, drivers),
            time,
            log);
    room.open();
    return room;
  }

  private Administration administration(Layout layout) {
    ServerInsight insight = new ServerInsight(engine, audit, time);
    Durations fetches = tags == null ? new Durations() : tags.fetches();
    return new Administration(
        tags == null ? null : tags.admin(),
        insight,
        new MetricsPage(service, () -> gauges(insight), fetches, layout, time),
        config.get(Settings.ADMIN_HOSTS));
  }

  private ServerGauges gauges(ServerInsight insight) {
    EngineStatus status = engine.status();
    KeeperStatus keeper = engine.keeperStatus();
    return new ServerGauges(
        service.health().ready(),
        status.horizonMillis(),
        keeper == null ? 0 : keeper.offsetMs(),
        status.rollbacks(),
        status.leaps(),
        keeper == null ? 0 : keeper.renewFailures(),
        keeper == null ? 0 : keeper.claimFailures(),
        engine.waits(),
        insight.workersUsed(),
        insight.workersSize());
  }

  /** Of the tags there are; where the store keeps none, of the one that exists from the start. */
  private TagDirectory directory() {
    return tags == null
        ? new TagDirectory(
            Wiring.tags(config, 0).defaults(), (row, kind) -> engine, TagTexts.PLAIN, time, "")
        : tags.directory();
  }

  private EngineHealth health() {
    EngineHealth health = engine.health();
    String problem = tags == null ? "" : tags.problem();
    return problem.isEmpty() ? health : health.withReason(problem);
  }

  private static VertxOptions vertxOptions(int eventLoops) {
    return new VertxOptions()
        .setEventLoopPoolSize(eventLoops)
        .setWorkerPoolSize(1)
        .setInternalBlockingPoolSize(1)
        .setFileSystemOptions(
            new FileSystemOptions()
                .setClassPathResolvingEnabled(false)
                .setFileCachingEnabled(false));
  }

  private static int eventLoops(Config config) {
    int set = config.get(Settings.EVENT_LOOPS);
    int processors = Runtime.getRuntime().availableProcessors();
    return set > 0 ? set : Math.max(1, processors / PROCESSORS_PER_LOOP);
  }

  /**
   * Listens, and begins to claim a worker id.
   *
   * @return completes when ids can be had, and fails with a {@link StartFailure} when the store
   *     contradicts the settings; until then the server answers that it is not ready, and why
   * @throws StartFailure it cannot listen
   */
  public CompletionStage<Void> start() {
    listen();
    audit.record("start", addresses());
    LOG.info("listening", addresses());
    return started()
        .handle(
            (done, failure) -> {
              if (failure != null) {
                throw contradicted(failure);
              }
              announce();
              return null;
            });
  }

  private void listen() {
    String host = config.get(Settings.BIND);
    Integer alone = config.find(Settings.GRPC_PORT);
    httpPort = listen(Settings.HTTP_PORT, port -> http.start(host, port, eventLoops(config)));
    if (alone != null) {
      grpcPort =
          listen(Settings.GRPC_PORT, port -> http.startOthers(host, port, eventLoops(config)));
    }
    respPort = listenToRedisClients(host);
  }

  /** Where nobody has asked for the usual port, another server of this machine may have it. */
  private int listenToRedisClients(String host) {
    int usual = config.get(Settings.RESP_PORT);
    if (!config.isSet(Settings.RESP_PORT)) {
      try {
        return join(resp.start(host, usual));
      } catch (CompletionException e) {
        if (e.getCause() instanceof BindException) {
          int other = listen(Settings.RESP_PORT, taken -> resp.start(host, 0));
          LOG.warn("resp-port is taken", "wanted", usual, "listensOn", other);
          return other;
        }
      }
    }
    return listen(Settings.RESP_PORT, port -> resp.start(host, port));
  }

  private int listen(Setting<Integer> setting, IntFunction<Future<Integer>> start) {
    int port = config.get(setting);
    try {
      return join(start.apply(port));
    } catch (CompletionException e) {
      stopQuietly();
      throw cannotListen(setting, port, e.getCause() == null ? e : e.getCause());
    }
  }

  private CompletionStage<Void> started() {
    CompletionStage<Void> ids = engine.start();
    return tags == null ? ids : firstFailureOf(ids, tags.start());
  }

  /** Completes when both do; a failure is not kept waiting for the other one. */
  private static CompletionStage<Void> firstFailureOf(
      CompletionStage<Void> one, CompletionStage<Void> other) {
    CompletableFuture<Void> both = new CompletableFuture<>();
    var unused = one.thenCombine(other, (a, b) -> both.complete(null));
    for (CompletionStage<Void> part : List.of(one, other)) {
      var ignored =
          part.whenComplete(
              (value, failure) -> {
                if (failure != null) {
                  both.completeExceptionally(failure);
                }
              });
    }
    return both;
  }

  private void announce() {
    StoreUrl store = config.get(Settings.WORKERS_STORE);
    String workers =
        engine.workerIds().stream().map(String::valueOf).collect(Collectors.joining(","));
    audit.record("ready", "worker", workers);
    List<Object> facts = new ArrayList<>(List.of(addresses()));
    facts.addAll(List.of("worker", workers, "store", store.word()));
    LOG.info(LogOutput.READY, facts.toArray());
  }

  /** The port that HTTP is served on. */
  public int httpPort() {
    return httpPort;
  }

  /** The port that the Redis protocol is served on. */
  public int respPort() {
    return respPort;
  }

  /** Where it is to be reached, as logs tell it: names and values. */
  private Object[] addresses() {
    List<Object> told = new ArrayList<>(List.of("http", address(httpPort)));
    if (grpcPort != 0) {
      told.addAll(List.of("grpc", address(grpcPort)));
    }
    told.addAll(List.of("resp", address(respPort)));
    return told.toArray();
  }

  private String address(int port) {
    String host = config.get(Settings.BIND);
    return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
  }

  /**
   * Refuses new calls, lets those under way end, gives the worker id back, closes everything. Takes
   * no longer than the shutdown timeout: each step gets a share of what is left of it, and one that
   * fails or hangs does not keep the others from being taken.
   */
  public void stop() {
    long wholeMs = Wiring.ms(config, Settings.SHUTDOWN_TIMEOUT);
    StopBudget budget = new StopBudget(time, wholeMs - wholeMs / PART_LEFT_TO_THE_PROCESS);
    LOG.info("stopping");
    await(service.drain().toCompletableFuture(), budget.shareMs(3), "requests that wait for ids");
    await(stage(grpc.stop()), budget.shareMs(4), "calls that go on");
    long repliesMs = budget.shareMs(3);
    Future<Void> fetched = Future.join(http.stop(repliesMs), resp.stop(repliesMs)).mapEmpty();
    await(stage(fetched), repliesMs + repliesMs / 4, "replies that are not fetched");
    stopEngine(budget);
    audit.record("stop");
    if (!audit.close(budget.shareMs(1))) {
      LOG.warn("stop does not wait longer", "for", "the audit log");
    }
    LOG.info("stopped");
  }

  /** When it cannot even begin. */
  private void stopQuietly() {
    stopEngine(new StopBudget(time, QUIET_STOP_MS));
    audit.close(QUIET_STOP_MS);
  }

  private void stopEngine(StopBudget budget) {
    if (tags != null) {
      tags.end();
    }
    if (keys != null) {
      keys.end();
    }
    engine.end();
    engine.release(budget.shareMs(3));
    List<CompletableFuture<Void>> stores = new ArrayList<>(List.of(engine.closeStore()));
    if (tags != null) {
      stores.add(tags.closeStores());
    }
    if (keys != null) {
      stores.add(keys.closeStore());
    }
    await(
        CompletableFuture.allOf(stores.toArray(new CompletableFuture<?>[0])),
        budget.shareMs(2),
        "the store");
    await(stage(vertx.close()), budget.shareMs(2), "event loops");
  }

  private static CompletableFuture<Void> stage(Future<Void> future) {
    return future.toCompletionStage().toCompletableFuture();
  }

  private static <T> T join(Future<T> future) {
    return future.toCompletionStage().toCompletableFuture().join();
  }

  /** What is not done in time is left behind: the process ends all the same. */
  private static void await(CompletableFuture<Void> done, long timeoutMs, String what) {
    try {
      done.get(timeoutMs, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      LOG.warn("stop does not wait longer", "for", what, "timeoutMs", timeoutMs);
    } catch (ExecutionException e) {
      LOG.warn("stop failed", "for", what, "why", String.valueOf(e.getCause()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private StartFailure cannotListen(Setting<Integer> setting, int port, Throwable cause) {
    String host = config.get(Settings.BIND);
    if (cause instanceof BindException) {
      return new StartFailure(
          setting.key()
              + ": "
              + port
              + " on "
              + host
              + " cannot be had: "
              + cause.getMessage()
              + " (expected: a free port of this machine; "
              + setting.flag()
              + " sets another, 0 takes any)",
          cause);
    }
    if (!(cause instanceof SocketException || cause instanceof UnknownHostException)
        && config.find(Settings.TLS_CERT) != null) {
      return new StartFailure(
          "http.tls-cert, http.tls-key: "
              + cause.getMessage()
              + " (expected: certificates and the key of the first, as PEM)",
          cause);
    }
    return new StartFailure(
        "bind: " + host + ": " + cause.getMessage() + " (expected: an address of this machine)",
        cause);
  }

  private static StartFailure contradicted(Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    return new StartFailure(String.valueOf(cause.getMessage()), cause);
  }
}
