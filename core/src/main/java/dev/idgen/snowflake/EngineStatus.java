package dev.idgen.snowflake;

import java.util.List;

/**
 * What an engine is able to do at one moment. A value.
 *
 * @param reasons why it refuses; empty: ready
 * @param workerIds what it holds, ascending; empty without a lease
 * @param horizonMillis end of the lease in milliseconds since 1970, exclusive; 0 without one
 * @param rollbacks how often the clock has rolled back
 * @param leaps how often the clock has leapt forward
 */
public record EngineStatus(
    List<String> reasons, List<Integer> workerIds, long horizonMillis, long rollbacks, long leaps) {

  /** Copies what could change. */
  public EngineStatus {
    reasons = List.copyOf(reasons);
    workerIds = List.copyOf(workerIds);
  }

  /** Whether ids are issued now. */
  public boolean ready() {
    return reasons.isEmpty();
  }
}
