package dev.idgen.uuid;

import dev.idgen.ClockException;
import dev.idgen.ExhaustedException;
import dev.idgen.Reason;
import dev.idgen.time.TimeSource;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A strictly increasing row of (millisecond, place), lock-free: what {@link UuidV7} and {@link
 * UlidGenerator} have in common.
 *
 * <p>Ticks follow each other by compare-and-set, each with a later millisecond than the one before,
 * and places inside a tick come from a fetch-and-add. Why a call that begins after another one has
 * returned gets the larger id: it reads {@code current} later, so it sees the same tick (and then
 * takes a later place) or a successor. A thread that is held up between reading a tick and taking a
 * place in it was running when the successor appeared, so its id may go to either side.
 *
 * <p>A clock that stands still or went back changes nothing: places are taken on in the last tick,
 * and when they are used up, in one a millisecond later. A call never waits.
 */
abstract class Timeline<T> {
  /** The last millisecond that 48 bits hold: in the year 10889. */
  static final long MILLIS_MAX = (1L << 48) - 1;

  /** A new attempt means that others took all places of a tick in between. */
  private static final int ATTEMPTS = 8;

  private static final VarHandle CURRENT = current();

  private final TimeSource time;

  /** Its millisecond only grows. Replacing it is the linearization point of a new tick. */
  private volatile Tick current = new Tick(-1, 0, 0, 0);

  Timeline(TimeSource time) {
    this.time = time;
  }

  private static VarHandle current() {
    try {
      return MethodHandles.lookup().findVarHandle(Timeline.class, "current", Tick.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /**
   * Begins a tick at a random place.
   *
   * @param millis 0..{@link #MILLIS_MAX}
   * @param nowMillis the clock's reading: less than {@code millis} while the clock is behind
   */
  abstract Tick begin(long millis, long nowMillis);

  /**
   * Makes the id of a place.
   *
   * @param place 0..tick.places-1, this caller's alone
   */
  abstract T make(Tick tick, long place, long nowMillis);

  final T take() {
    long now = now(time);
    Tick tick = current;
    if (now > tick.millis) {
      tick = replace(tick, now, now);
    }
    for (int i = 0; i < ATTEMPTS; i++) {
      long place = tick.take();
      if (place < tick.places) {
        return make(tick, place, now);
      }
      tick = replace(tick, tick.millis + 1, now);
    }
    throw new ExhaustedException("ids: none left in " + ATTEMPTS + " ticks (expected: some)");
  }

  /** Who loses the race uses the winner's tick: an older reading of the clock perhaps, but new. */
  private Tick replace(Tick old, long millis, long nowMillis) {
    if (millis > MILLIS_MAX) {
      throw exhausted(millis);
    }
    Tick next = begin(millis, nowMillis);
    return CURRENT.compareAndSet(this, old, next) ? next : current;
  }

  final long aheadMillis() {
    return Math.max(0, current.millis - now(time));
  }

  /** Reads a clock, and refuses what 48 bits do not hold. */
  static long now(TimeSource time) {
    long now = time.wallMillis();
    if (Long.compareUnsigned(now, MILLIS_MAX) > 0) {
      throw now < 0 ? before1970(now) : exhausted(now);
    }
    return now;
  }

  private static ClockException before1970(long millis) {
    return new ClockException(
        Reason.CLOCK_BACKWARD,
        "wallMillis: " + millis + expected(),
        millis == Long.MIN_VALUE ? 0 : -millis);
  }

  private static ExhaustedException exhausted(long millis) {
    return new ExhaustedException("wallMillis: " + millis + expected());
  }

  private static String expected() {
    return " (expected: 0.." + MILLIS_MAX + ")";
  }
}
