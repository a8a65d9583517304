package dev.idgen.check.contract;

import dev.idgen.time.TimeSource;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A wall clock that stands still until a test moves it. Monotonic time and pauses are real, since
 * stores use them to wait for each other. Thread-safe.
 */
public final class SettableWall implements TimeSource {
  private final AtomicLong wallMillis;

  /** A clock that shows a time. */
  public SettableWall(long wallMillis) {
    this.wallMillis = new AtomicLong(wallMillis);
  }

  /** Shows another time from now on. */
  public void set(long millis) {
    wallMillis.set(millis);
  }

  /** Moves on, or back. */
  public void add(long millis) {
    wallMillis.addAndGet(millis);
  }

  @Override
  public long wallMillis() {
    return wallMillis.get();
  }

  @Override
  public long monotonicNanos() {
    return TimeSource.system().monotonicNanos();
  }

  @Override
  public void pause(long nanos) {
    TimeSource.system().pause(nanos);
  }
}
