package dev.idgen;

import java.util.List;

/**
 * Ids in issuing order, held as runs. A value; immutable.
 *
 * @param runs in issuing order, at least one
 */
public record IdBatch(List<IdRun> runs) {

  /** Copies the list and refuses an empty one. */
  public IdBatch {
    runs = List.copyOf(runs);
    if (runs.isEmpty()) {
      throw new IllegalArgumentException("runs: 0 (expected: >= 1)");
    }
  }

  /** How many ids all runs hold. */
  public long count() {
    long sum = 0;
    for (IdRun run : runs) {
      sum += run.count();
    }
    return sum;
  }

  /**
   * All ids, in issuing order.
   *
   * @return a new array of {@link #count} ids
   * @throws ArithmeticException more than an array can hold
   */
  public long[] toArray() {
    long[] ids = new long[Math.toIntExact(count())];
    int at = 0;
    for (IdRun run : runs) {
      run.copyTo(ids, at);
      at += run.count();
    }
    return ids;
  }
}
