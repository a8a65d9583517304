package dev.idgen.checks.jmh;

import java.util.concurrent.atomic.AtomicLongArray;

/** Counts durations in buckets an eighth of a power of two wide. Thread-safe. */
final class Latencies {
  private static final int STEPS = 8;
  private static final int STEP_BITS = 3;

  private final AtomicLongArray counts = new AtomicLongArray(Long.SIZE * STEPS);

  void add(long nanos) {
    counts.incrementAndGet(bucket(Math.max(STEPS, nanos)));
  }

  private static int bucket(long nanos) {
    int power = Long.SIZE - 1 - Long.numberOfLeadingZeros(nanos);
    int step = (int) (nanos >>> (power - STEP_BITS)) & (STEPS - 1);
    return power * STEPS + step;
  }

  void clear() {
    for (int i = 0; i < counts.length(); i++) {
      counts.set(i, 0);
    }
  }

  /** The upper end of the bucket that this share of all durations does not exceed; 0 of none. */
  long percentile(double share) {
    long all = 0;
    for (int i = 0; i < counts.length(); i++) {
      all += counts.get(i);
    }
    long below = 0;
    for (int i = 0; i < counts.length(); i++) {
      below += counts.get(i);
      if (all > 0 && below >= share * all) {
        return upperEnd(i);
      }
    }
    return 0;
  }

  private static long upperEnd(int bucket) {
    int power = bucket / STEPS;
    return (long) (STEPS + bucket % STEPS + 1) << (power - STEP_BITS);
  }
}
