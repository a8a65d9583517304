package dev.idgen.snowflake;

/**
 * What the engine does while the wall clock reads lower than it did, past the wait that is allowed.
 */
public enum RollbackPolicy {
  /** Refuse with {@code CLOCK_BACKWARD} until the clock has caught up by itself. The default. */
  REFUSE,
  /**
   * Go on from the last tick by monotonic time, inside the horizon. Order is kept; the time in an
   * id is then later than the clock reads.
   */
  LOGICAL
}
