package dev.idgen.text;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** ASCII bytes to and from strings, and the tables by which texts are written and read. */
final class Ascii {
  /** Two, four and eight neighbouring bytes of an array, the first one in the lowest bits. */
  static final VarHandle TWO = view(short[].class);

  static final VarHandle FOUR = view(int[].class);
  static final VarHandle EIGHT = view(long[].class);

  private Ascii() {}

  private static VarHandle view(Class<?> arrayType) {
    return MethodHandles.byteArrayViewVarHandle(arrayType, ByteOrder.LITTLE_ENDIAN);
  }

  /** A string of these bytes, copied as they are: the deprecated way is the one with no decoder. */
  @SuppressWarnings("deprecation")
  static String string(byte[] ascii) {
    return new String(ascii, 0, 0, ascii.length);
  }

  /**
   * The low byte of each character. Ambiguous past U+00FF, which is why {@link #isWide} has to be
   * asked before the result of reading them is believed.
   */
  @SuppressWarnings("deprecation")
  static byte[] lowBytes(String text, int length) {
    byte[] bytes = new byte[length];
    text.getBytes(0, length, bytes, 0);
    return bytes;
  }

  /** Whether a character is past U+00FF. */
  static boolean isWide(String text, int length) {
    int all = 0;
    for (int i = 0; i < length; i++) {
      all |= text.charAt(i);
    }
    return all > 0xff;
  }

  /** All pairs of an alphabet: the text of {@code i} in two digits, as {@link #TWO} stores it. */
  static short[] pairs(String alphabet) {
    int radix = alphabet.length();
    short[] pairs = new short[radix * radix];
    for (int i = 0; i < pairs.length; i++) {
      pairs[i] = (short) (alphabet.charAt(i / radix) | alphabet.charAt(i % radix) << 8);
    }
    return pairs;
  }

  /** The value of each byte, -1 where the alphabet does not have it. */
  static byte[] values(String alphabet) {
    byte[] values = new byte[256];
    Arrays.fill(values, (byte) -1);
    for (int i = 0; i < alphabet.length(); i++) {
      values[alphabet.charAt(i)] = (byte) i;
    }
    return values;
  }

  /** Refuses a negative id, and an array without room for its text. */
  static void check(long id, int length, byte[] into, int offset) {
    check(id);
    if (offset < 0 || offset > into.length - length) {
      throw new IndexOutOfBoundsException(
          "offset: " + offset + " (expected: 0.." + (into.length - length) + ")");
    }
  }

  /** Refuses a negative id. */
  static void check(long id) {
    if (id < 0) {
      throw new IllegalArgumentException("id: " + id + " (expected: 0.." + Long.MAX_VALUE + ")");
    }
  }
}
