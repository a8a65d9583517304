package dev.idgen.server.config;

import dev.idgen.server.config.Choices.AutoCreateEngine;
import dev.idgen.server.config.Choices.LogFormat;
import dev.idgen.server.config.Choices.LogLevel;
import dev.idgen.snowflake.ClockMode;
import dev.idgen.snowflake.RollbackPolicy;
import dev.idgen.snowflake.SequenceStart;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The table of all settings. Parsing, flags, environment names, {@code config show} and the
 * documentation follow from it.
 */
public final class Settings {
  private static final Pattern HOST = Pattern.compile("[A-Za-z0-9.:_%-]{1,255}");
  private static final Pattern NAMESPACE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
  private static final Pattern LAYOUT = Pattern.compile("[A-Za-z0-9][A-Za-z0-9./()=-]{0,79}");
  private static final Duration MS = Duration.ofMillis(1);
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration DAY = Duration.ofHours(24);

  public static final Setting<Integer> HTTP_PORT =
      Setting.of(
              "http-port",
              ValueType.integer(0, 65535),
              "8080",
              "TCP port of the HTTP interface; 0 takes any free one and prints it at start")
          .alsoFromEnv("PORT");
  public static final Setting<Integer> RESP_PORT =
      Setting.derived(
          "resp-port",
          ValueType.integer(0, 65535),
          "6380; any free one where that is taken, or `PORT` is given",
          config -> config.isGiven("PORT") ? "0" : "6380",
          "TCP port of the Redis protocol; 0 takes any free one and prints it at start");
  public static final Setting<Integer> GRPC_PORT =
      Setting.optional(
          "grpc-port",
          ValueType.integer(0, 65535),
          "none",
          "one more TCP port, for gRPC alone, which is served on `http-port` too; 0 takes any free"
              + " one and prints it at start");
  public static final Setting<String> BIND =
      Setting.of(
          "bind",
          ValueType.text("a host name or address", HOST),
          "127.0.0.1",
          "address to listen on; one that is not loopback needs `auth.tokens` or `insecure`");
  public static final Setting<Boolean> INSECURE =
      Setting.of(
          "insecure",
          ValueType.flag(),
          "false",
          "allows an address that is not loopback although callers are not authenticated");
  public static final Setting<Path> AUTH_TOKENS =
      Setting.optional(
          "auth.tokens",
          ValueType.path(),
          "none: anybody may do all",
          "YAML file of the tokens that callers must bear, and what each may do");
  public static final Setting<Path> OPAQUE_KEYS =
      Setting.optional(
          "opaque.keys",
          ValueType.path(),
          "none: no tag can have opaque ids",
          "YAML file of the keys of opaque ids, the one in use first");
  public static final Setting<Path> DATA =
      Setting.of(
          "data", ValueType.path(), "./data", "folder of the embedded store and the audit log");
  public static final Setting<StoreUrl> STORE =
      Setting.derived(
          "store",
          StoreUrl.TYPE,
          "sqlite:<data>/idgen.db",
          config -> "sqlite:" + config.get(Settings.DATA).resolve("idgen.db"),
          "where state is kept");
  public static final Setting<StoreUrl> WORKERS_STORE =
      Setting.derived(
          "workers-store",
          StoreUrl.OF_LEASES,
          "the same as `store`",
          config -> config.get(Settings.STORE).address(),
          "where leases on worker ids are kept");
  public static final Setting<String> NAMESPACE_NAME =
      Setting.of(
          "namespace",
          ValueType.text("1 to 64 of A-Z a-z 0-9 . _ -, the first a letter or digit", NAMESPACE),
          "default",
          "tells clusters apart that share a store");
  public static final Setting<Boolean> NEW_CLUSTER =
      Setting.of(
          "new-cluster",
          ValueType.flag(),
          "false",
          "promises that this store was never used, so that the first window is not waited out");
  public static final Setting<Integer> WORKER =
      Setting.optional(
              "worker",
              ValueType.integer(0, (1 << 22) - 1),
              "leased",
              "claims this worker id and no other")
          .alsoFromEnv("MACHINE_ID");
  public static final Setting<WorkerPreference> WORKER_PREFERRED =
      Setting.of(
          "worker-preferred",
          WorkerPreference.TYPE,
          "none",
          "a leased worker id that is taken when it is free: a number, `ordinal` (the one that ends"
              + " this host's name, as in a StatefulSet) or `address` (from this host's addresses);"
              + " counted within the region, and never more than a wish");
  public static final Setting<Integer> REGION =
      Setting.optional(
          "region",
          ValueType.integer(0, 1023),
          "none",
          "number of this region, the upper part of the worker id; goes with `regions`");
  public static final Setting<Integer> REGIONS =
      Setting.optional(
          "regions",
          ValueType.integer(1, 1024),
          "none",
          "how many regions there are, each with a store");
  public static final Setting<Path> CONFIG =
      Setting.optional(
          "config",
          ValueType.path(),
          "./idgen.yaml if there",
          "the settings file; read from flag and environment only");

  public static final Setting<Duration> SHUTDOWN_TIMEOUT =
      Setting.of(
          "server.shutdown-timeout",
          ValueType.duration(SECOND, Duration.ofMinutes(10)),
          "10s",
          "longest time that an orderly stop may take");
  public static final Setting<Integer> EVENT_LOOPS =
      Setting.of(
          "server.event-loops",
          ValueType.integer(0, 64),
          "0",
          "threads that serve connections; 0: one for each two processors");
  public static final Setting<LogFormat> LOG_FORMAT =
      Setting.of(
          "log.format",
          ValueType.choice(LogFormat.class),
          "auto",
          "how log lines look; auto: text on a terminal, JSON elsewhere");
  public static final Setting<LogLevel> LOG_LEVEL =
      Setting.of("log.level", ValueType.choice(LogLevel.class), "info", "how much is logged");

  public static final Setting<String> LAYOUT_NAME =
      Setting.derived(
          "snowflake.layout",
          ValueType.text(
              "bits of time/worker/sequence like 41/10/12, named fields, or a known layout's name",
              LAYOUT),
          "41/10/12",
          config -> layoutOf(config),
          "the fields of an id, most significant first");
  public static final Setting<Duration> TICK =
      Setting.optional(
          "snowflake.tick",
          ValueType.duration(MS, SECOND),
          "1ms, or the known layout's",
          "one unit of the time in an id: 1ms, 10ms or 1s");
  public static final Setting<Long> EPOCH_MILLIS =
      Setting.optional(
          "snowflake.epoch-millis",
          ValueType.integer64(0, "ms since 1970"),
          "1704067200000, or the known layout's",
          "where the time in an id starts to count; never change it on a namespace in use");
  public static final Setting<Integer> REGION_BITS =
      Setting.optional(
          "snowflake.region-bits",
          ValueType.integer(0, 10),
          "0, or the layout's",
          "how many upper bits of the worker id are the region");
  public static final Setting<Integer> WORKER_BITS =
      Setting.optional(
          "snowflake.worker-bits",
          ValueType.integer(1, 22),
          "10",
          "bits of the worker id, region included; the time gets what is left");
  public static final Setting<Integer> SEQUENCE_BITS =
      Setting.optional(
          "snowflake.sequence-bits",
          ValueType.integer(1, 22),
          "12",
          "bits of the sequence; the time gets what is left");
  public static final Setting<Duration> ROLLBACK_WAIT =
      Setting.of(
          "snowflake.rollback-wait",
          ValueType.duration(Duration.ZERO, Duration.ofSeconds(10)),
          "10ms",
          "how far the clock may step back and be waited out");
  public static final Setting<RollbackPolicy> ROLLBACK_POLICY =
      Setting.of(
          "snowflake.rollback-policy",
          ValueType.choice(RollbackPolicy.class),
          "refuse",
          "what happens when the clock steps back further: refuse until it has caught up, or go on"
              + " logically within the lease");
  public static final Setting<ClockMode> CLOCK =
      Setting.of(
          "snowflake.clock",
          ValueType.choice(ClockMode.class),
          "precise",
          "whether the clock is read at each take, or by a ticker under load");
  public static final Setting<SequenceStart> SEQUENCE_START =
      Setting.of(
          "snowflake.sequence-start",
          ValueType.choice(SequenceStart.class),
          "zero",
          "where the sequence starts in a new tick; spread: ids taken slowly divide evenly by 2^n");
  public static final Setting<Integer> WORKERS =
      Setting.of(
          "snowflake.workers",
          ValueType.integer(1, 64),
          "1",
          "worker ids that this process holds; each adds its share of ids a tick");
  public static final Setting<Duration> WAIT =
      Setting.of(
          "snowflake.wait",
          ValueType.duration(MS, Duration.ofMinutes(1)),
          "2s",
          "longest time that a request waits for its ids");
  public static final Setting<Duration> CLOCK_MAX_SKEW =
      Setting.of(
          "snowflake.clock-max-skew",
          ValueType.duration(Duration.ofMillis(10), Duration.ofMinutes(10)),
          "1s",
          "how far clocks may differ, and how far the clock may leap before it is checked");
  public static final Setting<Integer> MIN_YEARS_LEFT =
      Setting.of(
          "snowflake.min-years-left",
          ValueType.integer(0, 1000),
          "1",
          "refuses to start when the layout ends sooner than this many years from now");

  public static final Setting<Duration> LEASE_WINDOW =
      Setting.derived(
          "lease.window",
          ValueType.duration(SECOND, HOUR),
          "60s; 3s on an embedded store",
          config -> config.get(Settings.WORKERS_STORE).kind().embedded() ? "3s" : "60s",
          "how far ahead of the clock a lease reaches");
  public static final Setting<Duration> LEASE_RENEW_EVERY =
      Setting.derived(
          "lease.renew-every",
          ValueType.duration(Duration.ofMillis(100), HOUR),
          "a sixth of the window",
          config -> ValueType.show(config.get(Settings.LEASE_WINDOW).dividedBy(6)),
          "how often the lease is renewed; at most half the window");
  public static final Setting<Duration> LEASE_REUSE_DELAY =
      Setting.of(
          "lease.reuse-delay",
          ValueType.duration(Duration.ofMillis(20), DAY),
          "5s",
          "how long after its horizon a worker id without an orderly end is left alone; at least"
              + " twice the skew");

  public static final Setting<Duration> LEASE_ETCD_TTL =
      Setting.of(
          "lease.etcd-ttl",
          ValueType.duration(Duration.ofSeconds(2), HOUR),
          "10s",
          "how long etcd shows who holds a worker id after the holder has gone, in whole seconds; for"
              + " people who look: nothing is decided by it");

  public static final Setting<List<StoreUrl>> SEGMENT_STORES =
      Setting.optional(
          "segment.stores",
          ValueType.stores(),
          "the same as `store`",
          "where the marks of segments and sequences are kept; several databases share the ids, the"
              + " first gives those that are 0 modulo their number, and so on; never change it on a"
              + " namespace in use");
  public static final Setting<Long> SEGMENT_STEP =
      Setting.of(
          "segment.step",
          ValueType.integer64(1, 1_000_000_000_000L, "ids"),
          "10000",
          "ids of the first fetch of a tag that sets none");
  public static final Setting<Long> SEGMENT_STEP_MIN =
      Setting.derived(
          "segment.step-min",
          ValueType.integer64(1, 1_000_000_000_000L, "ids"),
          "100, or the step if that is less",
          config -> String.valueOf(Math.min(100, config.get(Settings.SEGMENT_STEP))),
          "fewest ids of a fetch; steps halve while little is used");
  public static final Setting<Long> SEGMENT_STEP_MAX =
      Setting.derived(
          "segment.step-max",
          ValueType.integer64(1, 1_000_000_000_000L, "ids"),
          "1000000, or the step if that is more",
          config -> String.valueOf(Math.max(1_000_000, config.get(Settings.SEGMENT_STEP))),
          "most ids of a fetch; steps double while much is used");
  public static final Setting<Integer> SEGMENT_PREFETCH =
      Setting.of(
          "segment.prefetch-threshold",
          ValueType.share(),
          "0.8",
          "used share of a segment at which the next one is fetched");
  public static final Setting<Duration> SEGMENT_RUNWAY =
      Setting.of(
          "segment.runway",
          ValueType.duration(Duration.ZERO, Duration.ofMinutes(10)),
          "0s",
          "time that the ids held must last at the present rate, or more are fetched; 0s: off");
  public static final Setting<Integer> SEGMENT_MAX_RETRY =
      Setting.of(
          "segment.max-retry",
          ValueType.integer(0, 100),
          "3",
          "failed fetches in a row after which requests that wait are refused; of sequences too");
  public static final Setting<Duration> SEGMENT_WAIT =
      Setting.of(
          "segment.wait",
          ValueType.duration(MS, Duration.ofMinutes(1)),
          "2s",
          "longest time that a request waits for a segment");
  public static final Setting<Integer> SEGMENT_SKIP =
      Setting.of(
          "segment.skip-on-store-change",
          ValueType.integer(1, 1_000_000),
          "10",
          "largest steps that are left out of a tag's ids when the store may have lost its last"
              + " writes: more than it can lose");
  public static final Setting<Integer> SEQUENCE_MAX_QUEUE =
      Setting.of(
          "sequence.max-queue",
          ValueType.integer(1, 1_000_000),
          "10000",
          "most requests of a sequence that wait at a time; more are told OVERLOADED");
  public static final Setting<Duration> SEQUENCE_WAIT =
      Setting.of(
          "sequence.wait",
          ValueType.duration(MS, Duration.ofMinutes(1)),
          "2s",
          "longest time that a request waits for ids of a sequence");
  public static final Setting<Integer> DATABASE_MAX_OPEN =
      Setting.of(
          "database.max-open-conns",
          ValueType.integer(3, 1000),
          "20",
          "most connections to a database server; two are for leases and tags, the others are shared"
              + " by segments, sequences and idempotency keys, and made as these need them");
  public static final Setting<Integer> DATABASE_MAX_IDLE =
      Setting.of(
          "database.max-idle-conns",
          ValueType.integer(0, 1000),
          "10",
          "most of the shared connections that stay open while nobody needs them");
  public static final Setting<Duration> DATABASE_TIMEOUT =
      Setting.of(
          "database.timeout",
          ValueType.duration(Duration.ofMillis(500), Duration.ofMinutes(1)),
          "2s",
          "longest wait for a connection to a database server, and for each of its answers");

  public static final Setting<List<String>> AUTO_CREATE =
      Setting.of(
          "tags.auto-create",
          ValueType.patterns(),
          "none",
          "tags that are made when they are first asked for; a removed one is not made again");
  public static final Setting<AutoCreateEngine> AUTO_CREATE_ENGINE =
      Setting.of(
          "tags.auto-create-engine",
          ValueType.choice(AutoCreateEngine.class),
          "segment",
          "engine of such tags");
  public static final Setting<Integer> AUTO_CREATE_MAX =
      Setting.of(
          "tags.auto-create-max",
          ValueType.integer(1, 1_000_000),
          "1000",
          "most such tags that one process makes");
  public static final Setting<Duration> IDEMPOTENCY_KEEP =
      Setting.of(
          "idempotency.keep",
          ValueType.duration(SECOND, Duration.ofDays(30)),
          "24h",
          "how long what was issued under an idempotency key is kept");
  public static final Setting<Integer> IDEMPOTENCY_MAX_KEYS =
      Setting.of(
          "idempotency.max-keys-per-token",
          ValueType.integer(1, 100_000_000),
          "100000",
          "most idempotency keys that are kept for one token at a time");

  public static final Setting<Integer> MAX_COUNT =
      Setting.of(
          "http.max-count",
          ValueType.integer(1, 1_000_000),
          "10000",
          "most ids of one `POST /ids/batch`, and of one `ID.NEXT`");
  public static final Setting<Integer> MAX_RUNS_COUNT =
      Setting.of(
          "http.max-runs-count",
          ValueType.integer(1, 1_000_000_000),
          "1000000",
          "most ids of one `POST /ids/batch?form=runs`");
  public static final Setting<Integer> MAX_LIST_COUNT =
      Setting.of(
          "http.max-list-count",
          ValueType.integer(1, 10_000),
          "1000",
          "most ids of one `GET /api/ids`");
  public static final Setting<Integer> MAX_BODY =
      Setting.of("http.max-body", ValueType.size(1024, 1 << 24), "64KiB", "largest request body");
  public static final Setting<Integer> MAX_HEADERS =
      Setting.of(
          "http.max-headers",
          ValueType.size(1024, 1 << 20),
          "8KiB",
          "largest sum of a request's header fields");
  public static final Setting<Duration> HEADER_TIMEOUT =
      Setting.of(
          "http.header-timeout",
          ValueType.duration(Duration.ofMillis(500), HOUR),
          "5s",
          "time for the head of a request, from its first byte");
  public static final Setting<Duration> REQUEST_TIMEOUT =
      Setting.of(
          "http.request-timeout",
          ValueType.duration(Duration.ofMillis(500), HOUR),
          "15s",
          "time for a whole request, from its first byte, and for a reply to be fetched");
  public static final Setting<Duration> IDLE_TIMEOUT =
      Setting.of(
          "http.idle-timeout",
          ValueType.duration(SECOND, DAY),
          "10m",
          "how long a connection without a request is kept");
  public static final Setting<Integer> MAX_CONNECTIONS =
      Setting.of(
          "http.max-connections",
          ValueType.integer(1, 1_000_000),
          "10000",
          "most connections at a time; more are told OVERLOADED");
  public static final Setting<Integer> MAX_STREAMS =
      Setting.of(
          "http.max-streams",
          ValueType.integer(1, 10_000),
          "256",
          "most requests at a time on one connection of HTTP/2; clients wait with more");
  public static final Setting<Path> TLS_CERT =
      Setting.optional(
          "http.tls-cert",
          ValueType.path(),
          "none",
          "certificates as PEM, the server's own first; with `http.tls-key`, HTTP and gRPC are"
              + " served over TLS alone");
  public static final Setting<Path> TLS_KEY =
      Setting.optional(
          "http.tls-key",
          ValueType.path(),
          "none",
          "the key of `http.tls-cert` as PEM, PKCS #8, not encrypted");
  public static final Setting<Boolean> GRPC_REFLECTION =
      Setting.of(
          "grpc.reflection",
          ValueType.flag(),
          "true",
          "whether gRPC clients may ask which services there are");
  public static final Setting<Integer> MAX_WAITING =
      Setting.of(
          "http.max-waiting",
          ValueType.integer(1, 1_000_000),
          "20000",
          "most requests that wait for their ids at a time; more are told OVERLOADED");
  public static final Setting<Set<String>> ADMIN_HOSTS =
      Setting.of(
          "http.admin-hosts",
          ValueType.names(),
          "none",
          "host names beside localhost and addresses under which `/admin` is answered");
  public static final Setting<Integer> MAX_UNSENT =
      Setting.of(
          "http.max-unsent",
          ValueType.size(1 << 20, 1 << 30),
          "32MiB",
          "most bytes of replies that clients have not fetched yet; more are told OVERLOADED");
  public static final Setting<Integer> MAX_UNREAD =
      Setting.of(
          "http.max-unread",
          ValueType.size(1 << 20, 1 << 30),
          "64MiB",
          "most bytes that have come of requests which are not whole, of all protocols; more are told"
              + " OVERLOADED");

  public static final Setting<Integer> RESP_MAX_PIPELINE =
      Setting.of(
          "resp.max-pipeline",
          ValueType.integer(1, 1_000_000),
          "10000",
          "most commands of one connection that wait for their replies; no more are read until there"
              + " are fewer");
  public static final Setting<Integer> RESP_MAX_REQUEST =
      Setting.of(
          "resp.max-request",
          ValueType.size(1024, 1 << 20),
          "16KiB",
          "largest command of a client");
  public static final Setting<Duration> RESP_REQUEST_TIMEOUT =
      Setting.of(
          "resp.request-timeout",
          ValueType.duration(Duration.ofMillis(500), HOUR),
          "15s",
          "time for a whole command, from its first byte, and for replies to be fetched");
  public static final Setting<Duration> RESP_IDLE_TIMEOUT =
      Setting.of(
          "resp.idle-timeout",
          ValueType.duration(SECOND, DAY),
          "10m",
          "how long a connection without a command is kept");
  public static final Setting<Integer> RESP_MAX_CONNECTIONS =
      Setting.of(
          "resp.max-connections",
          ValueType.integer(1, 1_000_000),
          "10000",
          "most connections at a time; more are told OVERLOADED");
  public static final Setting<Integer> RESP_MAX_UNSENT =
      Setting.of(
          "resp.max-unsent",
          ValueType.size(1 << 20, 1 << 30),
          "32MiB",
          "most bytes of large replies that clients have not fetched yet; who asks for more is told"
              + " OVERLOADED");

  /** Every setting, in the order of the documentation. */
  public static final List<Setting<?>> ALL =
      List.of(
          HTTP_PORT,
          RESP_PORT,
          GRPC_PORT,
          BIND,
          INSECURE,
          AUTH_TOKENS,
          OPAQUE_KEYS,
          DATA,
          STORE,
          WORKERS_STORE,
          NAMESPACE_NAME,
          NEW_CLUSTER,
          WORKER,
          WORKER_PREFERRED,
          REGION,
          REGIONS,
          CONFIG,
          SHUTDOWN_TIMEOUT,
          EVENT_LOOPS,
          LOG_FORMAT,
          LOG_LEVEL,
          WORKER_BITS,
          SEQUENCE_BITS,
          LAYOUT_NAME,
          TICK,
          EPOCH_MILLIS,
          REGION_BITS,
          ROLLBACK_WAIT,
          ROLLBACK_POLICY,
          CLOCK,
          SEQUENCE_START,
          WORKERS,
          WAIT,
          CLOCK_MAX_SKEW,
          MIN_YEARS_LEFT,
          LEASE_WINDOW,
          LEASE_RENEW_EVERY,
          LEASE_REUSE_DELAY,
          LEASE_ETCD_TTL,
          SEGMENT_STORES,
          SEGMENT_STEP,
          SEGMENT_STEP_MIN,
          SEGMENT_STEP_MAX,
          SEGMENT_PREFETCH,
          SEGMENT_RUNWAY,
          SEGMENT_MAX_RETRY,
          SEGMENT_WAIT,
          SEGMENT_SKIP,
          SEQUENCE_MAX_QUEUE,
          SEQUENCE_WAIT,
          DATABASE_MAX_OPEN,
          DATABASE_MAX_IDLE,
          DATABASE_TIMEOUT,
          AUTO_CREATE,
          AUTO_CREATE_ENGINE,
          AUTO_CREATE_MAX,
          IDEMPOTENCY_KEEP,
          IDEMPOTENCY_MAX_KEYS,
          MAX_COUNT,
          MAX_RUNS_COUNT,
          MAX_LIST_COUNT,
          MAX_BODY,
          MAX_HEADERS,
          HEADER_TIMEOUT,
          REQUEST_TIMEOUT,
          IDLE_TIMEOUT,
          MAX_CONNECTIONS,
          MAX_STREAMS,
          MAX_WAITING,
          MAX_UNSENT,
          MAX_UNREAD,
          ADMIN_HOSTS,
          TLS_CERT,
          TLS_KEY,
          GRPC_REFLECTION,
          RESP_MAX_PIPELINE,
          RESP_MAX_REQUEST,
          RESP_REQUEST_TIMEOUT,
          RESP_IDLE_TIMEOUT,
          RESP_MAX_CONNECTIONS,
          RESP_MAX_UNSENT);

  private Settings() {}

  private static String layoutOf(Config config) {
    int worker = orElse(config.find(Settings.WORKER_BITS), 10);
    int sequence = orElse(config.find(Settings.SEQUENCE_BITS), 12);
    return (63 - worker - sequence) + "/" + worker + "/" + sequence;
  }

  private static int orElse(@Nullable Integer value, int otherwise) {
    return value == null ? otherwise : value;
  }
}
