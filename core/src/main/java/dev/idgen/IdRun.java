package dev.idgen;

/**
 * Ids at equal distances: {@code first}, {@code first + stride}, and so on, {@code count} of them.
 * A value; immutable.
 *
 * @param first the smallest id of the run, 0 or more
 * @param count how many ids, 1 or more
 * @param stride distance between neighbours, 1 or more
 */
public record IdRun(long first, int count, long stride) {

  /** Refuses a run that is empty, runs backwards or leaves the positive 63 bits. */
  public IdRun {
    if (first < 0) {
      throw new IllegalArgumentException("first: " + first + " (expected: >= 0)");
    }
    if (count < 1) {
      throw new IllegalArgumentException("count: " + count + " (expected: >= 1)");
    }
    if (stride < 1 || (count > 1 && stride > (Long.MAX_VALUE - first) / (count - 1))) {
      throw new IllegalArgumentException(
          "stride: "
              + stride
              + " (expected: 1.."
              + (Long.MAX_VALUE - first) / Math.max(1, count - 1)
              + ")");
    }
  }

  /** The largest id of the run. */
  public long lastInclusive() {
    return first + (count - 1) * stride;
  }

  /**
   * The id at a place in the run.
   *
   * @param index 0..count-1
   */
  public long get(int index) {
    if (index < 0 || index >= count) {
      throw new IndexOutOfBoundsException(
          "index: " + index + " (expected: 0.." + (count - 1) + ")");
    }
    return first + index * stride;
  }

  /**
   * Writes the ids into an array.
   *
   * @param into receives {@code count} ids from {@code offset} on
   * @param offset 0..into.length-count
   */
  public void copyTo(long[] into, int offset) {
    if (offset < 0 || offset > into.length - count) {
      throw new IndexOutOfBoundsException(
          "offset: " + offset + " (expected: 0.." + (into.length - count) + ")");
    }
    for (int i = 0; i < count; i++) {
      into[offset + i] = first + i * stride;
    }
  }
}
