package dev.idgen.time;

import java.time.Instant;
import java.time.temporal.ChronoField;
import java.util.concurrent.locks.LockSupport;

/** The clocks of this machine. */
final class SystemTime implements TimeSource {
  static final SystemTime INSTANCE = new SystemTime();

  private SystemTime() {}

  @Override
  public long wallMillis() {
    return System.currentTimeMillis();
  }

  @Override
  public long monotonicNanos() {
    return System.nanoTime();
  }

  @Override
  public void pause(long nanos) {
    if (nanos > 0) {
      LockSupport.parkNanos(this, nanos);
    }
  }

  /** Finer than a millisecond, so that a caller who waits for a tick rests just once. */
  @Override
  public long nanosUntil(long wallMillis) {
    Instant now = Instant.now();
    long left = wallMillis - now.toEpochMilli();
    if (left > Long.MAX_VALUE / 1_000_000) {
      return Long.MAX_VALUE;
    }
    return left * 1_000_000 - now.getLong(ChronoField.NANO_OF_SECOND) % 1_000_000;
  }
}
