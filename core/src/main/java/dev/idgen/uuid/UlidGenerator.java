package dev.idgen.uuid;

import dev.idgen.entropy.Entropy;
import dev.idgen.time.TimeSource;
import java.nio.ByteBuffer;

/**
 * Generates ULIDs in order. Thread-safe, lock-free, and never waits.
 *
 * <p>The first ULID of a millisecond has 80 bits from the entropy; each later one in it is one
 * larger, as the specification has it. So a ULID lets others of its millisecond be guessed: it is
 * no secret. A call that begins after another one has returned gets the larger ULID, whatever
 * threads they run on.
 *
 * <p>Where the specification fails when the 80 bits are used up, this goes on in the next
 * millisecond, with new random bits. While the clock stands still or is back, ULIDs go on in the
 * last millisecond that it showed, until the clock has caught up; {@link #aheadMillis} shows how
 * far it is behind. A reading that 48 bits do not hold is refused, and leaves no trace.
 */
public final class UlidGenerator {
  private static final int RANDOM_BYTES = 10;
  private static final long RANDOM_HIGH_MAX = 0xffff;

  private final Row row;

  /**
   * A generator with an order of its own.
   *
   * @param time whose wall clock goes into the ULIDs
   * @param entropy asked for ten bytes each millisecond in which there are ULIDs
   */
  public UlidGenerator(TimeSource time, Entropy entropy) {
    row = new Row(time, entropy);
  }

  /**
   * The next ULID.
   *
   * @return larger than every one that this generator returned before
   * @throws dev.idgen.IdException the clock reads before 1970 or past 48 bits of milliseconds
   */
  public Ulid take() {
    return row.take();
  }

  /**
   * The text of {@link #take}.
   *
   * @throws dev.idgen.IdException the clock reads before 1970 or past 48 bits of milliseconds
   */
  public String takeText() {
    return take().toString();
  }

  /** How far the next ULID is ahead of the clock; 0 when the clock runs forward. */
  public long aheadMillis() {
    return row.aheadMillis();
  }

  /** A tick's start is its first ULID, so a place is a number to add. */
  private static final class Row extends Timeline<Ulid> {
    private final Entropy entropy;

    Row(TimeSource time, Entropy entropy) {
      super(time);
      this.entropy = entropy;
    }

    @Override
    Tick begin(long millis, long nowMillis) {
      byte[] random = new byte[RANDOM_BYTES];
      entropy.fill(random);
      ByteBuffer buffer = ByteBuffer.wrap(random);
      long randomHigh = Short.toUnsignedLong(buffer.getShort());
      long low = buffer.getLong();
      return new Tick(millis, millis << 16 | randomHigh, low, places(randomHigh, low));
    }

    /** Up to 2^80, or more than anybody can take. */
    private static long places(long randomHigh, long low) {
      long left = -low; // 2^64 - low, as an unsigned number
      return randomHigh == RANDOM_HIGH_MAX && left > 0 ? left : Long.MAX_VALUE;
    }

    @Override
    Ulid make(Tick tick, long place, long nowMillis) {
      long low = tick.startLow + place;
      long carry = Long.compareUnsigned(low, place) < 0 ? 1 : 0;
      return new Ulid(tick.startHigh + carry, low);
    }
  }
}
