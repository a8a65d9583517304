package dev.idgen.layout;

import java.time.Instant;

/**
 * What one id says under one layout. A value; immutable.
 *
 * @param id the id
 * @param time start of its tick
 * @param tick ticks since the layout's epoch
 * @param worker the whole worker id, region included
 * @param region upper part of the worker id; 0 where the layout does not split it
 * @param localWorker lower part of the worker id; all of it where the layout does not split it
 * @param sequence place within the tick
 * @param version the layout's version; 0 where it has none
 */
public record IdFields(
    long id,
    Instant time,
    long tick,
    int worker,
    int region,
    int localWorker,
    long sequence,
    int version) {}
