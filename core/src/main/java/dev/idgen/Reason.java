package dev.idgen;

/**
 * Why a request for ids was refused. One catalogue for the library and for every transport of the
 * service.
 */
public enum Reason {
  /** The wall clock reads lower than it did, by more than the generator may wait out. */
  CLOCK_BACKWARD,
  /**
   * The wall clock leapt forward further than the skew allowed, and nothing has confirmed it yet.
   */
  CLOCK_AHEAD,
  /** No lease covers the present tick. */
  NO_LEASE,
  /** The caller's deadline passed before the ids were ready. */
  DEADLINE,
  /** The layout, the tag or the worker ids are used up. Waiting does not help. */
  EXHAUSTED,
  /** The tag was removed, or there never was one. */
  UNKNOWN_TAG,
  /** More callers wait than may. */
  OVERLOADED,
  /** The store refused, or its answer is unknown. */
  STORE_UNAVAILABLE,
  /** The generator was closed, or is about to be. */
  DRAINING;

  /** Whether the same call can succeed later without anybody changing the configuration. */
  public boolean passing() {
    return this != EXHAUSTED && this != UNKNOWN_TAG;
  }
}
