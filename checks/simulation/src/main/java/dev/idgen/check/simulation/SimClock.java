package dev.idgen.check.simulation;

/** A wall clock that can be set, drift, freeze, and read wildly wrong for a moment. */
final class SimClock {
  private final World world;
  private long anchorNanos;
  private long wallNanos;
  private long ppm;
  private boolean frozen;
  private int wildReadings;
  private long wildMillis;

  SimClock(World world, long offsetMs) {
    this.world = world;
    set(offsetMs);
  }

  /** Reads it, using up a wild reading if one is due. */
  long millis() {
    if (wildReadings > 0) {
      wildReadings--;
      return wildMillis;
    }
    return sane();
  }

  /** What it reads when it does not read wildly. */
  long sane() {
    return Math.floorDiv(nanos(), World.MILLI);
  }

  /** As {@link #sane}, in nanoseconds since 1970. */
  long nanos() {
    if (frozen) {
      return wallNanos;
    }
    long since = world.nowNanos() - anchorNanos;
    return wallNanos + since + since / 1_000_000 * ppm;
  }

  private void anchor() {
    wallNanos = nanos();
    anchorNanos = world.nowNanos();
  }

  /** Healthy from now on, and apart from the truth by so much. */
  void set(long offsetMs) {
    frozen = false;
    ppm = 0;
    wildReadings = 0;
    anchorNanos = world.nowNanos();
    wallNanos = world.trueMillis() * World.MILLI + world.nowNanos() % World.MILLI;
    step(offsetMs);
  }

  void step(long millis) {
    wallNanos += millis * World.MILLI;
  }

  void drift(long partsPerMillion) {
    anchor();
    ppm = partsPerMillion;
  }

  void freeze() {
    anchor();
    frozen = true;
  }

  /** Runs on from where it stood. */
  void thaw() {
    anchorNanos = world.nowNanos();
    frozen = false;
  }

  void wild(int readings, long millis) {
    wildReadings = readings;
    wildMillis = millis;
  }

  /** How far it is from the truth. */
  long offsetMs() {
    return sane() - world.trueMillis();
  }
}
