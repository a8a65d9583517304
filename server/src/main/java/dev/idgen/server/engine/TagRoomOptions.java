package dev.idgen.server.engine;

import dev.idgen.segment.SegmentOptions;
import dev.idgen.sequence.SequenceOptions;
import dev.idgen.store.TagRow;

/**
 * How the engines of tags work. A value.
 *
 * @param defaults of a new tag; its name is not looked at
 * @param regions how many regions share the ids of tags
 * @param region which of them this is
 * @param firstDatabase of the marks' databases, the one to begin with
 * @param maxCount most ids of one call
 * @param skippedSteps largest steps that are left out when the store may have lost writes
 */
public record TagRoomOptions(
    String namespace,
    TagRow defaults,
    SegmentOptions segments,
    SequenceOptions sequences,
    int regions,
    int region,
    int firstDatabase,
    int maxCount,
    int skippedSteps) {}
