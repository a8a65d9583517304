package dev.idgen.uuid;

import dev.idgen.entropy.Entropy;
import dev.idgen.text.Text;
import dev.idgen.text.TextException;
import dev.idgen.time.TimeSource;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.UUID;

/**
 * A ULID: 48 bits of milliseconds since 1970 and 80 random bits, shown as 26 characters. A value;
 * immutable. Ordered as unsigned 128-bit numbers, and so as texts and as bytes.
 *
 * @param high the time and the upper 16 random bits
 * @param low the lower 64 random bits
 * @see UlidGenerator
 * @see <a href="https://github.com/ulid/spec">ULID, the specification</a>
 */
public record Ulid(long high, long low) implements Comparable<Ulid> {
  /** How many bytes a ULID has. */
  public static final int BYTES = 16;

  /** How many characters the text of a ULID has. */
  public static final int LENGTH = 26;

  private static final String ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
  private static final int FIRST_MAX = 7;
  private static final long LOW_60_BITS = (1L << 60) - 1;

  private static final UlidGenerator SHARED =
      new UlidGenerator(TimeSource.system(), Entropy.secure());

  /**
   * The next ULID of the generator that the whole process shares.
   *
   * @return larger than every one that it returned before
   * @throws dev.idgen.IdException the clock reads before 1970 or past 48 bits of milliseconds
   */
  public static Ulid next() {
    return SHARED.take();
  }

  /**
   * The text of {@link #next}.
   *
   * @throws dev.idgen.IdException the clock reads before 1970 or past 48 bits of milliseconds
   */
  public static String nextText() {
    return SHARED.takeText();
  }

  /**
   * Reads a ULID: 26 characters of Crockford's base 32 in upper or lower case, the first at most 7.
   * Look-alikes (I, L, O), U and hyphens are refused.
   *
   * @throws TextException this is not such a text
   */
  public static Ulid parse(CharSequence text) {
    if (text.length() != LENGTH) {
      throw new TextException(text, TextException.WHOLE, LENGTH + " characters");
    }
    if (text.charAt(0) > '0' + FIRST_MAX) {
      throw new TextException(text, 0, "0-" + FIRST_MAX);
    }
    long high = 0;
    long low = 0;
    for (int i = 0; i < LENGTH; i++) {
      high = high << 5 | low >>> 59;
      low = low << 5 | digit(text, i);
    }
    return new Ulid(high, low);
  }

  private static int digit(CharSequence text, int index) {
    char c = text.charAt(index);
    int digit = ALPHABET.indexOf(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
    if (digit < 0) {
      throw new TextException(text, index, "one of 0-9A-Z without I, L, O, U");
    }
    return digit;
  }

  /**
   * The ULID of {@value #BYTES} bytes, most significant first.
   *
   * @throws IllegalArgumentException there are more or fewer of them
   */
  public static Ulid ofBytes(byte[] bytes) {
    if (bytes.length != BYTES) {
      throw new IllegalArgumentException("bytes: " + bytes.length + " (expected: " + BYTES + ")");
    }
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    return new Ulid(buffer.getLong(), buffer.getLong());
  }

  /** The ULID with the bits of a UUID of any version. */
  public static Ulid ofUuid(UUID uuid) {
    return new Ulid(uuid.getMostSignificantBits(), uuid.getLeastSignificantBits());
  }

  /** The same bits as a UUID: of no particular version, unless they came from one. */
  public UUID toUuid() {
    return new UUID(high, low);
  }

  /** The {@value #BYTES} bytes, most significant first. */
  public byte[] toBytes() {
    return ByteBuffer.allocate(BYTES).putLong(high).putLong(low).array();
  }

  /** When it was made, to the millisecond, by the clock of its maker. */
  public Instant time() {
    return Instant.ofEpochMilli(high >>> 16);
  }

  @Override
  public int compareTo(Ulid other) {
    int order = Long.compareUnsigned(high, other.high);
    return order != 0 ? order : Long.compareUnsigned(low, other.low);
  }

  /** The text: {@value #LENGTH} characters, in upper case. */
  @Override
  public String toString() {
    byte[] ascii = new byte[LENGTH];
    print(ascii, 0);
    return ascii(ascii);
  }

  /** Copied as they are: the deprecated way is the one with no decoder. */
  @SuppressWarnings("deprecation")
  private static String ascii(byte[] bytes) {
    return new String(bytes, 0, 0, bytes.length);
  }

  /**
   * Writes the text as ASCII into an array, without creating any object.
   *
   * @param into receives {@value #LENGTH} bytes
   * @param offset where the first one goes
   * @return the offset behind the last byte written
   * @throws IndexOutOfBoundsException there is too little room; nothing was written
   */
  public int print(byte[] into, int offset) {
    if (offset < 0 || offset > into.length - LENGTH) {
      throw new IndexOutOfBoundsException(
          "offset: " + offset + " (expected: 0.." + (into.length - LENGTH) + ")");
    }
    int middle = Text.CROCKFORD.encode(high >>> 1, into, offset);
    int end = Text.CROCKFORD.encode(low & LOW_60_BITS, into, middle);
    into[middle] = (byte) ALPHABET.charAt((int) ((high & 1) << 4 | low >>> 60));
    return end;
  }
}
