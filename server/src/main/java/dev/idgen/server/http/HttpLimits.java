package dev.idgen.server.http;

/**
 * What a client may ask for, and how long it may take.
 *
 * @param maxCount most ids of a batch as a list
 * @param maxRunsCount most ids of a batch as runs
 * @param maxListCount most ids of {@code GET /api/ids}
 * @param maxBodyBytes largest request body
 * @param maxHeaderBytes largest sum of header fields
 * @param headerTimeoutMs for the head of a request, from its first byte
 * @param requestTimeoutMs for a whole request, and for a reply to be fetched
 * @param idleTimeoutMs for a connection without a request
 * @param maxConnections at a time, over all event loops
 * @param maxStreams requests at a time on one connection of HTTP/2
 * @param maxUnsentBytes of replies not fetched yet, over all event loops
 */
public record HttpLimits(
    int maxCount,
    int maxRunsCount,
    int maxListCount,
    int maxBodyBytes,
    int maxHeaderBytes,
    long headerTimeoutMs,
    long requestTimeoutMs,
    long idleTimeoutMs,
    int maxConnections,
    int maxStreams,
    int maxUnsentBytes) {}
