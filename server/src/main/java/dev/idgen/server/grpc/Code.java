package dev.idgen.server.grpc;

import dev.idgen.server.service.ServiceReason;

/**
 * The statuses of gRPC that refuse, and that of each reason.
 *
 * @see <a href="https://github.com/grpc/grpc/blob/master/doc/statuscodes.md">gRPC status codes</a>
 */
enum Code {
  INVALID_ARGUMENT(3),
  DEADLINE_EXCEEDED(4),
  NOT_FOUND(5),
  PERMISSION_DENIED(7),
  RESOURCE_EXHAUSTED(8),
  FAILED_PRECONDITION(9),
  ABORTED(10),
  UNIMPLEMENTED(12),
  INTERNAL(13),
  UNAVAILABLE(14),
  UNAUTHENTICATED(16);

  private final int number;

  Code(int number) {
    this.number = number;
  }

  int number() {
    return number;
  }

  static Code of(ServiceReason reason) {
    return switch (reason) {
      case INVALID_COUNT, INVALID_TAG, INVALID_ID, INVALID_BODY -> INVALID_ARGUMENT;
      case UNKNOWN_TAG, UNKNOWN_PATH -> NOT_FOUND;
      case METHOD_NOT_ALLOWED, UNSUPPORTED_TYPE -> UNIMPLEMENTED;
      case UNAUTHENTICATED -> UNAUTHENTICATED;
      case FORBIDDEN -> PERMISSION_DENIED;
      case VERSION_CONFLICT, IDEMPOTENCY_IN_FLIGHT -> ABORTED;
      case ENGINE_MISMATCH, IDEMPOTENCY_MISMATCH -> FAILED_PRECONDITION;
      case TOO_LARGE, RATE_LIMITED -> RESOURCE_EXHAUSTED;
      case DEADLINE, TIMEOUT -> DEADLINE_EXCEEDED;
      case OVERLOADED, NO_LEASE, CLOCK_BACKWARD, CLOCK_AHEAD, STORE_UNAVAILABLE, DRAINING ->
          UNAVAILABLE;
      case EXHAUSTED, INTERNAL -> INTERNAL;
    };
  }
}
