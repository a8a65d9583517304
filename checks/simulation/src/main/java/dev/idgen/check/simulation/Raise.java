package dev.idgen.check.simulation;

import java.util.LinkedHashSet;
import java.util.Set;

/** A floor that an administrator has set in every database, on its way to all processes. */
final class Raise {
  private static final long SPREAD_MS = 5_000;

  private final SegmentTag tag;
  private final TagLedger ledger;
  private final long floor;
  private final Set<SegmentProcess> deaf; // who has not heard of it yet

  /** Tells everybody who runs now; who starts later asks a database that knows. */
  Raise(SegmentCluster cluster, SegmentTag tag, long floor) {
    this.tag = tag;
    this.ledger = cluster.ledger(tag.any().tag());
    this.floor = floor;
    this.deaf = new LinkedHashSet<>(cluster.processes());
    World world = cluster.world();
    long spread = world.scaled(1, SPREAD_MS);
    for (SegmentProcess process : cluster.processes()) {
      world.inMillis(world.random().nextLong(spread), () -> process.enter(() -> reaches(process)));
    }
    finish();
  }

  private void reaches(SegmentProcess process) {
    for (TagEngine engine : process.engines()) {
      if (engine.tag().equals(tag)) {
        engine.raiseTo(floor);
      }
    }
    ended(process);
  }

  /** A process has heard of it, or needs to no more. */
  void ended(SegmentProcess process) {
    if (deaf.remove(process)) {
      finish();
    }
  }

  private void finish() {
    if (done()) {
      ledger.raised(floor);
    }
  }

  boolean done() {
    return deaf.isEmpty();
  }
}
