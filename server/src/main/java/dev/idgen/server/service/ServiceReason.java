package dev.idgen.server.service;

import dev.idgen.Reason;

/** Why a call was refused: one catalogue for all transports. */
public enum ServiceReason {
  /** The number of ids asked for is no number, or out of range. */
  INVALID_COUNT,
  /** The tag's name cannot be one. */
  INVALID_TAG,
  /** The text is no id of any known kind. */
  INVALID_ID,
  /** The request does not have the form that the call takes. */
  INVALID_BODY,
  /** There is no such tag. */
  UNKNOWN_TAG,
  /** There is no such path. */
  UNKNOWN_PATH,
  /** The path does not take this method. */
  METHOD_NOT_ALLOWED,
  /** The body is of a type that the call does not take. */
  UNSUPPORTED_TYPE,
  /** The caller has not said who they are, or nobody knows them. */
  UNAUTHENTICATED,
  /** The caller may not do that. */
  FORBIDDEN,
  /** The tag is at another version than the caller knows. */
  VERSION_CONFLICT,
  /** The tag's engine cannot do that. */
  ENGINE_MISMATCH,
  /** The request took too long to arrive. */
  TIMEOUT,
  /** The request is larger than the limit. */
  TOO_LARGE,
  /** The ids would be ready only after the deadline. */
  DEADLINE,
  /** A limit on work under way is reached. */
  OVERLOADED,
  /** More ids were asked for than the tag may issue in this time. */
  RATE_LIMITED,
  /** The same idempotency key came with another request. */
  IDEMPOTENCY_MISMATCH,
  /** The request of the same idempotency key is still under way. */
  IDEMPOTENCY_IN_FLIGHT,
  /** No lease covers the present tick. */
  NO_LEASE,
  /** The clock reads lower than it did. */
  CLOCK_BACKWARD,
  /** The clock leapt forward, and nothing has confirmed it yet. */
  CLOCK_AHEAD,
  /** The store refused, or its answer is unknown. */
  STORE_UNAVAILABLE,
  /** The server is about to stop. */
  DRAINING,
  /** The ids are used up. */
  EXHAUSTED,
  /** A fault of the server itself. */
  INTERNAL;

  /** The catalogue's word for a refusal of the library. */
  public static ServiceReason of(Reason reason) {
    return switch (reason) {
      case CLOCK_BACKWARD -> CLOCK_BACKWARD;
      case CLOCK_AHEAD -> CLOCK_AHEAD;
      case NO_LEASE -> NO_LEASE;
      case DEADLINE -> DEADLINE;
      case EXHAUSTED -> EXHAUSTED;
      case UNKNOWN_TAG -> UNKNOWN_TAG;
      case OVERLOADED -> OVERLOADED;
      case STORE_UNAVAILABLE -> STORE_UNAVAILABLE;
      case DRAINING -> DRAINING;
    };
  }
}
