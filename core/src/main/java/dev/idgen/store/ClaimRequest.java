package dev.idgen.store;

/**
 * Asks for one worker id. A repetition after an unknown outcome is the same object, wall time
 * aside; once it was answered, the next claim bears a fresh nonce.
 *
 * @param terms what all operations have in common
 * @param owner names the process, unique among all that ever run
 * @param nonce names this claim; not 0
 * @param token the first token of the lease; not 0
 * @param firstWorkerId lowest worker id to consider
 * @param lastWorkerId highest worker id to consider, inclusive
 * @param preferredWorkerId taken when it is free; -1 for none
 * @param wallMillis the claimer's clock
 * @param maxWaitMs how far above its clock the claimer accepts the start of the lease
 * @param behind what to do when the claimer's clock is further behind
 * @param newCluster the operator swears that this namespace was never used: no first wait
 */
public record ClaimRequest(
    LeaseTerms terms,
    String owner,
    long nonce,
    long token,
    int firstWorkerId,
    int lastWorkerId,
    int preferredWorkerId,
    long wallMillis,
    long maxWaitMs,
    BehindPolicy behind,
    boolean newCluster) {

  /** Widest range of worker ids: what 22 bits hold. */
  public static final int MAX_WORKER_IDS = 1 << 22;

  /** Refuses what no claim can mean. */
  public ClaimRequest {
    if (owner.isEmpty() || owner.length() > 255) {
      throw new IllegalArgumentException(
          "owner: " + owner.length() + " characters (expected: 1..255)");
    }
    if (nonce == 0 || token == 0) {
      throw new IllegalArgumentException("nonce, token: 0 (expected: not 0)");
    }
    if (firstWorkerId < 0 || lastWorkerId < firstWorkerId) {
      throw new IllegalArgumentException(
          "worker ids: " + firstWorkerId + ".." + lastWorkerId + " (expected: 0 <= first <= last)");
    }
    if (lastWorkerId - firstWorkerId >= MAX_WORKER_IDS) {
      throw new IllegalArgumentException(
          "worker ids: "
              + firstWorkerId
              + ".."
              + lastWorkerId
              + " (expected: at most "
              + MAX_WORKER_IDS
              + ")");
    }
  }

  /** Whether only one worker id will do. */
  public boolean fixed() {
    return firstWorkerId == lastWorkerId;
  }

  /** The same claim, repeated at another time. */
  public ClaimRequest at(long newWallMillis) {
    return new ClaimRequest(
        terms,
        owner,
        nonce,
        token,
        firstWorkerId,
        lastWorkerId,
        preferredWorkerId,
        newWallMillis,
        maxWaitMs,
        behind,
        newCluster);
  }
}
