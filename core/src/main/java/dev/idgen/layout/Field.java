package dev.idgen.layout;

/**
 * One field of a layout: a run of bits in an id. A value; immutable.
 *
 * @param kind what the bits mean
 * @param bits how many, 1..63
 * @param shift how many bits lie below it, 0..63
 */
public record Field(Kind kind, int bits, int shift) {

  /** Refuses a field that does not lie inside 64 bits. */
  public Field {
    if (bits < 1 || bits > 63) {
      throw new IllegalArgumentException("bits: " + bits + " (expected: 1..63)");
    }
    if (shift < 0 || shift > Long.SIZE - bits) {
      throw new IllegalArgumentException(
          "shift: " + shift + " (expected: 0.." + (Long.SIZE - bits) + ")");
    }
  }

  /** The largest value that the field holds. */
  public long max() {
    return (1L << bits) - 1;
  }

  /**
   * The field's value in an id, whether or not the id belongs to the layout.
   *
   * @return 0..{@link #max}
   */
  public long valueOf(long id) {
    return id >>> shift & max();
  }

  /** What a field means. */
  public enum Kind {
    /** A fixed number at the top that tells one generation of ids from the next. */
    VERSION("version"),
    /** Ticks since the epoch. */
    TIME("time"),
    /** The upper part of a split worker id. */
    REGION("region"),
    /** The worker id, or its lower part where a region is split off. */
    WORKER("worker"),
    /** Tells the ids of one worker and tick apart. */
    SEQUENCE("sequence");

    private final String text;

    Kind(String text) {
      this.text = text;
    }

    /** The name in texts: lower case. */
    @Override
    public String toString() {
      return text;
    }
  }
}
