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
 */
record SegmentTag(List<SegmentTerms> terms, SegmentOptions options, long beginMs) {

  /** Its terms, where the database does not matter. */
  SegmentTerms any() {
    return terms.get(0);
  }
}
