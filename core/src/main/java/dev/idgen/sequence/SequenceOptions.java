package dev.idgen.sequence;

/**
 * Limits of a sequence engine. A value; start from {@link #defaults} and change what differs.
 *
 * @param maxQueue how many callers may wait, 1..1000000
 * @param maxIds most ids of one call to the store that several callers share, 1 or more; what a
 *     failover can lose at once, unless one caller asks for more
 * @param maxRetry failed calls to the store in a row after which those who wait are refused, 0..100
 * @param waitMs how long a caller may wait for the store, 0..60000
 * @param callMs how long the store may take to answer before its answer counts as lost, 1..60000
 * @param critical whether the tag may try a store that has just failed, before others may
 */
public record SequenceOptions(
    int maxQueue, long maxIds, int maxRetry, long waitMs, long callMs, boolean critical) {

  /** Refuses what no engine can keep. */
  public SequenceOptions {
    require("maxQueue", maxQueue, 1, 1_000_000);
    require("maxIds", maxIds, 1, Long.MAX_VALUE / 4);
    require("maxRetry", maxRetry, 0, 100);
    require("waitMs", waitMs, 0, 60_000);
    require("callMs", callMs, 1, 60_000);
  }

  /** 10,000 callers; a million ids for those who share; three failures; waits of 2 s. */
  public static SequenceOptions defaults() {
    return new SequenceOptions(10_000, 1_000_000, 3, 2_000, 2_000, false);
  }

  /** The same with another number of callers. */
  public SequenceOptions withQueue(int callers) {
    return new SequenceOptions(callers, maxIds, maxRetry, waitMs, callMs, critical);
  }

  /** The same with another number of ids for callers that share a call to the store. */
  public SequenceOptions withMaxIds(long ids) {
    return new SequenceOptions(maxQueue, ids, maxRetry, waitMs, callMs, critical);
  }

  /** The same with other limits. */
  public SequenceOptions withLimits(int retries, long waitMillis, long callMillis) {
    return new SequenceOptions(maxQueue, maxIds, retries, waitMillis, callMillis, critical);
  }

  /** The same for a tag that may try a store that has just failed. */
  public SequenceOptions withCritical(boolean may) {
    return new SequenceOptions(maxQueue, maxIds, maxRetry, waitMs, callMs, may);
  }

  private static void require(String name, long value, long min, long max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(
          name + ": " + value + " (expected: " + min + ".." + max + ")");
    }
  }
}
