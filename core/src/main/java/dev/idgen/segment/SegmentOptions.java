package dev.idgen.segment;

/**
 * How a segment engine fetches. A value; start from {@link #defaults} and change what differs.
 *
 * @param step ids of the first fetch, stepMin..stepMax
 * @param stepMin fewest ids of a fetch, 1 or more
 * @param stepMax most ids of a fetch
 * @param prefetchPercent used share of a segment at which the next one is fetched, 1..100
 * @param runwayMs time that the ids held must last at the present rate, 0 (off)..600000
 * @param maxRetry failed fetches in a row after which those who wait are refused, 0..100
 * @param waitMs how long a take may wait for a fetch, 0..60000
 * @param callMs how long the store may take to answer before its answer counts as lost, 1..60000
 * @param critical whether the tag may try a store that has just failed, before others may
 */
public record SegmentOptions(
    long step,
    long stepMin,
    long stepMax,
    int prefetchPercent,
    long runwayMs,
    int maxRetry,
    long waitMs,
    long callMs,
    boolean critical) {

  /** Refuses what no engine can keep. */
  public SegmentOptions {
    require("stepMin", stepMin, 1, Long.MAX_VALUE / 4);
    require("stepMax", stepMax, stepMin, Long.MAX_VALUE / 4);
    require("step", step, stepMin, stepMax);
    require("prefetchPercent", prefetchPercent, 1, 100);
    require("runwayMs", runwayMs, 0, 600_000);
    require("maxRetry", maxRetry, 0, 100);
    require("waitMs", waitMs, 0, 60_000);
    require("callMs", callMs, 1, 60_000);
  }

  /** Steps of 10,000, between 100 and 1,000,000; the next segment at 80 %; waits of 2 s. */
  public static SegmentOptions defaults() {
    return new SegmentOptions(10_000, 100, 1_000_000, 80, 0, 3, 2_000, 2_000, false);
  }

  /** The same with other steps. */
  public SegmentOptions withSteps(long first, long min, long max) {
    return new SegmentOptions(
        first, min, max, prefetchPercent, runwayMs, maxRetry, waitMs, callMs, critical);
  }

  /** The same with another time to fetch the next segment. */
  public SegmentOptions withPrefetch(int percent, long runwayMillis) {
    return new SegmentOptions(
        step, stepMin, stepMax, percent, runwayMillis, maxRetry, waitMs, callMs, critical);
  }

  /** The same with other limits. */
  public SegmentOptions withLimits(int retries, long waitMillis, long callMillis) {
    return new SegmentOptions(
        step,
        stepMin,
        stepMax,
        prefetchPercent,
        runwayMs,
        retries,
        waitMillis,
        callMillis,
        critical);
  }

  /** The same for a tag that may try a store that has just failed. */
  public SegmentOptions withCritical(boolean may) {
    return new SegmentOptions(
        step, stepMin, stepMax, prefetchPercent, runwayMs, maxRetry, waitMs, callMs, may);
  }

  private static void require(String name, long value, long min, long max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(
          name + ": " + value + " (expected: " + min + ".." + max + ")");
    }
  }
}
