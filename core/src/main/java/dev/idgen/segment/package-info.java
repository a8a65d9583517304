/**
 * Ids from leased segments: short, dense numbers for each tag, strictly increasing within a
 * process, without a clock. Start reading at {@link dev.idgen.segment.SegmentEngine}.
 *
 * <p>The server and applications call in. A segment is used only after the store has made its mark
 * durable, and never after the process has ended: what is left of it is a gap.
 */
@NullMarked
package dev.idgen.segment;

import org.jspecify.annotations.NullMarked;
