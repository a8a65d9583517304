package dev.idgen.sequence;

/**
 * What happens to a sequence engine, for logs and metrics. Called on whatever thread it happens on,
 * without a lock; must not block.
 */
public interface SequenceEvents {

  /** Listens to nothing. */
  SequenceEvents NONE = new SequenceEvents() {};

  /**
   * The store gave ids.
   *
   * @param count of ids
   * @param callers that share them
   * @param nanos that the store took
   */
  default void allocated(long first, long count, int callers, long nanos) {}

  /** The store failed, or took too long; it is tried again. */
  default void allocateFailed(String why) {}

  /** The store has lost acknowledged writes: ids were left out. */
  default void skipped(long first) {}

  /**
   * The tag has used 70, 85 or 95 % of its ids.
   *
   * @param daysLeft at the rate since this process began; -1: not known yet
   */
  default void nearsItsEnd(int percent, long daysLeft) {}
}
