package dev.idgen.store;

/** A store's answer to the beginning of an attempt. */
public sealed interface IdempotencyReply {

  /** The attempt is the only one that may do it, and store its reply, until its time is over. */
  record Started() implements IdempotencyReply {}

  /**
   * It was done before.
   *
   * @param reply as it was stored
   */
  record Done(String reply) implements IdempotencyReply {}

  /**
   * Another attempt is at it.
   *
   * @param retryAfterMs when at the latest asking again gives another answer, 1 or more
   */
  record InFlight(long retryAfterMs) implements IdempotencyReply {}

  /** The key was used for another request. */
  record Mismatch() implements IdempotencyReply {}

  /**
   * The caller has too many keys: some have to expire first.
   *
   * @param maxKeys how many it may have
   */
  record Full(int maxKeys) implements IdempotencyReply {}
}
