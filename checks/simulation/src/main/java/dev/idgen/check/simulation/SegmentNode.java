package dev.idgen.check.simulation;

import org.jspecify.annotations.Nullable;

/** A place where one process after another runs. */
final class SegmentNode {
  private final SegmentCluster cluster;
  private final int number;
  private @Nullable SegmentProcess process;

  SegmentNode(SegmentCluster cluster, int number) {
    this.cluster = cluster;
    this.number = number;
  }

  int number() {
    return number;
  }

  /** The process that runs now, be it closed. */
  @Nullable SegmentProcess process() {
    return process;
  }

  /** The process that runs now, when it is known that there is one. */
  SegmentProcess running() {
    SegmentProcess now = process;
    if (now == null) {
      throw new IllegalStateException("node " + number + ": nothing runs (expected: a process)");
    }
    return now;
  }

  /** A process that serves runs from now on. */
  void start() {
    if (process == null || process.stopping()) {
      process = cluster.process(this);
    }
  }

  void ended(SegmentProcess which) {
    if (process == which) {
      process = null;
    }
  }
}
