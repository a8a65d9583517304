package dev.idgen.store;

/**
 * Spares a store that fails: after some failures in a row nobody asks for a while, then one at a
 * time, tags that are critical first. Shared by all engines of one store. Thread-safe.
 */
public final class StoreBreaker {
  private static final int FAILURES = 5;
  private static final long REST_NANOS = 500_000_000L;
  private static final long TRIAL_NANOS = 2_000_000_000L;

  private int failures; // in a row; all guarded by this
  private long openedNanos;
  private long trialNanos;
  private boolean trial;
  private String why = "";

  /** A breaker that lets everybody through. */
  public StoreBreaker() {}

  /**
   * Whether a call may begin now; its end is to be told.
   *
   * @param nowNanos monotonic time
   * @param critical whether the tag may be the first to try
   */
  public synchronized boolean admits(long nowNanos, boolean critical) {
    if (failures < FAILURES) {
      return true;
    }
    long rest = critical ? REST_NANOS : 2 * REST_NANOS;
    if (nowNanos - openedNanos < rest) {
      return false;
    }
    if (trial && nowNanos - trialNanos < TRIAL_NANOS) {
      return false;
    }
    trial = true; // half open: one at a time
    trialNanos = nowNanos;
    return true;
  }

  /** A call was answered: everybody may call. */
  public synchronized void succeeded() {
    failures = 0;
    trial = false;
  }

  /**
   * A call failed, or was not answered in time. One whose row alone is to blame was answered: other
   * tags must not rest for it.
   *
   * @param nowNanos monotonic time
   */
  public void failed(StoreException failure, long nowNanos) {
    if (failure.concernsRow()) {
      succeeded();
    } else {
      failed(String.valueOf(failure.getMessage()), nowNanos);
    }
  }

  private synchronized void failed(String last, long nowNanos) {
    why = last;
    failures = Math.min(FAILURES, failures + 1);
    openedNanos = nowNanos;
    trial = false;
  }

  /** Why the last call that failed did, whoever made it; empty: none has. */
  public synchronized String why() {
    return why;
  }

  /** Whether calls rest or are on trial. */
  public synchronized boolean open() {
    return failures >= FAILURES;
  }
}
