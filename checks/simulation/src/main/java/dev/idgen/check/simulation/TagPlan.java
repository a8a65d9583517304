package dev.idgen.check.simulation;

import dev.idgen.segment.SegmentOptions;
import dev.idgen.store.SegmentTerms;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * What a seed stands for: how many servers, databases and tags there are, and the kinds of fault
 * that befall them.
 *
 * <p>What idgen does not promise is left out: a database of marks that fails over never loses more
 * than {@link SegmentHost} says. The store of tags may lose whatever it has acknowledged, and tells
 * so by its identity, or by its last revision.
 */
final class TagPlan {
  static final String NAMESPACE = "sim";

  final long seed;
  final int nodes;
  final int databases;

  /** Whether one server names its databases in another order than the others. */
  final boolean swapped;

  final List<SegmentTerms> tags = new ArrayList<>(); // as of one database alone
  final SegmentOptions options;
  final boolean failovers;
  final boolean restores;
  final boolean outages;
  final boolean hangs;
  final boolean networkFaults;
  final boolean pauses;
  final boolean crashes;
  final boolean crowded; // several administrators at one tag
  final long burstMs; // mean time from one burst of calls to the next, on each node
  final long errandGapMs;
  final long faultGapMs;
  final long faultsEndMs;

  TagPlan(long seed) {
    this.seed = seed;
    SplittableRandom random = new SplittableRandom(seed * 37 + 11);
    nodes = 1 + random.nextInt(3);
    databases = 1 + random.nextInt(3);
    swapped = databases > 1 && nodes > 1 && random.nextInt(100) < 15;
    long stepMax = 2 + random.nextLong(random.nextBoolean() ? 20 : 200);
    long callMs = 200 + random.nextLong(1_800);
    options =
        new SegmentOptions(
            1 + random.nextLong(stepMax),
            1,
            stepMax,
            1 + random.nextInt(100),
            0,
            random.nextInt(5),
            200 + random.nextLong(1_800),
            callMs,
            false);
    int count = 1 + random.nextInt(3);
    for (int i = 0; i < count; i++) {
      long gap = stepMax * (1 + random.nextLong(20));
      long start = random.nextInt(1_000);
      tags.add(new SegmentTerms(NAMESPACE, "tag" + i, start, Long.MAX_VALUE, databases, 0, gap));
    }
    failovers = random.nextInt(100) < 40;
    restores = random.nextInt(100) < 40;
    outages = random.nextInt(100) < 60;
    hangs = random.nextInt(100) < 50;
    networkFaults = random.nextInt(100) < 50;
    pauses = random.nextInt(100) < 40;
    crashes = random.nextInt(100) < 60;
    crowded = random.nextInt(100) < 40;
    burstMs = 150 + random.nextLong(400);
    errandGapMs = 200 + random.nextLong(1_500);
    faultGapMs = 300 + random.nextLong(2_000);
    faultsEndMs = 8_000 + random.nextLong(12_000);
  }

  /** How long after the last fault a server may take until it knows all tags, and issues. */
  long recoveryMs() {
    return 18_000; // a question that is never answered, the next one, and five seconds
  }

  @Override
  public String toString() {
    return String.format(
        "%d nodes, %d databases%s, tags %s, %s; faults: failovers %b, restores %b, outages %b,"
            + " hangs %b, network %b, pauses %b, crashes %b, crowded %b, until %d ms",
        nodes,
        databases,
        swapped ? " (one swapped)" : "",
        tags,
        options,
        failovers,
        restores,
        outages,
        hangs,
        networkFaults,
        pauses,
        crashes,
        crowded,
        faultsEndMs);
  }
}
