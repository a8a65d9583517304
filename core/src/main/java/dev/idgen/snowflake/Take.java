package dev.idgen.snowflake;

import dev.idgen.ClockException;
import dev.idgen.DeadlineException;
import dev.idgen.Reason;

/**
 * One request for ids on its way: reserves in pieces of at most a tick, and is done when the clock
 * has reached the last of them. It never waits itself: {@link #step} says how long to wait, and
 * whoever drives it parks a thread or sets a timer.
 */
final class Take {
  private static final long NANOS = 1_000_000;
  private static final long LEAST_WAIT_NANOS = 20_000;
  private static final long LEASE_WAIT_NANOS = NANOS;

  /** Receives what was reserved, in order. */
  @FunctionalInterface
  interface Sink {
    /**
     * Takes over a piece.
     *
     * @param lease says what id a place has
     * @param p the first place
     * @param n how many
     */
    void accept(Lease lease, long p, long n);
  }

  private final SnowflakeEngine engine;
  private final Sink sink;
  private final long deadlineNanos;
  private long left;
  private long admitted; // ticks that this one has been promised, and has not reserved yet
  private long lastTick = -1;

  /**
   * A request of which nothing is reserved yet.
   *
   * @param count 1 or more
   * @param deadlineNanos in monotonic time
   */
  Take(SnowflakeEngine engine, long count, Sink sink, long deadlineNanos) {
    this.engine = engine;
    this.left = count;
    this.sink = sink;
    this.deadlineNanos = deadlineNanos;
  }

  /** What a caller reserved by itself before it had to wait. */
  void reserved(Lease lease, long p, long n) {
    sink.accept(lease, p, n);
    left -= n;
    lastTick = lease.tickOf(p + n - 1);
  }

  /**
   * Goes as far as it can now.
   *
   * @return 0 when all is reserved and its time has come; else nanoseconds after which to call
   *     again
   * @throws dev.idgen.IdException refused; what was reserved is a gap
   */
  long step() {
    boolean goesOn = false;
    try {
      long wait = advance();
      goesOn = wait > 0;
      return wait;
    } finally {
      if (!goesOn) {
        end();
      }
    }
  }

  /** Gives back what it was promised. For whoever stops driving it. */
  void end() {
    engine.promise(-admitted);
    admitted = 0;
  }

  private long advance() {
    while (true) {
      long now = engine.nowRead();
      if (now < 0) {
        return untrusted(now);
      }
      long tick = engine.tickAt(now);
      if (left == 0) {
        return tick >= lastTick ? 0 : untilTick(lastTick, tick);
      }
      Lease lease = engine.current();
      long n = Math.min(left, lease.places());
      requireTime(lease);
      long p = lease.reserve(n, tick);
      if (p >= 0) {
        reserved(lease, p, n);
      } else if (p == Lease.AHEAD) {
        return untilFree(lease, tick);
      } else if (lease == engine.current()) {
        return withoutLease(lease, tick);
      }
    }
  }

  private long untrusted(long code) {
    long behind = engine.behindMillis();
    if (code == ClockWatch.BACKWARD) {
      throw new ClockException(
          Reason.CLOCK_BACKWARD,
          "clock: "
              + behind
              + " ms behind its own past (expected: at most "
              + engine.options().rollbackWaitMs()
              + ")",
          Math.max(1, behind));
    }
    if (code == ClockWatch.AHEAD) {
      throw new ClockException(
          Reason.CLOCK_AHEAD,
          "clock: leapt forward by more than "
              + engine.options().maxSkewMs()
              + " ms (expected: a leap confirmed)",
          engine.options().maxSkewMs());
    }
    return bounded(behind * NANOS, "clock: " + behind + " ms behind its own past");
  }

  /**
   * The state is ahead of the clock: by others who wait for their turn, or because a lease begins
   * later.
   */
  private long untilFree(Lease lease, long tick) {
    long begins = lease.tickOf(Math.max(0, lease.position())) - engine.runAheadTicks();
    return untilTick(Math.max(tick + 1, begins), tick);
  }

  private long untilTick(long target, long tick) {
    long wall = engine.nanosUntilTick(target);
    long most =
        (target - tick)
            * engine.layout().tickMillis()
            * NANOS; // a clock that is behind itself runs logically
    return bounded(Math.min(wall, most), "ids: ready in " + (target - tick) + " ticks");
  }

  /**
   * Refuses before anything is reserved what cannot be ready in time, counting the ticks that
   * others were promised: whoever is admitted gets done, instead of all of them being late
   * together.
   */
  private void requireTime(Lease lease) {
    long ticks = (left - 1) / lease.places();
    if (ticks <= admitted) {
      engine.promise(ticks - admitted);
      admitted = ticks;
      return;
    }
    long all = engine.promise(ticks - admitted);
    admitted = ticks;
    double needed = (double) all * engine.layout().tickMillis() * NANOS;
    long remaining = deadlineNanos - engine.nanos();
    if (needed > remaining) {
      throw new DeadlineException(
          "count: "
              + left
              + " needs "
              + ticks
              + " ticks, "
              + (all - ticks)
              + " are promised (expected: to be ready within "
              + Math.max(0, remaining) / NANOS
              + " ms)",
          Math.max(1, (all - ticks) * engine.layout().tickMillis()));
    }
  }

  private long withoutLease(Lease lease, long tick) {
    engine.refuseWithoutHope(lease, tick);
    if (deadlineNanos - engine.nanos() <= 0) {
      throw engine.noLease(lease, tick);
    }
    return Math.max(1, Math.min(LEASE_WAIT_NANOS, deadlineNanos - engine.nanos()));
  }

  private long bounded(long nanos, String what) {
    long remaining = deadlineNanos - engine.nanos();
    if (remaining <= 0 || nanos > remaining) {
      throw new DeadlineException(
          what + " (expected: within " + Math.max(0, remaining) / NANOS + " ms)",
          Math.max(1, Math.min(nanos, Long.MAX_VALUE / 2) / NANOS));
    }
    return Math.max(LEAST_WAIT_NANOS, nanos);
  }
}
