package dev.idgen.snowflake;

import dev.idgen.time.Scheduler;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * A copy of the watch's reading, for callers that take more often than the clock ticks.
 *
 * <p>Under load a timer refreshes the copy about each millisecond, and so does the caller who takes
 * every 1,024th id; at rest there is no timer and each read goes to the watch. A copy is always an
 * accepted reading, so its age shows in the time of an id, never in its uniqueness.
 */
final class CachedClock {
  private static final long PERIOD_NANOS = 1_000_000;
  private static final long REFRESH_MASK = 1023;
  private static final long LOAD_MASK = 255;
  private static final int IDLE_TICKS =
      32; // the timer stops after this many ticks with little to do
  private static final long BUSY_TAKES_PER_TICK = 64;

  private final ClockWatch watch;
  private final Scheduler scheduler;
  private final LongSupplier position;
  private final AtomicBoolean ticking = new AtomicBoolean();

  /** An accepted reading while the timer runs, else -1. */
  private final AtomicLong copy = new AtomicLong(-1);

  private long lastPosition; // these two: only the timer
  private int idleTicks;

  /**
   * A copy that is not refreshed yet.
   *
   * @param position how far takes have come, in places; may start again after a switch of leases
   */
  CachedClock(ClockWatch watch, Scheduler scheduler, LongSupplier position) {
    this.watch = watch;
    this.scheduler = scheduler;
    this.position = position;
  }

  /** As {@link ClockWatch#read}, but possibly older. */
  long read() {
    long known = copy.get();
    return known >= 0 ? known : watch.read();
  }

  /** The copy: an accepted reading, or negative when there is none. */
  long copy() {
    return copy.get();
  }

  /** As {@link ClockWatch#read}; the copy is no older afterwards. */
  long readAnew() {
    long known = copy.get();
    long reading = watch.read();
    if (known >= 0 && known != reading) {
      // Fails when the timer has just stopped: then no copy may stay behind.
      copy.compareAndSet(known, Math.max(-1, reading));
    }
    return reading;
  }

  /** Whether a take of {@code n} places from {@code p} on has to call {@link #taken}. */
  static boolean marks(long p, long n) {
    return (p & LOAD_MASK) + n > LOAD_MASK;
  }

  /**
   * Called when a take crosses a mark: starts the timer, or bounds the copy's age by the count of
   * takes.
   */
  void taken(long p, long n) {
    long known = copy.get();
    if (known < 0) {
      start();
    } else if ((p & REFRESH_MASK) + n > REFRESH_MASK) {
      readAnew();
    }
  }

  private void start() {
    if (ticking.compareAndSet(false, true)) {
      idleTicks = 0;
      lastPosition = position.getAsLong();
      copy.set(reading());
      scheduler.schedule(PERIOD_NANOS, this::tick);
    }
  }

  private void tick() {
    long now = position.getAsLong();
    idleTicks = Math.abs(now - lastPosition) < BUSY_TAKES_PER_TICK ? idleTicks + 1 : 0;
    lastPosition = now;
    if (idleTicks >= IDLE_TICKS) {
      copy.set(-1);
      ticking.set(false);
      return;
    }
    copy.set(reading());
    scheduler.schedule(PERIOD_NANOS, this::tick);
  }

  /**
   * Racy, but benign: of two refreshes at once the older may win, and is replaced a millisecond
   * later.
   */
  private long reading() {
    return Math.max(-1, watch.read());
  }
}
