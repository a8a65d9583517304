package dev.idgen.segment;

/**
 * What a segment engine holds. A value.
 *
 * @param held ids that can be taken without the store
 * @param step ids of the next fetch
 * @param runwayMs how long the ids held last at the rate of the present segment; -1: unknown
 * @param waiting takes that wait for a fetch
 * @param problem why the last fetch failed; empty: it did not
 */
public record SegmentStatus(long held, long step, long runwayMs, int waiting, String problem) {}
