package dev.idgen.server.service;

import dev.idgen.IdBatch;
import java.util.concurrent.CompletionStage;

/** Issues 64-bit ids. Thread-safe; nothing here blocks the caller. */
public non-sealed interface NumberEngine extends TagEngine {

  /**
   * Takes one id if it is to be had at once.
   *
   * @return the id, 0 or more; -1 if not at once
   */
  long tryNext();

  /**
   * Takes ids as soon as they are to be had.
   *
   * @param count 1 or more
   * @param waitNanos the longest wait
   * @return fails with {@link dev.idgen.IdException}
   */
  CompletionStage<IdBatch> nextAsync(int count, long waitNanos);

  /**
   * Refuses ids that follow one another where there are none, before any is taken.
   *
   * @throws ServiceException {@link ServiceReason#ENGINE_MISMATCH}: there is no such thing; {@link
   *     ServiceReason#INVALID_COUNT}: more than there may be at once
   */
  default void requireContiguous(int count) {
    if (!kind().marked()) {
      throw new ServiceException(
          ServiceReason.ENGINE_MISMATCH,
          "engine: "
              + kind().word()
              + " (expected: segment, sequence: only their ids follow one"
              + " another)");
    }
  }

  /**
   * Takes ids that follow one another, as {@link #nextAsync} does.
   *
   * @return one run with stride 1
   * @throws ServiceException as {@link #requireContiguous}
   */
  default CompletionStage<IdBatch> nextContiguous(int count, long waitNanos) {
    requireContiguous(count);
    return nextAsync(count, waitNanos);
  }

  /**
   * Whether an id could be one of its.
   *
   * @return false: nobody can have issued it yet
   */
  default boolean mayHaveIssued(long id) {
    return true;
  }

  /** How long a call may wait for its ids, unless its caller says less. */
  long waitNanos();
}
