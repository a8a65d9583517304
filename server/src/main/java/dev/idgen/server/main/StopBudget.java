package dev.idgen.server.main;

import dev.idgen.time.TimeSource;

/**
 * The time that a stop may take in all, handed out in shares: a step that takes longer than its
 * share leaves less to those behind it, and never nothing. Used by one thread.
 */
final class StopBudget {
  private static final long NANOS = 1_000_000;

  /** What the last step gets at least: enough for a disk or a network that works. */
  private static final long LEAST_MS = 50;

  private final TimeSource time;
  private final long endNanos;

  /** A budget that begins to run now. */
  StopBudget(TimeSource time, long wholeMs) {
    this.time = time;
    this.endNanos = time.monotonicNanos() + wholeMs * NANOS;
  }

  /**
   * A share of what is left.
   *
   * @param steps that share it, this one included: 1 or more
   * @return milliseconds, 50 or more
   */
  long shareMs(int steps) {
    long left = (endNanos - time.monotonicNanos()) / NANOS;
    return Math.max(LEAST_MS, left / steps);
  }
}
