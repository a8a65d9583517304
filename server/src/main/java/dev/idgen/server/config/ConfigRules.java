package dev.idgen.server.config;

import dev.idgen.layout.Layout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What no setting can break alone: rules over several of them. */
final class ConfigRules {
  private final Config config;
  private final long nowMillis;
  private final List<String> faults;

  private ConfigRules(Config config, long nowMillis, List<String> faults) {
    this.config = config;
    this.nowMillis = nowMillis;
    this.faults = faults;
  }

  static void check(Config config, long nowMillis, List<String> faults) {
    ConfigRules rules = new ConfigRules(config, nowMillis, faults);
    rules.checkBind();
    rules.checkSecrets();
    rules.checkTls();
    Layout layout = rules.checkLayout();
    if (layout != null) {
      rules.checkRegion(layout);
      rules.checkWorker(layout);
      rules.checkWorkers(layout);
    }
    rules.checkLease();
    rules.checkStores();
    rules.checkSteps();
    rules.checkTimeouts();
  }

  private void checkBind() {
    String bind = config.get(Settings.BIND);
    boolean guarded = config.get(Settings.INSECURE) || config.find(Settings.AUTH_TOKENS) != null;
    if (!isLoopback(bind) && !guarded) {
      faults.add(
          "bind: "
              + bind
              + " (expected: a loopback address, since callers are not authenticated;"
              + " --auth-tokens or --insecure allow others)");
    }
  }

  private void checkSecrets() {
    Path file = config.find(Settings.AUTH_TOKENS);
    if (file != null) {
      var unused = TokensFile.read(file, faults);
    }
    Path keys = config.find(Settings.OPAQUE_KEYS);
    if (keys != null) {
      var unused = KeysFile.read(keys, faults);
    }
  }

  private void checkTls() {
    Path cert = config.find(Settings.TLS_CERT);
    Path key = config.find(Settings.TLS_KEY);
    if ((cert == null) != (key == null)) {
      faults.add(
          cert == null
              ? "http.tls-cert: absent (expected: given together with http.tls-key)"
              : "http.tls-key: absent (expected: given together with http.tls-cert)");
    }
    checkReadable("http.tls-cert", cert);
    checkReadable("http.tls-key", key);
  }

  private void checkReadable(String name, @Nullable Path file) {
    if (file != null && !Files.isReadable(file)) {
      faults.add(name + ": " + file + " (expected: a file that can be read)");
    }
  }

  /** By the text alone: a name that resolves to loopback now may not do so later. */
  private static boolean isLoopback(String bind) {
    return bind.equals("localhost") || bind.equals("::1") || bind.matches("127(\\.\\d{1,3}){3}");
  }

  private @Nullable Layout checkLayout() {
    try {
      return LayoutSettings.of(config)
          .checkedForStart(nowMillis, config.get(Settings.MIN_YEARS_LEFT));
    } catch (IllegalArgumentException e) {
      faults.add("snowflake: " + e.getMessage());
      return null;
    }
  }

  private void checkRegion(Layout layout) {
    Integer region = config.find(Settings.REGION);
    Integer regions = config.find(Settings.REGIONS);
    int regionBits = layout.regionBits();
    if (region == null && regions == null) {
      return;
    }
    if (region == null || regions == null) {
      faults.add(
          region == null
              ? "region: absent (expected: given together with regions)"
              : "regions: absent (expected: given together with region)");
      return;
    }
    if (region >= regions) {
      faults.add("region: " + region + " (expected: 0.." + (regions - 1) + ")");
    }
    if (regions > 1 << regionBits) {
      faults.add(
          "regions: "
              + regions
              + " (expected: 1.."
              + (1 << regionBits)
              + ", as snowflake.region-bits is "
              + regionBits
              + ")");
    }
  }

  private void checkWorkers(Layout layout) {
    int workers = config.get(Settings.WORKERS);
    if (workers > 1 && !layout.workersOrdered()) {
      faults.add(
          "snowflake.workers: "
              + workers
              + " (expected: 1, since ids of layout "
              + layout.name()
              + " do not rise over several worker ids)");
    }
  }

  private void checkWorker(Layout layout) {
    Integer worker = config.find(Settings.WORKER);
    if (worker == null) {
      return;
    }
    Workers range = Workers.of(config, layout);
    if (worker < range.first() || worker >= range.endExclusive()) {
      faults.add(
          "worker: "
              + worker
              + " (expected: "
              + range.first()
              + ".."
              + (range.endExclusive() - 1)
              + ")");
    }
    if (config.get(Settings.WORKERS) > 1) {
      faults.add(
          "snowflake.workers: "
              + config.get(Settings.WORKERS)
              + " (expected: 1, as worker is fixed to "
              + worker
              + ")");
    }
  }

  private void checkLease() {
    Duration window = config.get(Settings.LEASE_WINDOW);
    Duration every = config.get(Settings.LEASE_RENEW_EVERY);
    Duration skew = config.get(Settings.CLOCK_MAX_SKEW);
    Duration reuse = config.get(Settings.LEASE_REUSE_DELAY);
    if (every.multipliedBy(2).compareTo(window) > 0) {
      faults.add(
          "lease.renew-every: "
              + ValueType.show(every)
              + " (expected: at most "
              + ValueType.show(window.dividedBy(2))
              + ", half of lease.window)");
    }
    if (reuse.compareTo(skew.multipliedBy(2)) < 0) {
      faults.add(
          "lease.reuse-delay: "
              + ValueType.show(reuse)
              + " (expected: at least "
              + ValueType.show(skew.multipliedBy(2))
              + ", twice snowflake.clock-max-skew)");
    }
  }

  private void checkStores() {
    StoreUrl store = config.get(Settings.STORE);
    if (store.kind() == StoreUrl.Kind.ZOOKEEPER) {
      faults.add(
          "store: zookeeper (expected: another kind; ZooKeeper keeps leases alone and goes to"
              + " workers-store)");
    }
    List<StoreUrl> segments = config.find(Settings.SEGMENT_STORES);
    if (segments == null) {
      return;
    }
    for (StoreUrl url : segments) {
      if (!url.kind().keepsTags()) {
        faults.add(
            "segment.stores: "
                + url
                + " (expected: sqlite:.., postgres://.., mariadb://.., mysql://.. or etcd://..)");
      }
    }
    if (Set.copyOf(segments).size() < segments.size()) {
      faults.add("segment.stores: one given twice (expected: each once)");
    }
    if (!store.kind().keepsTags()) {
      faults.add(
          "store: " + store.word() + " (expected: one that keeps tags, as segment.stores is set)");
    }
  }

  private void checkSteps() {
    long step = config.get(Settings.SEGMENT_STEP);
    long min = config.get(Settings.SEGMENT_STEP_MIN);
    long max = config.get(Settings.SEGMENT_STEP_MAX);
    if (step < min || step > max) {
      faults.add(
          "segment.step: "
              + step
              + " (expected: "
              + min
              + ".."
              + max
              + ", segment.step-min to segment.step-max)");
    }
  }

  private void checkTimeouts() {
    Duration head = config.get(Settings.HEADER_TIMEOUT);
    Duration whole = config.get(Settings.REQUEST_TIMEOUT);
    if (head.compareTo(whole) > 0) {
      faults.add(
          "http.header-timeout: "
              + ValueType.show(head)
              + " (expected: at most "
              + ValueType.show(whole)
              + ", http.request-timeout)");
    }
  }
}
