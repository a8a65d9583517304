package dev.idgen.store;

import org.jspecify.annotations.Nullable;

/**
 * What the rules decided for one snapshot of an idempotency key: the reply, and what must be
 * written first, on the condition that the row is still as it was.
 *
 * @param <T> type of the reply
 * @param reply the answer for the caller
 * @param writes whether the row is replaced; false: leave it
 * @param row replaces it; null: delete it
 */
public record IdempotencyDecision<T>(T reply, boolean writes, @Nullable IdempotencyRow row) {

  static <T> IdempotencyDecision<T> none(T reply) {
    return new IdempotencyDecision<>(reply, false, null);
  }

  static <T> IdempotencyDecision<T> write(T reply, @Nullable IdempotencyRow row) {
    return new IdempotencyDecision<>(reply, true, row);
  }

  /**
   * How many entries more there are when it is written: -1, 0 or 1.
   *
   * @param read what it was decided from
   */
  public int added(IdempotencySnapshot read) {
    return writes ? count(row) - count(read.row()) : 0;
  }

  private static int count(@Nullable IdempotencyRow row) {
    return row == null ? 0 : 1;
  }
}
