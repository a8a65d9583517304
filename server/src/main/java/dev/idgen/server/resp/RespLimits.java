package dev.idgen.server.resp;

/**
 * What a client may send, and how long it may take.
 *
 * @param maxCount most ids of one {@code ID.NEXT}
 * @param maxPipeline most commands of one connection that wait for their replies
 * @param maxRequestBytes largest command
 * @param requestTimeoutMs for a whole command, from its first byte; for replies to be fetched; and
 *     for a new connection to say who it is, where that is asked for
 * @param idleTimeoutMs for a connection without a command
 * @param maxConnections at a time, over all event loops
 * @param maxUnsentBytes of large replies not fetched yet, over all event loops
 */
public record RespLimits(
    int maxCount,
    int maxPipeline,
    int maxRequestBytes,
    long requestTimeoutMs,
    long idleTimeoutMs,
    int maxConnections,
    int maxUnsentBytes) {}
