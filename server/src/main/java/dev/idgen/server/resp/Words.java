package dev.idgen.server.resp;

import dev.idgen.server.service.ServiceReason;

/** The word that each reason begins an error with: that of Redis where it has one. */
final class Words {
  private Words() {}

  static String of(ServiceReason reason) {
    return switch (reason) {
      case UNAUTHENTICATED -> "NOAUTH";
      case FORBIDDEN -> "NOPERM";
      case INTERNAL -> "ERR";
      case INVALID_COUNT,
          INVALID_TAG,
          INVALID_ID,
          INVALID_BODY,
          UNKNOWN_TAG,
          UNKNOWN_PATH,
          METHOD_NOT_ALLOWED,
          UNSUPPORTED_TYPE,
          VERSION_CONFLICT,
          ENGINE_MISMATCH,
          TIMEOUT,
          TOO_LARGE,
          DEADLINE,
          OVERLOADED,
          RATE_LIMITED,
          IDEMPOTENCY_MISMATCH,
          IDEMPOTENCY_IN_FLIGHT,
          NO_LEASE,
          CLOCK_BACKWARD,
          CLOCK_AHEAD,
          STORE_UNAVAILABLE,
          DRAINING,
          EXHAUSTED ->
          reason.name();
    };
  }
}
