package dev.idgen.snowflake;

import dev.idgen.layout.Layout;
import dev.idgen.layout.Layouts;

/**
 * How an engine behaves. A value; start from {@link #defaults} and change what differs.
 *
 * @param layout bits, tick and epoch of the ids
 * @param rollbackPolicy what to do past {@code rollbackWaitMs}
 * @param rollbackWaitMs a rollback of at most this is waited out, 0..60000
 * @param maxSkewMs a leap of the wall clock past this needs confirming, 1..3600000
 * @param clock how the wall clock is read
 * @param sequenceStart where the sequence of a new tick begins
 * @param waitMs how long a take may wait for its turn, 0..60000
 */
public record EngineOptions(
    Layout layout,
    RollbackPolicy rollbackPolicy,
    long rollbackWaitMs,
    long maxSkewMs,
    ClockMode clock,
    SequenceStart sequenceStart,
    long waitMs) {

  /** Refuses what the engine cannot keep. */
  public EngineOptions {
    if (!layout.issuable()) {
      throw new IllegalArgumentException(
          "layout: " + layout.describe() + " (expected: one that leaves the sign bit 0)");
    }
    require("rollbackWaitMs", rollbackWaitMs, 0, 60_000);
    require("maxSkewMs", maxSkewMs, 1, 3_600_000);
    require("waitMs", waitMs, 0, 60_000);
  }

  /**
   * Layout 41/10/12 from 2024 on, rollbacks of 10 ms waited out, a skew of 1 s, precise clock,
   * waits of 2 s.
   */
  public static EngineOptions defaults() {
    return new EngineOptions(
        Layouts.IDGEN,
        RollbackPolicy.REFUSE,
        10,
        1_000,
        ClockMode.PRECISE,
        SequenceStart.ZERO,
        2_000);
  }

  /** The same with another layout. */
  public EngineOptions withLayout(Layout other) {
    return new EngineOptions(
        other, rollbackPolicy, rollbackWaitMs, maxSkewMs, clock, sequenceStart, waitMs);
  }

  /** The same with another policy and wait for rollbacks. */
  public EngineOptions withRollback(RollbackPolicy policy, long waitOutMs) {
    return new EngineOptions(layout, policy, waitOutMs, maxSkewMs, clock, sequenceStart, waitMs);
  }

  /** The same with another skew. */
  public EngineOptions withMaxSkewMs(long millis) {
    return new EngineOptions(
        layout, rollbackPolicy, rollbackWaitMs, millis, clock, sequenceStart, waitMs);
  }

  /** The same with another way of reading the clock. */
  public EngineOptions withClock(ClockMode mode) {
    return new EngineOptions(
        layout, rollbackPolicy, rollbackWaitMs, maxSkewMs, mode, sequenceStart, waitMs);
  }

  /** The same with another start of the sequence. */
  public EngineOptions withSequenceStart(SequenceStart start) {
    return new EngineOptions(
        layout, rollbackPolicy, rollbackWaitMs, maxSkewMs, clock, start, waitMs);
  }

  /** The same with another longest wait of a take. */
  public EngineOptions withWaitMs(long millis) {
    return new EngineOptions(
        layout, rollbackPolicy, rollbackWaitMs, maxSkewMs, clock, sequenceStart, millis);
  }

  private static void require(String name, long value, long min, long max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(
          name + ": " + value + " (expected: " + min + ".." + max + ")");
    }
  }
}
