package dev.idgen.server.service;

import dev.idgen.IdException;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** A call was refused, and nothing was issued. Carries no stack: it is an answer, not a fault. */
public final class ServiceException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ServiceReason reason;
  private final long retryAfterMs;

  /**
   * A refusal for good.
   *
   * @param reason why
   * @param detail name, value, expected
   */
  public ServiceException(ServiceReason reason, String detail) {
    this(reason, detail, 0);
  }

  /**
   * A refusal.
   *
   * @param reason why
   * @param detail name, value, expected
   * @param retryAfterMs when a new attempt makes sense, in milliseconds; 0 if unknown
   */
  public ServiceException(ServiceReason reason, String detail, long retryAfterMs) {
    this(reason, detail, retryAfterMs, null);
  }

  private ServiceException(
      ServiceReason reason, String detail, long retryAfterMs, @Nullable Throwable cause) {
    super(detail, cause, false, false);
    this.reason = reason;
    this.retryAfterMs = retryAfterMs;
  }

  /**
   * What a failed call tells its caller.
   *
   * @param failure as the engine or a stage gave it
   * @return a failure that is no refusal becomes {@link ServiceReason#INTERNAL} with it as cause
   */
  public static ServiceException of(Throwable failure) {
    Throwable cause = failure;
    while (cause instanceof CompletionException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    if (cause instanceof ServiceException refusal) {
      return refusal;
    }
    if (cause instanceof IdException refusal) {
      return new ServiceException(
          ServiceReason.of(refusal.reason()), detail(refusal), refusal.retryAfterMs());
    }
    return new ServiceException(
        ServiceReason.INTERNAL, "the server failed; its log tells more", 0, cause);
  }

  private static String detail(IdException refusal) {
    String message = refusal.getMessage();
    return message == null ? refusal.reason().name() : message;
  }

  /** Why. */
  public ServiceReason reason() {
    return reason;
  }

  /** Name, value, expected. */
  public String detail() {
    String message = getMessage();
    return message == null ? reason.name() : message;
  }

  /** When a new attempt makes sense, in milliseconds; 0 if unknown. */
  public long retryAfterMs() {
    return retryAfterMs;
  }
}
