package dev.idgen.check.simulation;

import java.util.Locale;

/** A hash over everything that happened, and the last of it in words. */
final class Trace {
  private static final int KEPT = 64;
  private static final long PRIME = 0x9E3779B97F4A7C15L;

  private final long[] at = new long[KEPT];
  private final String[] what = new String[KEPT];
  private final int[] process = new int[KEPT];
  private final long[] a = new long[KEPT];
  private final long[] b = new long[KEPT];
  private long count;
  private long hash = 1;

  void add(long nanos, int who, String kind, long first, long second) {
    int i = (int) (count++ % KEPT);
    at[i] = nanos;
    what[i] = kind;
    process[i] = who;
    a[i] = first;
    b[i] = second;
    mix(nanos);
    mix(who);
    mix(kind.hashCode());
    mix(first);
    mix(second);
  }

  private void mix(long value) {
    hash = Long.rotateLeft((hash ^ value) * PRIME, 29);
  }

  long hash() {
    return hash;
  }

  long count() {
    return count;
  }

  /** The last events, oldest first, one a line. */
  String last() {
    StringBuilder lines = new StringBuilder();
    for (long n = Math.max(0, count - KEPT); n < count; n++) {
      int i = (int) (n % KEPT);
      lines.append(
          String.format(
              Locale.ROOT,
              "%n  %14.6f ms  process %-4d %s %d %d",
              at[i] / 1e6,
              process[i],
              what[i],
              a[i],
              b[i]));
    }
    return lines.toString();
  }
}
