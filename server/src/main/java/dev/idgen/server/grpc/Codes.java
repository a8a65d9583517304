package dev.idgen.server.grpc;

import dev.idgen.server.service.ServiceReason;
import io.vertx.grpc.common.GrpcStatus;

/** The gRPC status of each reason. */
final class Codes {
  private Codes() {}

  static GrpcStatus of(ServiceReason reason) {
    return switch (reason) {
      case INVALID_COUNT, INVALID_TAG, INVALID_ID, INVALID_BODY -> GrpcStatus.INVALID_ARGUMENT;
      case UNKNOWN_TAG, UNKNOWN_PATH -> GrpcStatus.NOT_FOUND;
      case METHOD_NOT_ALLOWED, UNSUPPORTED_TYPE -> GrpcStatus.UNIMPLEMENTED;
      case UNAUTHENTICATED -> GrpcStatus.UNAUTHENTICATED;
      case FORBIDDEN -> GrpcStatus.PERMISSION_DENIED;
      case VERSION_CONFLICT, IDEMPOTENCY_IN_FLIGHT -> GrpcStatus.ABORTED;
      case ENGINE_MISMATCH, IDEMPOTENCY_MISMATCH -> GrpcStatus.FAILED_PRECONDITION;
      case TOO_LARGE, RATE_LIMITED -> GrpcStatus.RESOURCE_EXHAUSTED;
      case DEADLINE, TIMEOUT -> GrpcStatus.DEADLINE_EXCEEDED;
      case OVERLOADED, NO_LEASE, CLOCK_BACKWARD, CLOCK_AHEAD, STORE_UNAVAILABLE, DRAINING ->
          GrpcStatus.UNAVAILABLE;
      case EXHAUSTED, INTERNAL -> GrpcStatus.INTERNAL;
    };
  }
}
