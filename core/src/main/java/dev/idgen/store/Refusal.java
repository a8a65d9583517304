package dev.idgen.store;

/** Why a store said no. A refusal is an answer: nothing was written for the caller. */
public enum Refusal {
  /** The namespace has another layout or epoch. */
  LAYOUT_MISMATCH,
  /** The caller's clock and the store's differ by more than the skew. */
  CLOCK_SKEW,
  /** Timestamps above both clocks were already given out. */
  CLOCK_BEHIND,
  /** Claims rest until the floor: first sight, changed identity, or a fence. */
  FLOOR,
  /**
   * The worker id that was asked for has a live owner, or one that cannot be known to be dead yet.
   */
  HELD,
  /** Every worker id has a live owner. */
  EXHAUSTED,
  /** The lease belongs to a later generation, or to nobody. */
  LOST,
  /**
   * The lease was written by somebody else under the same generation: a clone, or an administrator.
   */
  FENCED,
  /** {@code newCluster} was sworn on a namespace older than one window. */
  NOT_NEW
}
