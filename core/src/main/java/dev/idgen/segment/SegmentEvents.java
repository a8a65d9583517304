package dev.idgen.segment;

/**
 * What happens to a segment engine, for logs and metrics. Called on whatever thread it happens on,
 * without a lock; must not block.
 */
public interface SegmentEvents {

  /** Listens to nothing. */
  SegmentEvents NONE = new SegmentEvents() {};

  /**
   * A segment arrived.
   *
   * @param count of ids
   * @param nanos that the store took
   */
  default void fetched(long first, long count, long nanos) {}

  /** The store failed, or took too long; it is tried again. */
  default void fetchFailed(String why) {}

  /** The store has lost acknowledged writes: ids were left out. */
  default void skipped(long first) {}

  /**
   * The tag has used 70, 85 or 95 % of its ids.
   *
   * @param daysLeft at the rate since this process began; -1: not known yet
   */
  default void nearsItsEnd(int percent, long daysLeft) {}

  /** These many ids were thrown away: at a close, or below a floor. */
  default void wasted(long ids) {}

  /**
   * These many ids were passed over: too few were left of a segment for a caller whose ids have to
   * follow one another. As often as such callers come, so not for logs.
   */
  default void passedOver(long ids) {}
}
