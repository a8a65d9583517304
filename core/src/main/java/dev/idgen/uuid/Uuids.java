package dev.idgen.uuid;

import dev.idgen.text.TextException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.UUID;

/**
 * UUIDs of any version: reading, writing, comparing, and the time inside. Thread-safe.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9562">RFC 9562</a>
 */
public final class Uuids {
  /** How many bytes a UUID has. */
  public static final int BYTES = 16;

  /** How many characters the text of a UUID has. */
  public static final int LENGTH = 36;

  /** The UUID with no bit set. */
  public static final UUID NIL = new UUID(0, 0);

  /** The UUID with all bits set. */
  public static final UUID MAX = new UUID(-1, -1);

  private static final int RFC_VARIANT = 2;
  private static final String DIGITS = "0123456789abcdef";
  private static final long GREGORIAN_EPOCH_SECOND = -12_219_292_800L; // 1582-10-15
  private static final int STEPS_PER_SECOND = 10_000_000;
  private static final int NANOS_PER_STEP = 100;

  private Uuids() {}

  /**
   * Reads a UUID of any version: 8-4-4-4-12 hexadecimal digits, in upper or lower case, and nothing
   * around them.
   *
   * @throws TextException this is not such a text
   */
  public static UUID parse(CharSequence text) {
    if (text.length() != LENGTH) {
      throw new TextException(text, TextException.WHOLE, LENGTH + " characters");
    }
    long high = 0;
    long low = 0;
    for (int i = 0; i < LENGTH; i++) {
      if (isHyphen(i)) {
        checkHyphen(text, i);
        continue;
      }
      high = high << 4 | low >>> 60;
      low = low << 4 | digit(text, i);
    }
    return new UUID(high, low);
  }

  private static boolean isHyphen(int index) {
    return index == 8 || index == 13 || index == 18 || index == 23;
  }

  private static void checkHyphen(CharSequence text, int index) {
    if (text.charAt(index) != '-') {
      throw new TextException(text, index, "-");
    }
  }

  /** Not {@link Character#digit}, which takes the digits of all scripts. */
  private static int digit(CharSequence text, int index) {
    char c = text.charAt(index);
    if (c >= '0' && c <= '9') {
      return c - '0';
    }
    int letter = c | 0x20;
    if (letter >= 'a' && letter <= 'f') {
      return letter - 'a' + 10;
    }
    throw new TextException(text, index, "0-9a-f");
  }

  /** Writes a UUID: {@value #LENGTH} characters, in lower case. */
  public static String print(UUID uuid) {
    return uuid.toString();
  }

  /**
   * Writes a UUID as ASCII into an array, without creating any object.
   *
   * @param into receives {@value #LENGTH} bytes
   * @param offset where the first one goes
   * @return the offset behind the last byte written
   * @throws IndexOutOfBoundsException there is too little room; nothing was written
   */
  public static int print(UUID uuid, byte[] into, int offset) {
    if (offset < 0 || offset > into.length - LENGTH) {
      throw new IndexOutOfBoundsException(
          "offset: " + offset + " (expected: 0.." + (into.length - LENGTH) + ")");
    }
    long half = uuid.getMostSignificantBits();
    int shift = Long.SIZE;
    for (int i = 0; i < LENGTH; i++) {
      if (isHyphen(i)) {
        into[offset + i] = '-';
        continue;
      }
      if (shift == 0) {
        half = uuid.getLeastSignificantBits();
        shift = Long.SIZE;
      }
      shift -= 4;
      into[offset + i] = (byte) DIGITS.charAt((int) (half >>> shift) & 0xf);
    }
    return offset + LENGTH;
  }

  /**
   * Compares as unsigned 128-bit numbers, which is the order of the texts and of databases. {@link
   * UUID#compareTo} differs: it takes each half as signed.
   *
   * @return negative, 0 or positive, as the first is smaller, equal or larger
   */
  public static int compareUnsigned(UUID first, UUID second) {
    int order =
        Long.compareUnsigned(first.getMostSignificantBits(), second.getMostSignificantBits());
    return order != 0
        ? order
        : Long.compareUnsigned(first.getLeastSignificantBits(), second.getLeastSignificantBits());
  }

  /**
   * The version, if the UUID is of the variant that RFC 9562 describes.
   *
   * @return 0..15; -1 for other variants, which have no version, {@link #NIL} and {@link #MAX} too
   */
  public static int versionOf(UUID uuid) {
    return uuid.variant() == RFC_VARIANT ? uuid.version() : -1;
  }

  /** Whether {@link #timeOf} finds a time in it: versions 1, 6 and 7. */
  public static boolean hasTime(UUID uuid) {
    int version = versionOf(uuid);
    return version == 1 || version == 6 || version == 7;
  }

  /**
   * The time inside: of versions 1 and 6 in steps of 100 ns since 1582-10-15, of version 7 in
   * milliseconds since 1970.
   *
   * @throws IllegalArgumentException it is of another version
   */
  public static Instant timeOf(UUID uuid) {
    long high = uuid.getMostSignificantBits();
    return switch (versionOf(uuid)) {
      case 1 -> gregorian((high & 0xfff) << 48 | (high & 0xffff_0000L) << 16 | high >>> 32);
      case 6 -> gregorian(high >>> 16 << 12 | (high & 0xfff));
      case 7 -> Instant.ofEpochMilli(high >>> 16);
      default ->
          throw new IllegalArgumentException(
              "uuid: " + uuid + " (expected: version 1, 6 or 7 of RFC 9562)");
    };
  }

  private static Instant gregorian(long steps) {
    return Instant.ofEpochSecond(
        GREGORIAN_EPOCH_SECOND + steps / STEPS_PER_SECOND,
        steps % STEPS_PER_SECOND * NANOS_PER_STEP);
  }

  /** The {@value #BYTES} bytes, most significant first. */
  public static byte[] toBytes(UUID uuid) {
    return ByteBuffer.allocate(BYTES)
        .putLong(uuid.getMostSignificantBits())
        .putLong(uuid.getLeastSignificantBits())
        .array();
  }

  /**
   * The UUID of {@value #BYTES} bytes, most significant first.
   *
   * @throws IllegalArgumentException there are more or fewer of them
   */
  public static UUID ofBytes(byte[] bytes) {
    if (bytes.length != BYTES) {
      throw new IllegalArgumentException("bytes: " + bytes.length + " (expected: " + BYTES + ")");
    }
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    return new UUID(buffer.getLong(), buffer.getLong());
  }

  /** The first 128 bits of these bytes, with version and variant put over them. */
  static UUID stamped(byte[] bytes, int version) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    long high = (buffer.getLong() & ~0xf000L) | (long) version << 12;
    long low = (buffer.getLong() & -1L >>> 2) | (long) RFC_VARIANT << 62;
    return new UUID(high, low);
  }
}
