package dev.idgen;

/** The wall clock cannot be trusted now. The generator comes back by itself when the clock has. */
public final class ClockException extends IdException {
  private static final long serialVersionUID = 1L;

  /**
   * A refusal because of the clock.
   *
   * @param reason {@link Reason#CLOCK_BACKWARD} or {@link Reason#CLOCK_AHEAD}
   * @param message name, value, expected
   * @param retryAfterMs how far the clock is off, in milliseconds
   */
  public ClockException(Reason reason, String message, long retryAfterMs) {
    super(reason, message, retryAfterMs);
  }
}
