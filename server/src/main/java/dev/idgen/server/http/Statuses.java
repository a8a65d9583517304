package dev.idgen.server.http;

import dev.idgen.server.service.ServiceReason;

/** The HTTP status of each reason. */
final class Statuses {
  private Statuses() {}

  static int of(ServiceReason reason) {
    return switch (reason) {
      case INVALID_COUNT, INVALID_TAG, INVALID_ID, INVALID_BODY -> 400;
      case UNKNOWN_TAG, UNKNOWN_PATH -> 404;
      case UNAUTHENTICATED -> 401;
      case FORBIDDEN -> 403;
      case METHOD_NOT_ALLOWED -> 405;
      case TIMEOUT -> 408;
      case VERSION_CONFLICT, ENGINE_MISMATCH, IDEMPOTENCY_IN_FLIGHT -> 409;
      case TOO_LARGE -> 413;
      case UNSUPPORTED_TYPE -> 415;
      case IDEMPOTENCY_MISMATCH -> 422;
      case RATE_LIMITED -> 429;
      case EXHAUSTED, INTERNAL -> 500;
      case DEADLINE,
          OVERLOADED,
          NO_LEASE,
          CLOCK_BACKWARD,
          CLOCK_AHEAD,
          STORE_UNAVAILABLE,
          DRAINING ->
          503;
    };
  }
}
