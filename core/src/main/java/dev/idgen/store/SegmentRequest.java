package dev.idgen.store;

/**
 * Asks for ids of a tag. A value.
 *
 * @param terms of the tag
 * @param count how many, 1 or more
 * @param mark the highest id that the caller knows to be used, or -1: a store that does not know of
 *     it has lost writes
 */
public record SegmentRequest(SegmentTerms terms, long count, long mark) {

  /** Refuses a request for nothing. */
  public SegmentRequest {
    if (count < 1) {
      throw new IllegalArgumentException("count: " + count + " (expected: >= 1)");
    }
    if (mark < -1) {
      throw new IllegalArgumentException("mark: " + mark + " (expected: >= -1)");
    }
  }
}
