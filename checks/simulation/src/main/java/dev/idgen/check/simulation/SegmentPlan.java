package dev.idgen.check.simulation;

import dev.idgen.segment.SegmentOptions;
import dev.idgen.store.SegmentTerms;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * What a seed stands for: the shape of a cluster of segment engines and the kinds of fault that
 * befall it.
 *
 * <p>What idgen does not promise is left out, or not judged. A store that fails over never loses
 * more ids of a tag than its gap, see {@link SegmentHost}. Where one loses writes and nobody tells,
 * {@code unnoticed}, ids may come twice; only the order within each process is judged then.
 */
final class SegmentPlan {
  static final String NAMESPACE = "sim";

  private final SplittableRandom shape; // of its own: what it decides moves nothing else

  final long seed;
  final int nodes;
  final int databases;
  final List<SegmentTag> tags = new ArrayList<>();
  final long callMs;
  final boolean unnoticed;
  final boolean failovers;
  final boolean restores;
  final boolean networkFaults;
  final boolean pauses;
  final boolean crashes;
  final boolean raises;
  final boolean removals;
  final long burstMs; // mean time from one burst of calls to the next, on each node
  final long faultGapMs;
  final long faultsEndMs;

  SegmentPlan(long seed) {
    this.seed = seed;
    shape = new SplittableRandom(seed * 131 + 7);
    SplittableRandom random = new SplittableRandom(seed * 31 + 19);
    nodes = 1 + random.nextInt(4);
    databases = random.nextInt(100) < 20 ? 2 : 1;
    callMs = 50 + random.nextLong(random.nextBoolean() ? 200 : 2_000);
    faultsEndMs = 8_000 + random.nextLong(20_000);
    faultGapMs = 200 + random.nextLong(1_000);
    burstMs = 100 + random.nextLong(300);
    int count = 1 + random.nextInt(3);
    for (int i = 0; i < count; i++) {
      tags.add(tag(random, "tag" + i));
    }
    unnoticed = random.nextInt(100) < 10;
    failovers = !unnoticed && random.nextInt(100) < 45;
    restores = !unnoticed && random.nextInt(100) < 45;
    networkFaults = random.nextInt(100) < 75;
    pauses = random.nextInt(100) < 50;
    crashes = random.nextInt(100) < 75;
    raises = random.nextInt(100) < 60;
    removals = random.nextInt(100) < 15;
  }

  private SegmentTag tag(SplittableRandom random, String name) {
    long stepMax = 1 + random.nextLong(random.nextBoolean() ? 20 : 200);
    long stepMin = 1 + random.nextLong(stepMax);
    SegmentOptions options =
        new SegmentOptions(
            stepMin + random.nextLong(stepMax - stepMin + 1),
            stepMin,
            stepMax,
            1 + random.nextInt(100),
            random.nextBoolean() ? 0 : 100 + random.nextLong(4_000),
            random.nextInt(5),
            1_000,
            callMs,
            random.nextInt(3) == 0);
    long gap = random.nextInt(4) == 0 ? random.nextLong(50) : stepMax * (1 + random.nextLong(40));
    long beginMs = random.nextBoolean() ? 0 : random.nextLong(faultsEndMs);
    boolean sequence = databases == 1 && shape.nextInt(100) < 35;
    return new SegmentTag(terms(random, name, gap, stepMax), options, beginMs, sequence);
  }

  /**
   * Most tags have no end to speak of; some have one near, and of those some at the last number.
   */
  private List<SegmentTerms> terms(SplittableRandom random, String name, long gap, long stepMax) {
    int end = random.nextInt(100);
    long room = 2L * databases * (gap + stepMax * (1 + random.nextInt(50)));
    long start = end < 10 ? Long.MAX_VALUE - room : random.nextInt(1_000);
    long maximum = end < 10 || end >= 20 ? Long.MAX_VALUE : start + room;
    List<SegmentTerms> all = new ArrayList<>();
    for (int k = 0; k < databases; k++) {
      all.add(new SegmentTerms(NAMESPACE, name, start, maximum, databases, k, gap));
    }
    return all;
  }

  /** How long after the last fault an engine may take until it issues again. */
  long recoveryMs() {
    return 2 * callMs + 4_000;
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    text.append("seed ").append(seed).append(", nodes ").append(nodes);
    text.append(", databases ").append(databases).append(", faults:");
    text.append(unnoticed ? " unnoticed" : "").append(failovers ? " failovers" : "");
    text.append(restores ? " restores" : "");
    text.append(networkFaults ? " network" : "").append(pauses ? " pauses" : "");
    text.append(crashes ? " crashes" : "").append(raises ? " raises" : "");
    text.append(removals ? " removals" : "").append(" every ").append(faultGapMs);
    text.append(" ms until ").append(faultsEndMs).append(" ms, bursts every ").append(burstMs);
    for (SegmentTag tag : tags) {
      text.append(String.format("%n  from %d ms: ", tag.beginMs())).append(tag.any());
      text.append(", ").append(tag.options()).append(tag.sequence() ? ", a sequence" : "");
    }
    return text.toString();
  }
}
