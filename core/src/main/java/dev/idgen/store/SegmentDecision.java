package dev.idgen.store;

import org.jspecify.annotations.Nullable;

/**
 * What the rules decided for one snapshot of a tag: the reply, and what must be written first, on
 * the condition that the row is still as it was.
 *
 * @param reply the answer for the caller
 * @param row replaces the row; null: leave it
 */
public record SegmentDecision(SegmentReply reply, @Nullable SegmentRow row) {}
