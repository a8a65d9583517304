package dev.idgen.server.service;

/**
 * What the engine of one tag holds, and what it asked of the store. A value.
 *
 * @param held ids that can be taken without the store
 * @param runwayMs how long they last at the present rate; -1: not known
 * @param fetches how often the store gave ids
 * @param fetchFailures how often it did not
 * @param passedOver ids that were left out so that others follow one another
 */
public record EngineGauges(
    long held, long runwayMs, long fetches, long fetchFailures, long passedOver) {}
