package dev.idgen.check.simulation;

import dev.idgen.time.TimeSource;

/** The clocks of a machine, as one process or store on it sees them. */
final class ProcessTime implements TimeSource {
  private final World world;
  private final SimClock clock;
  private final long bootNanos;
  private long highestMillis = Long.MIN_VALUE;

  ProcessTime(World world, SimClock clock, long bootNanos) {
    this.world = world;
    this.clock = clock;
    this.bootNanos = bootNanos;
  }

  @Override
  public long wallMillis() {
    long sane = clock.sane();
    highestMillis = Math.max(highestMillis, sane);
    return clock.millis();
  }

  @Override
  public long monotonicNanos() {
    return bootNanos + world.nowNanos();
  }

  @Override
  public long nanosUntil(long wallMillis) {
    return wallMillis * World.MILLI - clock.nanos();
  }

  @Override
  public void pause(long nanos) {
    throw new UnsupportedOperationException("pause: called (expected: nothing that blocks)");
  }

  /** The highest reading that was not wild. */
  long highestMillis() {
    return highestMillis;
  }
}
