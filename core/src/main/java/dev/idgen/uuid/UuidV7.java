package dev.idgen.uuid;

import dev.idgen.entropy.Entropy;
import dev.idgen.time.TimeSource;
import java.util.UUID;

/**
 * Generates version 7 UUIDs: 48 bits of milliseconds since 1970, then 74 bits that keep ids apart.
 * Thread-safe, lock-free, and never waits.
 *
 * <p><b>Order.</b> As unsigned 128-bit numbers, and so as texts, the ids of one generator strictly
 * increase: a call that begins after another one has returned gets the larger id, whatever threads
 * they run on. (Compare with {@link Uuids#compareUnsigned}: {@link UUID#compareTo} takes the halves
 * as signed.) Ids of different generators follow their clocks.
 *
 * <p><b>Bits.</b> {@code rand_a} and the top 8 bits of {@code rand_b} are a counter of 20 bits. It
 * begins each millisecond at a random number below 2^19 and rises by one for each id. The other 54
 * bits are random, fresh for each id. All random bits are cryptographically secure if the entropy
 * is; still an id is no secret, since it tells its time and, inside a millisecond, its order.
 *
 * <p><b>Clock.</b> When the counter is full, ids go on in the next millisecond, ahead of the clock.
 * That takes at least 2^19 ids in one millisecond, so it concerns a clock that stands still or went
 * back: ids then keep the highest time that was read, plus at most one millisecond for each 524,288
 * ids taken meanwhile, until the clock has caught up. There is no bound on how far the clock may be
 * behind, since refusing would help nobody; {@link #aheadMillis} shows it. Only a reading that 48
 * bits do not hold is refused, and leaves no trace. Ids of a clock that was far ahead once keep its
 * time until the process ends; order is what is promised.
 *
 * <p>Nothing is stored: over a restart, and between processes, ids are told apart by the 73 random
 * bits, and ordered by the clock. A process image that is copied (a restored snapshot) shares its
 * random bits with the copy for up to a second of its clock.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9562#section-5.7">RFC 9562, sections 5.7 and 6.2
 *     (method 1)</a>
 */
public final class UuidV7 {
  private static final int COUNTER_BITS = 20;
  private static final int COUNTER_LOW_BITS = 8;
  private static final int TAIL_BITS = 62 - COUNTER_LOW_BITS;
  private static final long VERSION = 7L << 12;
  private static final long VARIANT = 1L << 63;

  private static final UuidV7 SHARED = new UuidV7(TimeSource.system(), Entropy.secure());

  private final TimeSource time;
  private final Bits bits;
  private final Row row;

  /**
   * A generator with an order of its own.
   *
   * @param time whose wall clock goes into the ids
   * @param entropy where the random bits come from: keys are drawn from it at most once a second,
   *     or once in 64 MiB, and stretched by AES-256 in counter mode
   */
  public UuidV7(TimeSource time, Entropy entropy) {
    this(time, new RandomBits(entropy));
  }

  UuidV7(TimeSource time, Bits bits) {
    this.time = time;
    this.bits = bits;
    this.row = new Row(time, bits);
  }

  /**
   * The next id of the generator that the whole process shares.
   *
   * @return larger, unsigned, than every id that it returned before
   * @throws dev.idgen.IdException the clock reads before 1970 or past 48 bits of milliseconds
   */
  public static UUID next() {
    return SHARED.take();
  }

  /**
   * An id with all 74 bits random, by the clock and the entropy of the process. In no order inside
   * a millisecond, nor when the clock goes back.
   *
   * @throws dev.idgen.IdException the clock reads before 1970 or past 48 bits of milliseconds
   */
  public static UUID nextRandom() {
    return SHARED.takeRandom();
  }

  /**
   * The next id of this generator.
   *
   * @return larger, unsigned, than every id that this method returned before
   * @throws dev.idgen.IdException the clock reads before 1970 or past 48 bits of milliseconds
   */
  public UUID take() {
    return row.take();
  }

  /**
   * An id with all 74 bits random, in no order inside a millisecond, nor when the clock goes back.
   *
   * @throws dev.idgen.IdException the clock reads before 1970 or past 48 bits of milliseconds
   */
  public UUID takeRandom() {
    long now = Timeline.now(time);
    return new UUID(high(now, bits.next(now) >>> 52), VARIANT | bits.next(now) >>> 2);
  }

  /** How far the next id of {@link #take} is ahead of the clock; 0 when the clock runs forward. */
  public long aheadMillis() {
    return row.aheadMillis();
  }

  private static long high(long millis, long randA) {
    return millis << 16 | VERSION | randA;
  }

  /** The ordered ids: a tick's start is the counter's. */
  private static final class Row extends Timeline<UUID> {
    private final Bits bits;

    Row(TimeSource time, Bits bits) {
      super(time);
      this.bits = bits;
    }

    @Override
    Tick begin(long millis, long nowMillis) {
      long start = bits.next(nowMillis) >>> (Long.SIZE - COUNTER_BITS + 1);
      return new Tick(millis, start, 0, (1L << COUNTER_BITS) - start);
    }

    @Override
    UUID make(Tick tick, long place, long nowMillis) {
      long counter = tick.startHigh + place;
      long tail = bits.next(nowMillis) >>> (Long.SIZE - TAIL_BITS);
      long counterLow = counter & ((1L << COUNTER_LOW_BITS) - 1);
      return new UUID(
          high(tick.millis, counter >>> COUNTER_LOW_BITS),
          VARIANT | counterLow << TAIL_BITS | tail);
    }
  }
}
