package dev.idgen.uuid;

import dev.idgen.time.TimeSource;

/** A wall clock that the test sets. */
final class WallClock implements TimeSource {
  long millis;

  WallClock(long millis) {
    this.millis = millis;
  }

  @Override
  public long wallMillis() {
    return millis;
  }

  @Override
  public long monotonicNanos() {
    throw new AssertionError("nobody needs this clock");
  }

  @Override
  public void pause(long nanos) {
    throw new AssertionError("nobody waits");
  }
}
