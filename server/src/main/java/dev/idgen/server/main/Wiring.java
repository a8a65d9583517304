package dev.idgen.server.main;

import dev.idgen.entropy.Entropy;
import dev.idgen.layout.Layout;
import dev.idgen.opaque.OpaqueKey;
import dev.idgen.opaque.OpaqueKeys;
import dev.idgen.segment.SegmentOptions;
import dev.idgen.sequence.SequenceOptions;
import dev.idgen.server.config.Config;
import dev.idgen.server.config.KeysFile;
import dev.idgen.server.config.LayoutSettings;
import dev.idgen.server.config.Setting;
import dev.idgen.server.config.Settings;
import dev.idgen.server.config.StoreUrl;
import dev.idgen.server.config.TokensFile;
import dev.idgen.server.config.WorkerPreference;
import dev.idgen.server.config.Workers;
import dev.idgen.server.engine.TagRoomOptions;
import dev.idgen.server.engine.TagStores;
import dev.idgen.server.grpc.GrpcLimits;
import dev.idgen.server.http.HttpLimits;
import dev.idgen.server.http.Tls;
import dev.idgen.server.resp.RespLimits;
import dev.idgen.server.service.AutoTags;
import dev.idgen.server.service.Caller;
import dev.idgen.server.service.Callers;
import dev.idgen.server.service.EngineKind;
import dev.idgen.server.service.Idempotency;
import dev.idgen.server.service.ServiceLimits;
import dev.idgen.server.service.Tag;
import dev.idgen.server.service.TagAdmin;
import dev.idgen.server.service.TagTexts;
import dev.idgen.snowflake.EngineOptions;
import dev.idgen.snowflake.KeeperOptions;
import dev.idgen.store.IdempotencyStore;
import dev.idgen.store.LeaseTerms;
import dev.idgen.store.TagRow;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the settings mean for each part. */
final class Wiring {
  private Wiring() {}

  static EngineOptions engine(Config config) {
    return new EngineOptions(
        LayoutSettings.of(config),
        config.get(Settings.ROLLBACK_POLICY),
        ms(config, Settings.ROLLBACK_WAIT),
        ms(config, Settings.CLOCK_MAX_SKEW),
        config.get(Settings.CLOCK),
        config.get(Settings.SEQUENCE_START),
        ms(config, Settings.WAIT));
  }

  static KeeperOptions keeper(Config config, EngineOptions engine, boolean embedded) {
    Layout layout = engine.layout();
    LeaseTerms terms = terms(config, engine);
    KeeperOptions options =
        KeeperOptions.leased(engine, terms.namespace(), embedded)
            .withTerms(terms, ms(config, Settings.LEASE_RENEW_EVERY))
            .withNewCluster(config.get(Settings.NEW_CLUSTER));
    if (config.get(Settings.WORKERS_STORE).kind().databaseServer()) {
      long every = ms(config, Settings.LEASE_RENEW_EVERY); // an answer is worth no longer wait
      options = options.withCallMs(Math.min(every, ms(config, Settings.DATABASE_TIMEOUT)));
    }
    Integer worker = config.find(Settings.WORKER);
    if (worker != null) {
      return options.withFixed(worker, layout.maxWorker());
    }
    Workers range = Workers.of(config, layout);
    return options
        .withRange(range.first(), range.endExclusive() - 1)
        .withPreferred(preferred(config, range))
        .withWorkers(config.get(Settings.WORKERS));
  }

  private static int preferred(Config config, Workers range) {
    WorkerPreference wish = config.get(Settings.WORKER_PREFERRED);
    return wish.in(range, hostName(), addresses());
  }

  /** Seldom in the environment but in containers; then the kernel is asked. */
  private static String hostName() {
    String host = System.getenv("HOSTNAME");
    if (host != null && !host.isBlank()) {
      return host.strip();
    }
    try {
      return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
    } catch (IOException e) {
      return ""; // not on this system: then no worker id is preferred by the name
    }
  }

  private static List<InetAddress> addresses() {
    try {
      return NetworkInterface.networkInterfaces().flatMap(NetworkInterface::inetAddresses).toList();
    } catch (SocketException e) {
      return List.of(); // then no worker id is preferred
    }
  }

  /** What all processes of the namespace have in common. */
  static LeaseTerms terms(Config config, EngineOptions engine) {
    return new LeaseTerms(
        config.get(Settings.NAMESPACE_NAME),
        engine.layout().describe(),
        ms(config, Settings.LEASE_WINDOW),
        ms(config, Settings.LEASE_REUSE_DELAY),
        engine.maxSkewMs());
  }

  /**
   * How the engines of tags work.
   *
   * @param firstDatabase any number: processes should differ
   */
  static TagRoomOptions tags(Config config, int firstDatabase) {
    Integer regions = config.find(Settings.REGIONS);
    Integer region = config.find(Settings.REGION);
    int retries = config.get(Settings.SEGMENT_MAX_RETRY);
    long callMs = ms(config, Settings.DATABASE_TIMEOUT);
    SegmentOptions segments =
        SegmentOptions.defaults()
            .withPrefetch(
                config.get(Settings.SEGMENT_PREFETCH), ms(config, Settings.SEGMENT_RUNWAY))
            .withLimits(retries, ms(config, Settings.SEGMENT_WAIT), callMs);
    SequenceOptions sequences =
        SequenceOptions.defaults()
            .withQueue(config.get(Settings.SEQUENCE_MAX_QUEUE))
            .withLimits(retries, ms(config, Settings.SEQUENCE_WAIT), callMs);
    return new TagRoomOptions(
        config.get(Settings.NAMESPACE_NAME),
        defaults(config),
        segments,
        sequences,
        regions == null ? 1 : regions,
        region == null ? 0 : region,
        firstDatabase,
        Math.max(config.get(Settings.MAX_COUNT), config.get(Settings.MAX_RUNS_COUNT)),
        config.get(Settings.SEGMENT_SKIP));
  }

  /** What a tag has that sets nothing. */
  private static TagRow defaults(Config config) {
    return new TagRow(
        Tag.DEFAULT,
        EngineKind.SNOWFLAKE.word(),
        "decimal",
        "",
        1,
        Long.MAX_VALUE,
        config.get(Settings.SEGMENT_STEP),
        config.get(Settings.SEGMENT_STEP_MIN),
        config.get(Settings.SEGMENT_STEP_MAX),
        false,
        0,
        0,
        "",
        "",
        0,
        0,
        0,
        false,
        0,
        0);
  }

  /** The databases of marks, in their order; none where the store keeps no tags. */
  static List<StoreUrl> segmentStores(Config config) {
    StoreUrl store = config.get(Settings.STORE);
    List<StoreUrl> segments = config.find(Settings.SEGMENT_STORES);
    if (segments != null) {
      return segments;
    }
    return store.kind().keepsTags() ? List.of(store) : List.of();
  }

  /** What tags and their marks are kept in. */
  static TagStores tagStores(Config config, StoreDrivers drivers) {
    StoreUrl store = config.get(Settings.STORE);
    List<TagStores.Database> databases = new ArrayList<>();
    for (StoreUrl url : segmentStores(config)) {
      databases.add(new TagStores.Database(url.word(), () -> drivers.segments(url)));
    }
    return new TagStores(() -> drivers.tags(store), databases);
  }

  static ServiceLimits service(Config config) {
    return new ServiceLimits(config.get(Settings.MAX_WAITING), config.get(Settings.MAX_UNREAD));
  }

  static HttpLimits limits(Config config) {
    return new HttpLimits(
        config.get(Settings.MAX_COUNT),
        config.get(Settings.MAX_RUNS_COUNT),
        config.get(Settings.MAX_LIST_COUNT),
        config.get(Settings.MAX_BODY),
        config.get(Settings.MAX_HEADERS),
        ms(config, Settings.HEADER_TIMEOUT),
        ms(config, Settings.REQUEST_TIMEOUT),
        ms(config, Settings.IDLE_TIMEOUT),
        config.get(Settings.MAX_CONNECTIONS),
        config.get(Settings.MAX_STREAMS),
        config.get(Settings.MAX_UNSENT));
  }

  /** What HTTP is encrypted with; null: nothing. */
  static @Nullable Tls tls(Config config) {
    Path cert = config.find(Settings.TLS_CERT);
    Path key = config.find(Settings.TLS_KEY);
    return cert == null || key == null ? null : new Tls(cert, key);
  }

  static GrpcLimits grpcLimits(Config config) {
    return new GrpcLimits(
        config.get(Settings.MAX_COUNT),
        config.get(Settings.MAX_RUNS_COUNT),
        config.get(Settings.MAX_BODY),
        config.get(Settings.MAX_UNSENT));
  }

  static RespLimits respLimits(Config config) {
    return new RespLimits(
        config.get(Settings.MAX_COUNT),
        config.get(Settings.RESP_MAX_PIPELINE),
        config.get(Settings.RESP_MAX_REQUEST),
        ms(config, Settings.RESP_REQUEST_TIMEOUT),
        ms(config, Settings.RESP_IDLE_TIMEOUT),
        config.get(Settings.RESP_MAX_CONNECTIONS),
        config.get(Settings.RESP_MAX_UNSENT));
  }

  /** Who may call, as of now: the file is read again at the next start. */
  static Callers callers(Config config) {
    Path file = config.find(Settings.AUTH_TOKENS);
    if (file == null) {
      return Callers.OPEN;
    }
    List<String> faults = new ArrayList<>();
    Map<String, Caller> callers = new HashMap<>();
    for (TokensFile.Token token : TokensFile.read(file, faults)) {
      callers.put(token.sha256(), caller(token));
    }
    if (!faults.isEmpty()) {
      throw new StartFailure(String.join("; ", faults)); // changed since the settings were checked
    }
    return new Callers(callers);
  }

  /** Makes tags when they are asked for; null: only administrators do. */
  static @Nullable AutoTags autoTags(Config config, TagAdmin admin) {
    List<String> patterns = config.get(Settings.AUTO_CREATE);
    if (patterns.isEmpty()) {
      return null;
    }
    String engine = config.get(Settings.AUTO_CREATE_ENGINE).name();
    return new AutoTags(
        admin, patterns, EngineKind.valueOf(engine), config.get(Settings.AUTO_CREATE_MAX));
  }

  static Idempotency idempotency(Config config, IdempotencyStore store) {
    return new Idempotency(
        store,
        config.get(Settings.NAMESPACE_NAME),
        ms(config, Settings.IDEMPOTENCY_KEEP),
        config.get(Settings.IDEMPOTENCY_MAX_KEYS),
        Entropy.operatingSystem());
  }

  /** How ids are written, with the keys as of now. */
  static TagTexts texts(Config config) {
    Path file = config.find(Settings.OPAQUE_KEYS);
    if (file == null) {
      return TagTexts.PLAIN;
    }
    List<String> faults = new ArrayList<>();
    List<OpaqueKey> keys = new ArrayList<>();
    KeysFile.read(file, faults).forEach(key -> keys.add(new OpaqueKey(key.name(), key.bytes())));
    if (!faults.isEmpty()) {
      throw new StartFailure(String.join("; ", faults)); // changed since the settings were checked
    }
    return new TagTexts(new OpaqueKeys(keys)::of);
  }

  private static Caller caller(TokensFile.Token token) {
    Set<Caller.Right> rights = EnumSet.noneOf(Caller.Right.class);
    token
        .rights()
        .forEach(right -> rights.add(Caller.Right.valueOf(right.toUpperCase(Locale.ROOT))));
    return new Caller(token.name(), rights, token.tags());
  }

  static long ms(Config config, Setting<Duration> setting) {
    return config.get(setting).toMillis();
  }
}
