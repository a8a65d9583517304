package dev.idgen.store;

/**
 * Asks for ids of a tag. A value.
 *
 * @param terms of the tag
 * @param count how many, 1 or more
 * @param mark the highest id that the caller knows this store to have given, or -1: a store that
 *     does not know of it has lost writes
 * @param above the highest id that the caller has from whatever store of the tag, or -1: the answer
 *     is to be above
 */
public record SegmentRequest(SegmentTerms terms, long count, long mark, long above) {

  /** Refuses a request for nothing. */
  public SegmentRequest {
    if (count < 1) {
      throw new IllegalArgumentException("count: " + count + " (expected: >= 1)");
    }
    if (mark < -1) {
      throw new IllegalArgumentException("mark: " + mark + " (expected: >= -1)");
    }
    if (above < mark) {
      throw new IllegalArgumentException("above: " + above + " (expected: >= mark, " + mark + ")");
    }
  }

  /** A request to the one store of a tag. */
  public SegmentRequest(SegmentTerms terms, long count, long mark) {
    this(terms, count, mark, mark);
  }
}
