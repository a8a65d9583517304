package dev.idgen.server.service;

import dev.idgen.IdBatch;
import java.util.concurrent.CompletionStage;

/** What issues the ids of a tag. Thread-safe; nothing here blocks the caller. */
public interface TagEngine {

  /** Which kind it is: replies name it by its word. */
  EngineKind kind();

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

  /** How long a call may wait for its ids, unless its caller says less. */
  long waitNanos();

  /** Whether it can issue, and if not, why. */
  EngineHealth health();

  /**
   * Throws away what it holds below a floor that the store knows of already.
   *
   * @param floor no later id is below
   */
  default void raiseTo(long floor) {}

  /** Ends what this tag alone uses. Callers that wait are refused. */
  default void close() {}
}
