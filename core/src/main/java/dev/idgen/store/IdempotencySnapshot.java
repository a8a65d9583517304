package dev.idgen.store;

import org.jspecify.annotations.Nullable;

/**
 * What a driver read for one operation on an idempotency key, in one transaction.
 *
 * @param nowMillis the store's clock, in milliseconds since 1970
 * @param used how many entries of the caller the store counts in the namespace, expired ones that
 *     are still there among them
 * @param row the entry's, which may have expired; null: there is none
 */
public record IdempotencySnapshot(long nowMillis, long used, @Nullable IdempotencyRow row) {

  /** The row, if its end has not come. */
  @Nullable IdempotencyRow live() {
    return row == null || row.expired(nowMillis) ? null : row;
  }
}
