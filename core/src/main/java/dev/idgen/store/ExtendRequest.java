package dev.idgen.store;

/**
 * Raises the horizon of a lease. A repetition after an unknown outcome keeps its pair of tokens.
 *
 * @param terms what all operations have in common
 * @param workerId the worker id of the lease
 * @param generation its generation
 * @param knownToken token of the last acknowledged write
 * @param earlierToken token of the acknowledged write before that; 0 for none
 * @param newToken names this write; fresh from the operating system; not 0
 * @param wallMillis the holder's clock
 * @param agreedMillis the last store time that the holder agreed with, plus monotonic progress
 */
public record ExtendRequest(
    LeaseTerms terms,
    int workerId,
    long generation,
    long knownToken,
    long earlierToken,
    long newToken,
    long wallMillis,
    long agreedMillis) {

  /** Refuses a write without a name. */
  public ExtendRequest {
    if (newToken == 0 || knownToken == 0) {
      throw new IllegalArgumentException("newToken, knownToken: 0 (expected: not 0)");
    }
  }
}
