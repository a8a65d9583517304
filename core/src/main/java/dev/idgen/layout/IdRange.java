package dev.idgen.layout;

/**
 * All ids between two ids, both included, compared as unsigned numbers: the order of a layout's
 * ids, and for ids that are issued also that of a signed column. A value; immutable.
 *
 * @param first the smallest id
 * @param lastInclusive the largest id; below {@code first} where the range is empty
 */
public record IdRange(long first, long lastInclusive) {

  /** The range without ids. */
  public static final IdRange EMPTY = new IdRange(1, 0);

  /** Whether no id lies in it. */
  public boolean isEmpty() {
    return Long.compareUnsigned(first, lastInclusive) > 0;
  }

  /** Whether an id lies in it. */
  public boolean contains(long id) {
    return Long.compareUnsigned(first, id) <= 0 && Long.compareUnsigned(id, lastInclusive) <= 0;
  }
}
