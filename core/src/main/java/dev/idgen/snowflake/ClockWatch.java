package dev.idgen.snowflake;

import dev.idgen.time.TimeSource;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What the wall clock is worth: hands out readings that never fall and never leap unconfirmed.
 *
 * <p>A reading is accepted when it lies between the highest accepted one and that plus monotonic
 * progress plus the skew allowed. Below: a rollback. Above: a leap, which must be confirmed by a
 * store whose clock agrees ({@link #confirm}), or hold for a time where no other clock can be
 * asked. Nothing is remembered of a reading that was not accepted, so one wild value does no harm.
 *
 * <p>Judging happens once per millisecond, by whichever caller first sees the new one. A caller
 * that finds another one judging goes on with the last accepted reading: older by as long as that
 * takes, never wrong.
 */
final class ClockWatch {
  /** The clock reads lower than it did, by more than may be waited out. */
  static final long BACKWARD = -1;

  /** The clock leapt, and nothing has confirmed it. */
  static final long AHEAD = -2;

  /** The clock reads lower than it did, by so little that waiting helps. */
  static final long BRIEFLY_BACKWARD = -3;

  private static final long NANOS = 1_000_000;
  private final TimeSource time;
  private final EngineOptions options;
  private final EngineEvents events;
  private final Runnable askForConfirmation;
  private final boolean holdConfirms;

  private volatile long calm; // the highest accepted reading while the clock is trusted, else -1
  private volatile long verdict; // BACKWARD, AHEAD, BRIEFLY_BACKWARD, or 0: the clock is trusted
  private final AtomicBoolean judging = new AtomicBoolean(); // guards all below

  private volatile long highest; // written only by whoever judges
  private long highestNanos; // monotonic time just before `highest` was read
  private long leapMillis; // the unconfirmed reading
  private long leapNanos;
  private @Nullable Runnable untold; // what the listener is told after judging
  private boolean loud; // the present distrust went past what is waited out
  private final AtomicLong rollbacks = new AtomicLong();
  private final AtomicLong leaps = new AtomicLong();

  /**
   * A watch that trusts the first reading.
   *
   * @param askForConfirmation called once per leap; must not block
   * @param holdConfirms a leap that has held for the skew is accepted: no other clock can be asked
   */
  ClockWatch(
      TimeSource time,
      EngineOptions options,
      EngineEvents events,
      Runnable askForConfirmation,
      boolean holdConfirms) {
    this.time = time;
    this.options = options;
    this.events = events;
    this.askForConfirmation = askForConfirmation;
    this.holdConfirms = holdConfirms;
    this.highestNanos = time.monotonicNanos();
    this.highest =
        Math.min(time.wallMillis(), time.wallMillis()); // one wild value is not the first
    this.calm = highest;
  }

  /**
   * Reads the clock.
   *
   * @return milliseconds since 1970, never below an earlier one; or BACKWARD, AHEAD,
   *     BRIEFLY_BACKWARD
   */
  long read() {
    long known =
        calm; // before the clock is read, or a late thread would mistake its own delay for a
    // rollback
    long wall = time.wallMillis();
    return wall == known ? wall : judge();
  }

  /** Whether a reading, just made, is the last accepted one: then {@link #read} would return it. */
  boolean accepts(long wall) {
    return wall == calm;
  }

  private long judge() {
    if (!judging.compareAndSet(false, true)) {
      long known = calm;
      return known >= 0 ? known : untrusted();
    }
    try {
      long before = time.monotonicNanos();
      long wall = time.wallMillis();
      long after = time.monotonicNanos();
      return wall < highest ? behind(wall, before) : notBehind(wall, before, after);
    } finally {
      unlock();
    }
  }

  private long untrusted() {
    long now = verdict;
    return now != 0
        ? now
        : BRIEFLY_BACKWARD; // it became trusted in between: the caller looks again
  }

  private long behind(long wall, long before) {
    long by = highest - wall;
    boolean brief = by <= options.rollbackWaitMs();
    if (verdict == 0 || verdict == AHEAD) {
      rollbacks.incrementAndGet();
    }
    if (!brief && verdict != BACKWARD) {
      loud = true;
      tell(() -> events.clockRolledBack(by));
    }
    verdict = brief ? BRIEFLY_BACKWARD : BACKWARD;
    if (!brief && options.rollbackPolicy() == RollbackPolicy.LOGICAL) {
      return goOn(before);
    }
    calm = -1;
    return verdict;
  }

  /** The policy LOGICAL: from the highest reading on by monotonic time. */
  private long goOn(long before) {
    long passed = Math.max(0, before - highestNanos) / NANOS;
    long now = highest + passed;
    highest = now;
    highestNanos += passed * NANOS;
    calm = now;
    return now;
  }

  private long notBehind(long wall, long before, long after) {
    long passed = Math.max(0, after - highestNanos) / NANOS + 1;
    if (wall - highest - passed <= options.maxSkewMs()) {
      accept(wall, before);
      return wall;
    }
    long heldNanos = before - leapNanos;
    boolean same =
        verdict == AHEAD && Math.abs(wall - leapMillis - heldNanos / NANOS) <= options.maxSkewMs();
    if (!same) {
      leapt(wall, before, wall - highest - passed);
      return AHEAD;
    }
    if (holdConfirms && heldNanos / NANOS >= options.maxSkewMs()) {
      accept(wall, before);
      return wall;
    }
    return AHEAD;
  }

  private void leapt(long wall, long before, long by) {
    leapMillis = wall;
    leapNanos = before;
    verdict = AHEAD;
    calm = -1;
    loud = true;
    leaps.incrementAndGet();
    tell(
        () -> {
          events.clockLeapt(by);
          askForConfirmation.run();
        });
  }

  private void accept(long wall, long before) {
    highest = wall;
    highestNanos = before;
    calm = wall;
    verdict = 0;
    if (loud) {
      loud = false;
      tell(events::clockTrusted);
    }
  }

  /**
   * The time that a lease may be extended from: what the clock reads, but never an unconfirmed
   * leap, and by the policy LOGICAL never a rollback.
   */
  long leaseMillis() {
    lock();
    try {
      long passed = Math.max(0, time.monotonicNanos() - highestNanos) / NANOS;
      long expected = highest + passed;
      long wall = time.wallMillis();
      if (wall - expected > options.maxSkewMs()) {
        return expected;
      }
      boolean logical = options.rollbackPolicy() == RollbackPolicy.LOGICAL;
      return logical && highest - wall > options.rollbackWaitMs() ? expected : wall;
    } finally {
      unlock();
    }
  }

  /** A listener may be slow: it is told once nobody waits for this caller any more. */
  private void tell(Runnable news) {
    Runnable before = untold;
    untold =
        before == null
            ? news
            : () -> {
              before.run();
              news.run();
            };
  }

  private void unlock() {
    Runnable news = untold;
    untold = null;
    judging.set(false);
    if (news != null) {
      news.run();
    }
  }

  private void lock() {
    while (!judging.compareAndSet(false, true)) {
      Thread.onSpinWait(); // held for the length of three clock readings
    }
  }

  /**
   * Another clock has agreed with this one: a leap that stands is accepted.
   *
   * @param otherMillis what the other clock read, at most the skew from the leap
   * @return whether the clock is trusted now
   */
  boolean confirm(long otherMillis) {
    lock();
    try {
      long before = time.monotonicNanos();
      long wall = time.wallMillis();
      boolean agreed = Math.abs(wall - otherMillis) <= options.maxSkewMs();
      if (verdict == AHEAD && agreed && wall >= highest) {
        accept(wall, before);
      }
      return verdict == 0;
    } finally {
      unlock();
    }
  }

  /**
   * Forgets readings from before the first lease: nothing was issued by them, so a clock that was
   * wrong when the process started and has been set since is no rollback.
   *
   * @param otherMillis what another clock reads; nothing happens unless it agrees
   */
  void restart(long otherMillis) {
    lock();
    try {
      long before = time.monotonicNanos();
      long wall = time.wallMillis();
      if (Math.abs(wall - otherMillis) <= options.maxSkewMs()) {
        accept(wall, before);
      }
    } finally {
      unlock();
    }
  }

  /**
   * A lease was renewed. By the policy LOGICAL a clock that had passed its end goes back to where
   * the engine had to stop: what it read above was never issued in, and since horizons go on at the
   * same pace, a clock that once was above them would stay there for ever.
   *
   * @param formerHorizonMillis nothing was issued from here on
   */
  void renewed(long formerHorizonMillis) {
    if (options.rollbackPolicy() != RollbackPolicy.LOGICAL) {
      return;
    }
    lock();
    try {
      long nanos = time.monotonicNanos();
      long passed = Math.max(0, nanos - highestNanos) / NANOS;
      if (verdict == BACKWARD && highest + passed >= formerHorizonMillis) {
        highest = formerHorizonMillis;
        highestNanos = nanos;
        calm = highest;
      }
    } finally {
      unlock();
    }
  }

  /**
   * Goes on by monotonic time from a reading above the clock. For the policy LOGICAL, whose lease
   * may begin above.
   *
   * @param millis ignored when it is not above the highest reading
   */
  void startAbove(long millis) {
    lock();
    try {
      if (millis > highest) {
        highest = millis;
        highestNanos = time.monotonicNanos();
        calm = millis;
      }
    } finally {
      unlock();
    }
  }

  /** Whether readings are accepted now: 0, or BACKWARD, AHEAD, BRIEFLY_BACKWARD. */
  long verdict() {
    return verdict;
  }

  /**
   * Milliseconds until a clock that is behind has caught up, if it runs at its normal pace; 0 when
   * it is not behind.
   */
  long behindMillis() {
    return Math.max(0, highest - time.wallMillis());
  }

  /** How often the clock has rolled back. */
  long rollbacks() {
    return rollbacks.get();
  }

  /** How often the clock has leapt forward. */
  long leaps() {
    return leaps.get();
  }
}
