package dev.idgen.snowflake;

import dev.idgen.layout.Layout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.List;

/**
 * The right of this process to its worker ids, and the one number that every id comes from.
 *
 * <p>With worker ids {@code w0 < w1 < ..}, a tick holds {@code K = ids x 2^sequenceBits} places. A
 * position {@code p} is place {@code p mod K} of tick {@code p / K}; {@code pos} is the next free
 * one. Taking {@code n} ids is one atomic step from {@code p} to {@code p + n}, so two takes never
 * share a place, and since {@code pos} only grows, neither does a clock that falls back (I2).
 *
 * <table>
 * <caption>Fields by access</caption>
 * <tr><td>{@code pos}</td><td>compare-and-set, fetch-and-add, get-and-set; only grows, until closed: then negative for
 * ever, or overflown at the very end of a layout, which is the same</td></tr>
 * <tr><td>{@code lastPlace}</td><td>volatile; the last place below the horizon; only rises; written by the keeper
 * alone, never once closed</td></tr>
 * <tr><td>{@code openMillis}</td><td>volatile, racy; the reading in whose tick a place was
 * taken last, or SHUT; {@link #open} says what a late write does</td></tr>
 * <tr><td>{@code closedAt}</td><td>volatile; written once, after {@code pos} was closed</td></tr>
 * </table>
 */
final class Lease extends Padded.After {
  static final long CLOSED = -1;
  static final long AHEAD = -2;
  static final long HORIZON = -3;
  static final long DROPPED = -4;

  /** Of {@link #takeOne}: nothing was reserved. */
  static final long NONE = -1;

  private static final long SHUT = Long.MIN_VALUE;
  private static final int ATTEMPTS = 4;
  private static final int SPREAD_BITS = 6;
  private static final VarHandle POS;

  static {
    try {
      POS = MethodHandles.lookup().findVarHandle(Padded.Position.class, "pos", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final Layout layout;
  private final int[] workerIds;
  private final boolean sole; // one worker id
  private final int sequenceBits;
  private final long sequenceMask;
  private final int timeShift;
  private final int workerShift;
  private final int sequenceShift;
  private final long single; // fixed bits and the only worker id; unused with several
  private final long places; // K
  private final long span; // K - 1, or -1 where even a single id is a big one
  private final int placesShift; // log2 K, or -1 when K is no power of two
  private final long spreadMask;
  private final long runAheadTicks;
  private final long epochMillis;
  private final boolean plain; // ids of a tick follow each other, and a reading is a tick
  private final long tickStride; // between the ids of two ticks

  private volatile long openMillis = SHUT;
  private volatile long lastPlace;
  private volatile long closedAt = -1;

  /**
   * A lease whose first place is the first of a tick.
   *
   * @param workerIds sorted, at least one, each within the layout
   * @param fromTick no id below this tick
   * @param horizonTick no id at or above this tick
   * @param runAheadTicks how far above the clock a reservation may begin
   */
  Lease(
      Layout layout,
      int[] workerIds,
      long fromTick,
      long horizonTick,
      SequenceStart start,
      long runAheadTicks) {
    this.layout = layout;
    this.workerIds = workerIds.clone();
    this.sole = workerIds.length == 1;
    this.sequenceBits = layout.sequenceBits();
    this.sequenceMask = (1L << sequenceBits) - 1;
    this.timeShift = layout.timeShift();
    this.workerShift = layout.workerShift();
    this.sequenceShift = layout.sequenceShift();
    this.single = layout.fixedBits() | (long) workerIds[0] << workerShift;
    this.places = (long) workerIds.length << sequenceBits;
    this.span = isBig(1) ? -1 : places - 1;
    this.placesShift = Long.bitCount(places) == 1 ? Long.numberOfTrailingZeros(places) : -1;
    int spreadBits = Math.min(SPREAD_BITS, Math.max(0, sequenceBits - 1));
    this.spreadMask = start == SequenceStart.SPREAD ? (1L << spreadBits) - 1 : 0;
    this.runAheadTicks = runAheadTicks;
    this.epochMillis = layout.epochMillis();
    this.plain = sole && sequenceShift == 0 && layout.tickMillis() == 1;
    this.tickStride = 1L << timeShift;
    this.pos = fromTick > layout.maxTick() ? Long.MIN_VALUE : Math.max(0, fromTick) * places;
    this.lastPlace = lastPlaceBelow(horizonTick);
  }

  /** A lease on nothing: what an engine has before its first and after its last. */
  static Lease none(Layout layout) {
    Lease lease = new Lease(layout, new int[] {0}, 0, 0, SequenceStart.ZERO, 0);
    lease.pos = Long.MIN_VALUE;
    return lease;
  }

  /**
   * Whether {@link #takeOpen} may be asked: a place was taken in the tick of this reading, and
   * nobody has found the tick full yet.
   */
  boolean isOpen(long wallMillis) {
    return openMillis == wallMillis;
  }

  /** The id of the first place in the tick of a reading that is open. */
  long firstId(long wallMillis) {
    return (wallMillis - epochMillis) * tickStride + single;
  }

  /**
   * Reserves one place in the tick of a reading that is open: as {@link #takeOne}, but without a
   * look at {@code pos}, for which its cache line would travel between the processors twice. The
   * tick is below the horizon, since a place in it was taken, and horizons only rise.
   *
   * @return how far the place, and so its id, is from the tick's first one; NONE: nothing was
   *     reserved; any other negative: the complement of a place that was reserved above that tick,
   *     to be {@link #checked}
   */
  long takeOpen(long wallMillis) {
    long first = (wallMillis - epochMillis) * places;
    long past = -places; // the bits that no distance inside a tick has
    long p = (long) POS.getAndAdd(this, 1L); // linearization point B
    long distance = p - first;
    if ((distance & past) == 0) {
      return distance;
    }
    return p < 0 ? NONE : ~p; // below 0: close came first, nothing was reserved
  }

  /**
   * Opens the tick of a reading in which the caller took a place. Racy, but benign: who is late
   * opens a tick that is full, or past and never read again. Then callers reserve above it, at most
   * one place each before it is {@link #shut}.
   */
  void open(long wallMillis) {
    if (plain && openMillis != wallMillis) {
      openMillis = wallMillis;
    }
  }

  /** For a caller who found the tick full: refused callers must not push the state on. */
  void shut() {
    openMillis = SHUT;
  }

  /**
   * Reserves one place in the tick {@code now}, if that tick is the state's already: the common
   * case of {@link #reserve}, made short. Takes the same steps in the same order.
   *
   * @param now the present tick
   * @return the place; NONE: nothing was reserved, ask {@link #reserve}; any other negative: the
   *     complement of a place that was reserved above that tick or above the horizon, to be {@link
   *     #checked}
   */
  long takeOne(long now) {
    long first = firstOf(now);
    long last = Math.min(first + span, lastPlace);
    long s = pos;
    if (s < first || s > last) {
      return NONE; // closed, another tick, or at the horizon: before reserving
    }
    long p = (long) POS.getAndAdd(this, 1L); // linearization point B
    if (p > last) {
      return ~p;
    }
    return p < 0 ? NONE : p; // close came first: nothing was reserved
  }

  /**
   * Reserves the next {@code n} places, in a tick at or above {@code now}.
   *
   * @param n 1..K
   * @param now the present tick
   * @return the first place; or CLOSED, AHEAD (nothing reserved: the state is too far above the
   *     clock), HORIZON (nothing reserved: the lease ends here) or DROPPED (reserved in part beyond
   *     the horizon: a gap)
   */
  long reserve(long n, long now) {
    boolean big = isBig(n);
    long ahead = big ? runAheadTicks >>> 1 : runAheadTicks; // giants leave room for single ids
    for (int i = 0; i < ATTEMPTS; i++) {
      long s = pos;
      if (s < 0) {
        return CLOSED;
      }
      long base = base(s, now);
      if (tickOf(base) - now > ahead) {
        return AHEAD;
      }
      if (base > lastPlace) {
        return HORIZON; // before reserving: refused callers never push the state on
      }
      long p = -1;
      if (base > s || big) {
        if (POS.compareAndSet(
            this, s, base + n)) { // linearization point A; dying after it leaves a gap
          p = base;
        } else if (big) {
          continue;
        }
      }
      if (p < 0) {
        p =
            (long)
                POS.getAndAdd(
                    this,
                    n); // linearization point B; after a lost A too: an older tick, still ours
      }
      if (p < 0) {
        return CLOSED; // close came first: nothing was reserved
      }
      return checked(p, n);
    }
    return AHEAD;
  }

  private boolean isBig(long n) {
    return n > places >>> 3;
  }

  /** The place {@code p} of {@code n} that were reserved; DROPPED if one is beyond the horizon. */
  long checked(long p, long n) {
    long last = p + n - 1;
    return last < 0 || last > lastPlace ? DROPPED : p;
  }

  private long base(long s, long now) {
    long start = firstOf(now);
    if (s >= start) {
      return s;
    }
    return spreadMask == 0 ? start : start + (s & spreadMask);
  }

  /** The first place of a tick. */
  private long firstOf(long tick) {
    return placesShift >= 0 ? tick << placesShift : tick * places;
  }

  /** The tick that a place lies in. */
  long tickOf(long p) {
    return placesShift >= 0 ? p >>> placesShift : p / places;
  }

  /** The id at a place. */
  long idAt(long p) {
    if (sole) {
      return single | p >>> sequenceBits << timeShift | (p & sequenceMask) << sequenceShift;
    }
    long t = tickOf(p);
    long v = p - t * places;
    return layout.fixedBits()
        | t << timeShift
        | (long) workerIds[(int) (v >>> sequenceBits)] << workerShift
        | (v & (1L << sequenceBits) - 1) << sequenceShift;
  }

  /**
   * How many places from {@code p} on, at most {@code n}, make ids at equal distances of {@link
   * #stride}.
   */
  long runLength(long p, long n) {
    long sequences = 1L << sequenceBits;
    return Math.min(n, sequences - (p & sequences - 1));
  }

  /** Distance between the ids of one run. */
  long stride() {
    return 1L << sequenceShift;
  }

  /** How many ids one tick holds. */
  long places() {
    return places;
  }

  long horizonTick() {
    return Math.floorDiv(lastPlace, places) + 1;
  }

  /** At the end of a layout that fills all bits the product wraps, to the largest number. */
  private long lastPlaceBelow(long tick) {
    return Math.max(0, Math.min(tick, layout.maxTick() + 1)) * places - 1;
  }

  /** Ascending; empty once closed. */
  List<Integer> workerIds() {
    return closed() ? List.of() : Arrays.stream(workerIds).boxed().toList();
  }

  boolean closed() {
    return pos < 0;
  }

  /** Next free position, or negative once closed. */
  long position() {
    return pos;
  }

  /**
   * Raises the horizon. For the keeper alone, before {@link #close}, after the store has made it
   * durable.
   *
   * @param tick ignored when it is not above the present one
   */
  void raise(long tick) {
    long raised = lastPlaceBelow(tick);
    if (raised > lastPlace) {
      lastPlace = raised;
    }
  }

  /**
   * Ends the lease: every reservation that succeeded came before, and none comes after.
   *
   * @return the last tick that may have been reserved in; below the first one when there was none
   */
  long close() {
    long s = (long) POS.getAndSet(this, Long.MIN_VALUE); // linearization point C
    if (s >= 0) {
      closedAt = s;
    }
    long end = closedAt;
    // Overflown at the end of the layout, or closed by another thread just now: all of it counts as
    // used.
    return end < 0 ? horizonTick() - 1 : end == 0 ? -1 : tickOf(end - 1);
  }
}
