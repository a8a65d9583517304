package dev.idgen;

/**
 * Issues 64-bit ids: positive, never twice, strictly increasing as seen by one caller of one
 * generator.
 *
 * <p>Every method may be called from any number of threads. A call that cannot be answered throws
 * an {@link IdException} and leaves at most a gap behind, never a duplicate.
 */
public interface IdGenerator extends AutoCloseable {

  /**
   * Issues one id.
   *
   * @return an id in 1..2^63-1, or 0 for the very first cell of a layout
   * @throws IdException no id can be proved to be unused within the generator's wait
   */
  long next();

  /**
   * Fills an array with ids in issuing order, strictly increasing.
   *
   * @param into the whole array is filled; an empty one is left alone
   * @throws IdException none of them may be used; all that were reserved become a gap
   */
  void fill(long[] into);

  /**
   * Issues {@code count} ids in issuing order, strictly increasing.
   *
   * @param count 0 or more
   * @return a new array of exactly {@code count} ids
   * @throws IdException none of them may be used; all that were reserved become a gap
   */
  default long[] next(int count) {
    if (count < 0) {
      throw new IllegalArgumentException("count: " + count + " (expected: >= 0)");
    }
    long[] ids = new long[count];
    fill(ids);
    return ids;
  }

  /**
   * Issues {@code count} ids as runs, so that a million of them cost a few hundred bytes.
   *
   * @param count 1 or more
   * @return runs that hold exactly {@code count} ids in issuing order
   * @throws IdException none of them may be used; all that were reserved become a gap
   */
  IdBatch nextBatch(int count);

  /** Gives back what the generator holds. Later calls throw. Closing twice does nothing. */
  @Override
  void close();
}
