package dev.idgen;

/** The ids, or the worker ids, are used up. Waiting does not help. */
public final class ExhaustedException extends IdException {
  private static final long serialVersionUID = 1L;

  /**
   * A refusal for good.
   *
   * @param message name, value, expected
   */
  public ExhaustedException(String message) {
    super(Reason.EXHAUSTED, message, 0);
  }
}
