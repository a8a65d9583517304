package dev.idgen.segment;

/**
 * How many ids to fetch at a time: twice as many as before when a segment was used up within a
 * minute, half as many when little of it is used in ten. For one thread at a time.
 */
final class StepPolicy {
  private static final long NANOS = 1_000_000_000L;
  private static final long FAST_NANOS = 60 * NANOS;
  private static final long SLOW_NANOS = 600 * NANOS;
  private static final double MUCH = 0.8;
  private static final double LITTLE = 0.2;

  private final long min;
  private final long max;
  private long step;

  StepPolicy(long first, long min, long max) {
    this.step = first;
    this.min = min;
    this.max = max;
  }

  long step() {
    return step;
  }

  /**
   * Looks at a segment when the next one is wanted, and when it is used up if that was too early to
   * tell.
   *
   * @param usedShare of it, 0..1
   * @param elapsedNanos since its first id could be taken
   * @return whether it was not too early
   */
  boolean observe(double usedShare, long elapsedNanos) {
    if (usedShare >= MUCH && elapsedNanos < FAST_NANOS) {
      step = step > max / 2 ? max : 2 * step;
    } else if (elapsedNanos >= SLOW_NANOS && usedShare * SLOW_NANOS / elapsedNanos < LITTLE) {
      step = Math.max(min, step / 2);
    }
    return usedShare >= MUCH || elapsedNanos >= SLOW_NANOS;
  }
}
