package dev.idgen.snowflake;

import java.util.List;

/**
 * What a keeper holds, and what it is waiting for. A value.
 *
 * @param workerIds held now, in the order of their claims
 * @param horizonMillis lowest horizon of them, in milliseconds since 1970; 0 without any
 * @param offsetMs this node's clock minus the store's at the last answer
 * @param renewFailures how many renewals failed since the start
 * @param claimFailures how many claims failed since the start
 * @param problem what the store said last, if it was no; empty: nothing is wrong
 */
public record KeeperStatus(
    List<Integer> workerIds,
    long horizonMillis,
    long offsetMs,
    long renewFailures,
    long claimFailures,
    String problem) {

  /** Copies the list. */
  public KeeperStatus {
    workerIds = List.copyOf(workerIds);
  }
}
