package dev.idgen.snowflake;

import dev.idgen.store.Refusal;

/** A generator cannot start as it is configured: the store holds something that contradicts it. */
public final class StartException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  private final Refusal refusal;

  StartException(Refusal refusal, String message) {
    super(message);
    this.refusal = refusal;
  }

  /** What kind of contradiction. */
  public Refusal refusal() {
    return refusal;
  }
}
