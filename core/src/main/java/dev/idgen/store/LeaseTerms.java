package dev.idgen.store;

/**
 * What all operations of one process on one namespace have in common.
 *
 * @param namespace 1..64 of {@code A-Za-z0-9._-}
 * @param layout {@code Layout.describe()}: the same for the whole namespace
 * @param windowMs how far ahead of the clock a horizon is set, 1 or more
 * @param reuseDelayMs how long after its horizon a worker id of a dead owner stays unused, twice
 *     the skew or more
 * @param maxSkewMs how far two healthy clocks may lie apart, 0 or more
 */
public record LeaseTerms(
    String namespace, String layout, long windowMs, long reuseDelayMs, long maxSkewMs) {

  /** Longest window, reuse delay and skew: sums of them and a timestamp never overflow. */
  public static final long MAX_MS = 366L * 24 * 3600 * 1000;

  private static final int MAX_NAME = 64;

  /** Refuses terms that the proof does not cover. */
  public LeaseTerms {
    if (!namespace.matches("[A-Za-z0-9][A-Za-z0-9._-]{0," + (MAX_NAME - 1) + "}")) {
      throw new IllegalArgumentException(
          "namespace: "
              + namespace
              + " (expected: 1..64 of A-Za-z0-9._-, the first a letter or digit)");
    }
    requireRange("windowMs", windowMs, 1);
    requireRange("maxSkewMs", maxSkewMs, 0);
    requireRange("reuseDelayMs", reuseDelayMs, 2 * maxSkewMs);
  }

  /**
   * How long claims rest after a change of identity, a fence, or the first sight of a namespace.
   */
  public long floorDelayMs() {
    return windowMs + 3 * maxSkewMs;
  }

  private static void requireRange(String name, long value, long min) {
    if (value < min || value > MAX_MS) {
      throw new IllegalArgumentException(
          name + ": " + value + " (expected: " + min + ".." + MAX_MS + ")");
    }
  }
}
