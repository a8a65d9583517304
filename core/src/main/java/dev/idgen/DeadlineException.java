package dev.idgen;

/**
 * The ids would be ready only after the caller's deadline. What was reserved for the call is a gap.
 */
public final class DeadlineException extends IdException {
  private static final long serialVersionUID = 1L;

  /**
   * A refusal because of the deadline.
   *
   * @param message name, value, expected
   * @param retryAfterMs when a new attempt makes sense, in milliseconds
   */
  public DeadlineException(String message, long retryAfterMs) {
    super(Reason.DEADLINE, message, retryAfterMs);
  }
}
