package dev.idgen.server.grpc;

/**
 * What a client may ask for.
 *
 * @param maxCount most ids of a batch
 * @param maxRunsCount most ids of a reservation
 * @param maxMessageBytes largest message, before and after it is decompressed
 * @param maxUnsentBytes of replies not fetched yet, over all event loops
 */
public record GrpcLimits(int maxCount, int maxRunsCount, int maxMessageBytes, int maxUnsentBytes) {}
