package dev.idgen.time;

/** The two clocks of one process, and waiting by them. Thread-safe. */
public interface TimeSource {

  /** Wall time in milliseconds since 1970-01-01T00:00:00Z. May jump either way. */
  long wallMillis();

  /** Monotonic time in nanoseconds from an arbitrary origin: differences count, and never fall. */
  long monotonicNanos();

  /**
   * Lets the calling thread rest. Returns early on interrupt (the flag stays set) or for no reason,
   * so callers loop on their own condition.
   *
   * @param nanos at most this long; 0 or less returns at once
   */
  void pause(long nanos);

  /**
   * How long the wall clock still needs to reach a time, if it runs at its normal pace.
   *
   * @param wallMillis the time to reach, in milliseconds since 1970
   * @return nanoseconds; 0 or less when it is reached
   */
  default long nanosUntil(long wallMillis) {
    long left = wallMillis - wallMillis();
    return left > Long.MAX_VALUE / 1_000_000 ? Long.MAX_VALUE : left * 1_000_000;
  }

  /**
   * The clocks of this machine, for callers that ask more often than the wall clock ticks: while it
   * is read often, wall time is from a copy that a daemon thread refreshes each millisecond. So it
   * is late by up to a millisecond, and by what the operating system is late in running that
   * thread. {@link #nanosUntil} and monotonic time are never late.
   */
  static TimeSource cached() {
    return CachedTime.INSTANCE;
  }

  /** The clocks of this machine. */
  static TimeSource system() {
    return SystemTime.INSTANCE;
  }
}
