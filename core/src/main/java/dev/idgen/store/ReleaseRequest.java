package dev.idgen.store;

/**
 * Gives a lease back, after its engine was closed.
 *
 * @param terms what all operations have in common
 * @param workerId the worker id of the lease
 * @param generation its generation
 * @param knownToken token of the last acknowledged write
 * @param pendingToken token of a write whose outcome is unknown; 0 for none
 * @param endMillis end of the last tick that was reserved, exclusive; at most this much of the
 *     horizon is kept
 */
public record ReleaseRequest(
    LeaseTerms terms,
    int workerId,
    long generation,
    long knownToken,
    long pendingToken,
    long endMillis) {}
