package dev.idgen.snowflake;

/** Where the sequence of a new tick begins. */
public enum SequenceStart {
  /** At zero: ids taken at a low rate are all even, and multiples of every small power of two. */
  ZERO,
  /**
   * Where the six low bits left off, so that ids taken at a low rate divide evenly by {@code id mod
   * n}. A tick loses at most 63 ids.
   */
  SPREAD
}
