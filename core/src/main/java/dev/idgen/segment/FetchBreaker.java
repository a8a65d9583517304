package dev.idgen.segment;

/**
 * Spares a store that fails: after some failures in a row nobody asks for a while, then one at a
 * time, tags that are critical first. Shared by all engines of one store. Thread-safe.
 */
public final class FetchBreaker {
  private static final int FAILURES = 5;
  private static final long REST_NANOS = 500_000_000L;
  private static final long TRIAL_NANOS = 2_000_000_000L;

  private int failures; // in a row; all guarded by this
  private long openedNanos;
  private long trialNanos;
  private boolean trial;

  /** A breaker that lets everybody through. */
  public FetchBreaker() {}

  /**
   * Whether a fetch may begin now; its end is to be told.
   *
   * @param nowNanos monotonic time
   * @param critical whether the tag may be the first to try
   */
  synchronized boolean admits(long nowNanos, boolean critical) {
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

  synchronized void succeeded() {
    failures = 0;
    trial = false;
  }

  synchronized void failed(long nowNanos) {
    failures = Math.min(FAILURES, failures + 1);
    openedNanos = nowNanos;
    trial = false;
  }

  /** Whether fetches rest or are on trial. */
  public synchronized boolean open() {
    return failures >= FAILURES;
  }
}
