package dev.idgen;

/** No worker id is held for the present tick: the lease was lost, ran out, or was never had. */
public final class LeaseException extends IdException {
  private static final long serialVersionUID = 1L;

  /**
   * A refusal for want of a lease.
   *
   * @param message name, value, expected
   * @param retryAfterMs when a new attempt makes sense, in milliseconds; 0 if unknown
   */
  public LeaseException(String message, long retryAfterMs) {
    super(Reason.NO_LEASE, message, retryAfterMs);
  }
}
