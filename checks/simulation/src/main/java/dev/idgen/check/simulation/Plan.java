package dev.idgen.check.simulation;

import dev.idgen.layout.Layout;
import dev.idgen.snowflake.ClockMode;
import dev.idgen.snowflake.EngineOptions;
import dev.idgen.snowflake.KeeperOptions;
import dev.idgen.snowflake.RollbackPolicy;
import dev.idgen.snowflake.SequenceStart;
import dev.idgen.store.LeaseTerms;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * What a seed stands for: the cluster's shape and the kinds of fault that befall it.
 *
 * <p>What idgen does not promise is left out: where a store loses acknowledged writes, its clock is
 * healthy, since the floor for new claims is measured by it.
 */
final class Plan {
  static final String NAMESPACE = "sim";

  private static final String[] LAYOUTS = {
    "41/10/12", "52/9/2", "52/8/3", "51/7/5", "52/11/0", "time49/sequence4/worker10"
  };
  private static final long[] WINDOWS = {1_000, 2_000, 3_000, 3_000, 6_000, 60_000};

  final long seed;
  final boolean embedded;
  final Layout layout;
  final LeaseTerms terms;
  final long renewMs;
  final long callMs;
  final int lastWorkerId;
  final int workers;
  final boolean fixed;
  final boolean newCluster;
  final List<EngineOptions> engines = new ArrayList<>(); // one per node
  final boolean clockFaults;
  final boolean storeClockFaults;
  final boolean failovers;
  final boolean networkFaults;
  final boolean pauses;
  final boolean crashes;
  final boolean admin;
  final long faultGapMs;
  final long faultsEndMs;
  final double burstsPerWindow;

  Plan(long seed) {
    this.seed = seed;
    SplittableRandom random = new SplittableRandom(seed * 31 + 17);
    embedded = random.nextInt(100) < 35;
    long windowMs = WINDOWS[random.nextInt(WINDOWS.length)];
    layout = layout(random, windowMs);
    long skewMs = 1 + random.nextLong(Math.min(1_000, windowMs / 3));
    long reuseMs = 2 * skewMs + random.nextLong(windowMs);
    terms = new LeaseTerms(NAMESPACE, layout.describe(), windowMs, reuseMs, skewMs);
    renewMs = Math.max(1, windowMs / (3 + random.nextInt(6)));
    callMs = Math.max(20, windowMs / (4 + random.nextInt(20)));
    int nodes = 1 + random.nextInt(6);
    fixed = random.nextInt(100) < 15;
    workers = fixed || layout.name().startsWith("time") ? 1 : 1 + random.nextInt(3);
    lastWorkerId =
        random.nextInt(100) < 20 ? Math.max(nodes * workers - 1, 1) + random.nextInt(2) : 63;
    newCluster = random.nextInt(3) > 0;
    for (int i = 0; i < nodes; i++) {
      engines.add(engine(random, skewMs).withLayout(layout));
    }
    failovers = !embedded && random.nextInt(100) < 35;
    storeClockFaults = !embedded && !failovers && random.nextInt(100) < 40;
    clockFaults = random.nextInt(100) < 60;
    networkFaults = random.nextInt(100) < 70;
    pauses = random.nextInt(100) < 70;
    crashes = random.nextInt(100) < 85;
    admin = random.nextInt(100) < 30;
    faultGapMs = windowMs / 4 + random.nextLong(windowMs);
    faultsEndMs = windowMs * (8 + random.nextInt(16));
    burstsPerWindow = 3 + random.nextInt(15);
  }

  private static Layout layout(SplittableRandom random, long windowMs) {
    String fields = LAYOUTS[random.nextInt(LAYOUTS.length)];
    int chance = random.nextInt(100);
    long tickMs = chance < 70 || windowMs < 3_000 ? 1 : chance < 90 ? 10 : 1000;
    return Layout.builder().fields(fields).tickMillis(tickMs).build();
  }

  private static EngineOptions engine(SplittableRandom random, long skewMs) {
    RollbackPolicy[] policies = RollbackPolicy.values();
    RollbackPolicy policy = policies[random.nextInt(policies.length)];
    return EngineOptions.defaults()
        .withRollback(policy, random.nextInt(4) == 0 ? random.nextInt(1000) : 10)
        .withMaxSkewMs(skewMs)
        .withClock(random.nextBoolean() ? ClockMode.PRECISE : ClockMode.CACHED)
        .withSequenceStart(random.nextBoolean() ? SequenceStart.ZERO : SequenceStart.SPREAD)
        .withWaitMs(random.nextInt(3_000));
  }

  KeeperOptions keeper(int node) {
    int first = fixed ? node : 0;
    int last = fixed ? node : lastWorkerId;
    return new KeeperOptions(terms, renewMs, first, last, -1, workers, newCluster, callMs);
  }

  /** Clocks are healthy throughout, so what an id says of its time must be true. */
  boolean calm() {
    return !clockFaults && !storeClockFaults;
  }

  /** How far a healthy clock may be from the truth: two of them are one skew apart at most. */
  long healthyOffset(SplittableRandom random) {
    long half = embedded ? 0 : terms.maxSkewMs() / 2;
    return half == 0 ? 0 : random.nextLong(-half, half + 1);
  }

  /** From one burst of calls to the next. */
  double meanNanos() {
    return (double) (terms.windowMs() * World.MILLI) / burstsPerWindow;
  }

  /** How long after the last fault a cluster may take until all that can issue does. */
  long recoveryMs() {
    return 3 * terms.windowMs()
        + terms.reuseDelayMs()
        + 8 * terms.maxSkewMs()
        + 6 * callMs * workers
        + 3_000
        + 2 * layout.tickMillis();
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    text.append("seed ").append(seed).append(embedded ? ", embedded" : ", shared");
    text.append(", layout ").append(layout.name()).append(" tick ").append(layout.tickMillis());
    text.append(", ").append(terms).append(", renew ").append(renewMs).append(", call ");
    text.append(callMs).append(", workers ").append(workers).append(fixed ? " fixed" : "");
    text.append(", last worker ").append(lastWorkerId);
    text.append(newCluster ? ", new cluster" : "").append(", faults:");
    text.append(clockFaults ? " clocks" : "").append(storeClockFaults ? " store-clock" : "");
    text.append(failovers ? " failovers" : "").append(networkFaults ? " network" : "");
    text.append(pauses ? " pauses" : "").append(crashes ? " crashes" : "");
    text.append(admin ? " admin" : "").append(" every ").append(faultGapMs).append(" ms until ");
    text.append(faultsEndMs).append(" ms");
    for (int i = 0; i < engines.size(); i++) {
      EngineOptions e = engines.get(i);
      text.append(String.format("%n  node %d: ", i)).append(e.rollbackPolicy());
      text.append(" wait ").append(e.rollbackWaitMs()).append(", ").append(e.clock());
      text.append(", ").append(e.sequenceStart());
    }
    return text.toString();
  }
}
