package dev.idgen.snowflake;

/**
 * Told about the few things that happen to an engine and its leases, for logs, an audit trail and
 * metrics. Never called per id. Implementations must be quick, must not throw and must not call
 * back.
 */
public interface EngineEvents {

  /** Nobody listens. */
  EngineEvents NONE = new EngineEvents() {};

  /**
   * The wall clock reads lower than it did.
   *
   * @param byMs how far
   */
  default void clockRolledBack(long byMs) {}

  /**
   * The wall clock leapt forward and is not believed yet.
   *
   * @param byMs how far above monotonic progress
   */
  default void clockLeapt(long byMs) {}

  /** The wall clock is believed again. */
  default void clockTrusted() {}

  /**
   * A worker id is held.
   *
   * @param workerId which one
   * @param generation its generation
   */
  default void leaseGained(int workerId, long generation) {}

  /**
   * A worker id is held no more, other than by an orderly release.
   *
   * @param workerId which one
   * @param generation its generation
   * @param why what the store said
   */
  default void leaseLost(int workerId, long generation, String why) {}

  /**
   * A worker id was given back in order.
   *
   * @param workerId which one
   * @param generation its generation
   */
  default void leaseReleased(int workerId, long generation) {}

  /**
   * A claim was refused or failed; it is tried again.
   *
   * @param why what the store said
   */
  default void claimFailed(String why) {}

  /**
   * A renewal failed; it is tried again.
   *
   * @param why what the store said
   */
  default void renewFailed(String why) {}

  /**
   * The store's clock moved against this node's monotonic time: the store's clock is the one that
   * jumped.
   *
   * @param byMs how far, either way
   */
  default void storeClockJumped(long byMs) {}

  /**
   * This node's clock and the store's are further apart than the skew allows, and neither has
   * jumped: nothing is issued past the present horizon until they agree.
   *
   * @param byMs node minus store
   */
  default void clockApart(long byMs) {}

  /**
   * The store has another identity: acknowledged writes may be gone, and claims rest for a window.
   *
   * @param before its identity
   * @param now the same
   */
  default void storeChanged(String before, String now) {}
}
