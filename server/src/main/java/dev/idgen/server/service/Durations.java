package dev.idgen.server.service;

import java.util.concurrent.atomic.LongAdder;

/** How long requests took, in buckets. Thread-safe; takes no lock. */
public final class Durations {
  /**
   * Upper ends of the buckets, inclusive, in nanoseconds; beyond the last one there is one more.
   */
  private static final long[] ENDS = {
    50_000,
    100_000,
    250_000,
    500_000,
    1_000_000,
    2_500_000,
    5_000_000,
    10_000_000,
    25_000_000,
    50_000_000,
    100_000_000,
    250_000_000,
    500_000_000,
    1_000_000_000,
    2_500_000_000L,
    5_000_000_000L
  };

  private final LongAdder[] buckets = new LongAdder[ENDS.length + 1];
  private final LongAdder sumNanos = new LongAdder();

  /** None yet. */
  public Durations() {
    for (int i = 0; i < buckets.length; i++) {
      buckets[i] = new LongAdder();
    }
  }

  /** One more. */
  public void add(long nanos) {
    addFor(nanos, 1);
  }

  /**
   * One more, whose time stands for so many in the sum.
   *
   * @param many of them, with those that are told by {@link #addShort}; 1 or more
   */
  void addFor(long nanos, int many) {
    int i = 0;
    while (i < ENDS.length && nanos > ENDS[i]) {
      i++;
    }
    buckets[i].increment();
    sumNanos.add(nanos * many);
  }

  /** One more that took the shortest time, and was not measured. */
  void addShort() {
    buckets[0].increment();
  }

  /** Upper ends of the buckets but the last, which has none, in nanoseconds. */
  public static long[] endsNanos() {
    return ENDS.clone();
  }

  /** How many there are in each bucket. */
  public long[] counts() {
    long[] counts = new long[buckets.length];
    for (int i = 0; i < counts.length; i++) {
      counts[i] = buckets[i].sum();
    }
    return counts;
  }

  /** All together. */
  public long sumNanos() {
    return sumNanos.sum();
  }
}
