package dev.idgen.uuid;

/** 64 random bits at a time. Thread-safe. */
@FunctionalInterface
interface Bits {

  /**
   * Bits that nobody else gets.
   *
   * @param nowMillis the caller's reading of the wall clock, by which held bits grow old
   */
  long next(long nowMillis);
}
