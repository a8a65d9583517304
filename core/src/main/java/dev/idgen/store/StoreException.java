package dev.idgen.store;

import dev.idgen.IdException;
import dev.idgen.Reason;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * A store operation failed.
 *
 * <p>{@link #outcomeUnknown} tells whether the write may have been applied all the same. Callers
 * treat an unknown outcome as not done and repeat the same request: uniqueness survives both.
 */
public final class StoreException extends IdException {
  private static final long serialVersionUID = 1L;

  private final boolean outcomeUnknown;
  private final boolean permanent;
  private final boolean concernsRow;

  private StoreException(
      String message, boolean outcomeUnknown, boolean permanent, @Nullable Throwable cause) {
    this(message, outcomeUnknown, permanent, false, cause);
  }

  private StoreException(
      String message,
      boolean outcomeUnknown,
      boolean permanent,
      boolean concernsRow,
      @Nullable Throwable cause) {
    super(Reason.STORE_UNAVAILABLE, message, 0);
    this.outcomeUnknown = outcomeUnknown;
    this.permanent = permanent;
    this.concernsRow = concernsRow;
    initCause(cause);
  }

  /**
   * The store did nothing, for a reason of its own.
   *
   * @param message which store, name, value, expected
   */
  public static StoreException refused(String message) {
    return new StoreException(message, false, false, null);
  }

  /**
   * The store did nothing, and said so.
   *
   * @param message which store, which operation, what it said
   * @param cause what the driver threw
   */
  public static StoreException refused(String message, Throwable cause) {
    return new StoreException(message, false, false, cause);
  }

  /**
   * What a stage failed with. A failure that is of another kind is an unknown outcome.
   *
   * @param failure as a stage tells it, wrapped or not
   */
  public static StoreException of(Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    return cause instanceof StoreException refusal ? refusal : unknown(cause.toString(), cause);
  }

  /**
   * The store may have done it, where it does not count.
   *
   * @param message which store, name, value, expected
   */
  public static StoreException unknown(String message) {
    return new StoreException(message, true, false, null);
  }

  /**
   * The store may have done it: the reply was lost, or late.
   *
   * @param message which store, which operation, what it said
   * @param cause what the driver threw
   */
  public static StoreException unknown(String message, Throwable cause) {
    return new StoreException(message, true, false, cause);
  }

  /**
   * The store did nothing, and will not until somebody changes its settings or those of the caller:
   * a wrong password, a missing grant.
   *
   * @param message which store, what it said, what it takes
   * @param cause what the driver threw, if anything
   */
  public static StoreException permanent(String message, @Nullable Throwable cause) {
    return new StoreException(message, false, true, cause);
  }

  /** The same failure, of one row alone. */
  public StoreException ofRow() {
    return new StoreException(
        String.valueOf(getMessage()), outcomeUnknown, permanent, true, getCause());
  }

  /**
   * Whether it is one row's alone: somebody keeps it locked, or it makes no sense. The store
   * answers, and other rows can be had.
   */
  public boolean concernsRow() {
    return concernsRow;
  }

  /** Whether repeating makes no sense until somebody changes the settings. */
  public boolean permanent() {
    return permanent;
  }

  /** Whether the operation may have been applied. */
  public boolean outcomeUnknown() {
    return outcomeUnknown;
  }
}
