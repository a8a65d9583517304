package dev.idgen.cli;

import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Waits, with a limit, for what other processes do in their own time. */
final class Patience {
  private static final long LIMIT_NANOS = 60_000_000_000L;
  private static final long PAUSE_NANOS = 20_000_000;

  private Patience() {}

  /**
   * Asks until the answer is the one that is wanted.
   *
   * @return that answer
   * @throws AssertionError it did not come: with the last answer
   */
  static <T> T await(Supplier<T> asking, Predicate<T> wanted) {
    long begun = System.nanoTime();
    T last = asking.get();
    while (!wanted.test(last)) {
      if (System.nanoTime() - begun > LIMIT_NANOS) {
        throw new AssertionError("not the answer that was waited for: " + last);
      }
      LockSupport.parkNanos(PAUSE_NANOS);
      last = asking.get();
    }
    return last;
  }

  /** Milliseconds since a moment of {@link System#nanoTime}. */
  static long millisSince(long nanos) {
    return (System.nanoTime() - nanos) / 1_000_000;
  }
}
