package dev.idgen.check.simulation;

import dev.idgen.segment.SegmentOptions;
import dev.idgen.store.SegmentTerms;
import java.util.List;

/**
 * What a seed stands for: one tag.
 *
 * @param terms one for each database
 * @param options how engines fetch
 * @param beginMs nobody asks for its ids before this time
 * @param sequence whether its ids are in strict order over all processes
 */
record SegmentTag(
    List<SegmentTerms> terms, SegmentOptions options, long beginMs, boolean sequence) {

  /** Its terms, where the database does not matter. */
  SegmentTerms any() {
    return terms.get(0);
  }
}
