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
 * <tr><td>{@code horizonTick}</td><td>volatile; only rises; written by the keeper alone, never once closed</td></tr>
 * <tr><td>{@code closedAt}</td><td>volatile; written once, after {@code pos} was closed</td></tr>
 * </table>
 */
final class Lease {
  static final long CLOSED = -1;
  static final long AHEAD = -2;
  static final long HORIZON = -3;
  static final long DROPPED = -4;

  private static final int ATTEMPTS = 4;
  private static final int SPREAD_BITS = 6;
  private static final VarHandle POS;

  static {
    try {
      POS = MethodHandles.lookup().findVarHandle(Lease.class, "pos", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final Layout layout;
  private final int[] workerIds;
  private final int sequenceBits;
  private final int timeShift;
  private final int workerShift;
  private final int sequenceShift;
  private final long single; // fixed bits and the only worker id; unused with several
  private final long places; // K
  private final int placesShift; // log2 K, or -1 when K is no power of two
  private final long spreadMask;
  private final long runAheadTicks;

  private volatile long pos;
  private volatile long horizonTick;
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
    this.sequenceBits = layout.sequenceBits();
    this.timeShift = layout.timeShift();
    this.workerShift = layout.workerShift();
    this.sequenceShift = layout.sequenceShift();
    this.single = layout.fixedBits() | (long) workerIds[0] << workerShift;
    this.places = (long) workerIds.length << sequenceBits;
    this.placesShift = Long.bitCount(places) == 1 ? Long.numberOfTrailingZeros(places) : -1;
    int spreadBits = Math.min(SPREAD_BITS, Math.max(0, sequenceBits - 1));
    this.spreadMask = start == SequenceStart.SPREAD ? (1L << spreadBits) - 1 : 0;
    this.runAheadTicks = runAheadTicks;
    this.pos = fromTick > layout.maxTick() ? Long.MIN_VALUE : Math.max(0, fromTick) * places;
    this.horizonTick = Math.min(horizonTick, layout.maxTick() + 1);
  }

  /** A lease on nothing: what an engine has before its first and after its last. */
  static Lease none(Layout layout) {
    Lease lease = new Lease(layout, new int[] {0}, 0, 0, SequenceStart.ZERO, 0);
    lease.pos = Long.MIN_VALUE;
    return lease;
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
    boolean big = n > places >>> 3;
    long ahead = big ? runAheadTicks >>> 1 : runAheadTicks; // giants leave room for single ids
    for (int i = 0; i < ATTEMPTS; i++) {
      long s = pos;
      if (s < 0) {
        return CLOSED;
      }
      long base = base(s, now);
      long t = tickOf(base);
      if (t - now > ahead) {
        return AHEAD;
      }
      if (t >= horizonTick) {
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
      long last = p + n - 1;
      return last < 0 || tickOf(last) >= horizonTick ? DROPPED : p;
    }
    return AHEAD;
  }

  private long base(long s, long now) {
    long start = now * places;
    if (s >= start) {
      return s;
    }
    return spreadMask == 0 ? start : start + (s & spreadMask);
  }

  /** The tick that a place lies in. */
  long tickOf(long p) {
    return placesShift >= 0 ? p >>> placesShift : p / places;
  }

  /** The id at a place. */
  long idAt(long p) {
    if (workerIds.length == 1) {
      return single
          | p >>> sequenceBits << timeShift
          | (p & (1L << sequenceBits) - 1) << sequenceShift;
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
    return horizonTick;
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
    long capped = Math.min(tick, layout.maxTick() + 1);
    if (capped > horizonTick) {
      horizonTick = capped;
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
    return end < 0 ? horizonTick - 1 : end == 0 ? -1 : tickOf(end - 1);
  }
}
