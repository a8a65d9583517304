package dev.idgen;

/**
 * A request for ids was refused, and nothing was issued.
 *
 * <p>Unchecked, since a caller can seldom do more than to fail its own request. {@link #reason}
 * tells refusals apart.
 */
public class IdException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Reason reason;
  private final long retryAfterMs;

  /**
   * A refusal.
   *
   * @param reason why
   * @param message name, value, expected
   * @param retryAfterMs when a new attempt makes sense, in milliseconds from now; 0 if unknown
   */
  public IdException(Reason reason, String message, long retryAfterMs) {
    super(message);
    this.reason = reason;
    this.retryAfterMs = retryAfterMs;
  }

  /** Why the ids were refused. */
  public Reason reason() {
    return reason;
  }

  /** When a new attempt makes sense, in milliseconds from the refusal; 0 if unknown. */
  public long retryAfterMs() {
    return retryAfterMs;
  }
}
