package dev.idgen.snowflake;

/**
 * What the store's clock is worth, as one node sees it: the last store time that the node agreed
 * with, carried on by monotonic time.
 */
final class StoreClock {
  private static final long NANOS = 1_000_000;

  private final long maxSkewMs;
  private final boolean embedded;
  private boolean known;
  private long agreedMillis;
  private long agreedNanos;
  private long offsetMs;
  private boolean jumped;

  StoreClock(long maxSkewMs, boolean embedded) {
    this.maxSkewMs = maxSkewMs;
    this.embedded = embedded;
  }

  /** The agreed store time now; {@code wallMillis} while there is none. */
  long agreedMillis(long nanos, long wallMillis) {
    return known ? agreedMillis + (nanos - agreedNanos) / NANOS : wallMillis;
  }

  /** A lease that begins above the clock carries the agreement with it. */
  void startAbove(long millis, long nanos) {
    if (!known || agreedMillis(nanos, 0) < millis) {
      known = true;
      agreedMillis = millis;
      agreedNanos = nanos;
    }
  }

  /**
   * Takes in an answer.
   *
   * @param storeMillis the store's clock in the answer
   * @param wallMillis this node's clock when it arrived
   * @param nanos monotonic time when it arrived
   * @param tripMs how long the answer took: how much older it may be
   * @return how far the store's clock has jumped since the last agreement; 0 if it has not
   */
  long observe(long storeMillis, long wallMillis, long nanos, long tripMs) {
    offsetMs = saturated(wallMillis, storeMillis);
    long allowed = maxSkewMs + tripMs;
    long expected = agreedMillis(nanos, storeMillis);
    long moved = saturated(storeMillis, expected);
    boolean withNode = Math.abs(offsetMs) <= allowed && !(embedded && moved < -allowed);
    if (Math.abs(moved) <= allowed || withNode) {
      known = true;
      agreedMillis = storeMillis;
      agreedNanos = nanos;
      jumped = false;
      return 0;
    }
    boolean first = !jumped;
    jumped = true;
    return first ? moved : 0;
  }

  /** Node minus store at the last answer. */
  long offsetMs() {
    return offsetMs;
  }

  /** Whether the store's clock moved against this node's monotonic time, and the node's did not. */
  boolean jumped() {
    return jumped;
  }

  /** {@code a - b}, as far as a number goes. */
  static long saturated(long a, long b) {
    long difference = a - b;
    if (((a ^ b) & (a ^ difference)) < 0) {
      return a < b ? -Long.MAX_VALUE : Long.MAX_VALUE;
    }
    return Math.max(-Long.MAX_VALUE, difference);
  }
}
