package dev.idgen.server.main;

import dev.idgen.entropy.Entropy;
import dev.idgen.server.config.Config;
import dev.idgen.server.config.Settings;
import dev.idgen.server.config.StoreUrl;
import dev.idgen.server.http.HttpTransport;
import dev.idgen.server.log.AuditLog;
import dev.idgen.server.log.Log;
import dev.idgen.server.log.LogOutput;
import dev.idgen.server.service.IdService;
import dev.idgen.snowflake.EngineOptions;
import dev.idgen.snowflake.Owners;
import dev.idgen.time.TimeSource;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import java.net.BindException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

/** A whole server in this process. Started once, stopped once; both block. */
public final class IdgenServer {
  private static final Log LOG = Log.of("server");
  private static final int PHASES_OF_A_STOP = 3;
  private static final int PROCESSORS_PER_LOOP = 2;

  static {
    // Features that this server does not use, and that cost time at start or per request.
    System.setProperty("vertx.disableDnsResolver", "true");
    System.setProperty("vertx.disableMetrics", "true");
  }

  private final Config config;
  private final AuditLog audit;
  private final EngineRoom engine;
  private final IdService service;
  private final Vertx vertx;
  private final HttpTransport http;
  private int httpPort;

  /** A server that does nothing yet. */
  public IdgenServer(Config config) {
    this(config, TimeSource.system(), StoreOpener.of(config.get(Settings.STORE)));
  }

  IdgenServer(Config config, TimeSource time, StoreOpener opener) {
    this.config = config;
    String owner = Owners.fresh(Entropy.operatingSystem());
    this.audit = new AuditLog(config.get(Settings.DATA).resolve("audit.log"), time, owner);
    EngineOptions options = Wiring.engine(config);
    boolean embedded = true; // as all stores are that can be set
    this.engine =
        new EngineRoom(
            options,
            Wiring.keeper(config, options, embedded),
            opener,
            embedded,
            time,
            new Lifecycle(audit, time),
            owner);
    this.service =
        new IdService(
            engine,
            TimeUnit.MILLISECONDS.toNanos(options.waitMs()),
            config.get(Settings.MAX_WAITING));
    this.vertx = Vertx.vertx(vertxOptions(eventLoops(config)));
    this.http = new HttpTransport(vertx, service, options.layout(), Wiring.limits(config), time);
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
    String host = config.get(Settings.BIND);
    int port = config.get(Settings.HTTP_PORT);
    try {
      httpPort = join(http.start(host, port, eventLoops(config)));
    } catch (CompletionException e) {
      stopQuietly();
      throw cannotListen(host, port, e.getCause() == null ? e : e.getCause());
    }
    audit.record("start", "http", address());
    return engine
        .start()
        .handle(
            (done, failure) -> {
              if (failure != null) {
                throw contradicted(failure);
              }
              announce();
              return null;
            });
  }

  private void announce() {
    StoreUrl store = config.get(Settings.STORE);
    String workers =
        engine.workerIds().stream().map(String::valueOf).collect(Collectors.joining(","));
    audit.record("ready", "worker", workers);
    LOG.info(LogOutput.READY, "http", address(), "worker", workers, "store", store.word());
  }

  /** The port that HTTP is served on. */
  public int httpPort() {
    return httpPort;
  }

  private String address() {
    String host = config.get(Settings.BIND);
    return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + httpPort;
  }

  /**
   * Refuses new calls, lets those under way end, gives the worker id back, closes everything. Takes
   * no longer than the shutdown timeout, about.
   */
  public void stop() {
    long phaseMs = Wiring.ms(config, Settings.SHUTDOWN_TIMEOUT) / PHASES_OF_A_STOP;
    LOG.info("stopping");
    await(service.drain().toCompletableFuture(), phaseMs, "requests that wait for ids");
    await(stage(http.stop(phaseMs)), phaseMs + phaseMs / 4, "replies that are not fetched");
    engine.stop(phaseMs);
    await(stage(vertx.close()), phaseMs / 4, "event loops");
    audit.record("stop");
    LOG.info("stopped");
  }

  private void stopQuietly() {
    engine.stop(0);
    await(stage(vertx.close()), 1000, "event loops");
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

  private static StartFailure cannotListen(String host, int port, Throwable cause) {
    if (cause instanceof BindException) {
      return new StartFailure(
          "http-port: "
              + port
              + " on "
              + host
              + " cannot be had: "
              + cause.getMessage()
              + " (expected: a free port of this machine; --http-port sets another, 0 takes any)",
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
