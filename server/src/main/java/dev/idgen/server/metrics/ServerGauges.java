package dev.idgen.server.metrics;

/**
 * What the server's parts tell of themselves at one moment. A value.
 *
 * @param ready whether ids can be had
 * @param leaseHorizonMillis end of the lease, in milliseconds since 1970; 0 without one
 * @param clockOffsetMs this machine's clock minus the store's, at the last answer
 * @param rollbacks how often the clock has rolled back
 * @param leaps how often it has leapt forward
 * @param renewFailures how many renewals failed
 * @param claimFailures how many claims of a worker id failed
 * @param exhausted how many requests found their tick used up
 * @param workersUsed worker ids that are held in the namespace, or not free yet; -1: not known
 * @param workersSize worker ids that there are
 */
public record ServerGauges(
    boolean ready,
    long leaseHorizonMillis,
    long clockOffsetMs,
    long rollbacks,
    long leaps,
    long renewFailures,
    long claimFailures,
    long exhausted,
    int workersUsed,
    int workersSize) {}
