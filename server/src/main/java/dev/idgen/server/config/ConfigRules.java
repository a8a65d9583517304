package dev.idgen.server.config;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What no setting can break alone: rules over several of them. */
final class ConfigRules {
  private final Config config;
  private final List<String> faults;

  private ConfigRules(Config config, List<String> faults) {
    this.config = config;
    this.faults = faults;
  }

  static void check(Config config, List<String> faults) {
    ConfigRules rules = new ConfigRules(config, faults);
    rules.checkBind();
    rules.checkLayout();
    rules.checkRegion();
    rules.checkWorker();
    rules.checkLease();
    rules.checkTimeouts();
  }

  private void checkBind() {
    String bind = config.get(Settings.BIND);
    if (!isLoopback(bind) && !config.get(Settings.INSECURE)) {
      faults.add(
          "bind: "
              + bind
              + " (expected: a loopback address, since callers are not authenticated;"
              + " --insecure allows others)");
    }
  }

  /** By the text alone: a name that resolves to loopback now may not do so later. */
  private static boolean isLoopback(String bind) {
    return bind.equals("localhost") || bind.equals("::1") || bind.matches("127(\\.\\d{1,3}){3}");
  }

  private void checkLayout() {
    String layout = config.get(Settings.LAYOUT_NAME);
    List<Integer> bits = LayoutBits.parse(layout);
    if (bits == null) {
      faults.add("snowflake.layout: " + layout + " (expected: " + layoutRange() + ")");
      return;
    }
    agree(Settings.WORKER_BITS, bits.get(1), layout);
    agree(Settings.SEQUENCE_BITS, bits.get(2), layout);
    if (config.get(Settings.REGION_BITS) >= bits.get(1) && config.get(Settings.REGION_BITS) > 0) {
      faults.add(
          "snowflake.region-bits: "
              + config.get(Settings.REGION_BITS)
              + " (expected: less than the "
              + bits.get(1)
              + " bits of the worker id)");
    }
  }

  private static String layoutRange() {
    return Settings.LAYOUT_NAME.type().range();
  }

  private void agree(Setting<Integer> bits, int inLayout, String layout) {
    Integer value = config.find(bits);
    if (value != null && value != inLayout) {
      faults.add(
          bits.key()
              + ": "
              + value
              + " (expected: "
              + inLayout
              + ", as in snowflake.layout: "
              + layout
              + ")");
    }
  }

  private void checkRegion() {
    Integer region = config.find(Settings.REGION);
    Integer regions = config.find(Settings.REGIONS);
    int regionBits = config.get(Settings.REGION_BITS);
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

  private void checkWorker() {
    Integer worker = config.find(Settings.WORKER);
    List<Integer> bits = LayoutBits.parse(config.get(Settings.LAYOUT_NAME));
    if (worker == null || bits == null) {
      return;
    }
    long ids = 1L << bits.get(1);
    long first = firstWorker(ids);
    long endExclusive = config.find(Settings.REGION) == null ? ids : first + ids / regionCells();
    if (worker < first || worker >= endExclusive) {
      faults.add("worker: " + worker + " (expected: " + first + ".." + (endExclusive - 1) + ")");
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

  private long firstWorker(long ids) {
    @Nullable Integer region = config.find(Settings.REGION);
    return region == null ? 0 : region * (ids / regionCells());
  }

  private long regionCells() {
    return 1L << config.get(Settings.REGION_BITS);
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
