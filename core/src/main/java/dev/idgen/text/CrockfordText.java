package dev.idgen.text;

import java.util.Locale;

/** Crockford's base 32: three bits in the first character, five in each of the other twelve. */
final class CrockfordText extends FixedText {
  private static final String ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
  private static final char[] DIGITS = ALPHABET.toCharArray();
  private static final int DIGIT_MASK = 0x1f;
  private static final int LENGTH = 13;
  private static final short[] PAIRS = Ascii.pairs(ALPHABET);
  private static final int FIRST_MAX = 7;
  private static final int PAIR_MASK = 0x3ff;

  CrockfordText() {
    super("crockford", LENGTH, lenientValues(), "0-9A-Z without U");
  }

  private static byte[] lenientValues() {
    byte[] values = Ascii.values(ALPHABET);
    for (char c : ALPHABET.toLowerCase(Locale.ROOT).toCharArray()) {
      values[c] = values[Character.toUpperCase(c)];
    }
    for (char c : "IiLl".toCharArray()) {
      values[c] = 1;
    }
    for (char c : "Oo".toCharArray()) {
      values[c] = 0;
    }
    return values;
  }

  /**
   * Through characters: the virtual machine packs them into a string in line, where bytes would be
   * copied by a call.
   */
  @Override
  public String encode(long id) {
    Ascii.check(id);
    char[] text = new char[LENGTH];
    text[0] = digit(id, 60);
    text[1] = digit(id, 55);
    text[2] = digit(id, 50);
    text[3] = digit(id, 45);
    text[4] = digit(id, 40);
    text[5] = digit(id, 35);
    text[6] = digit(id, 30);
    text[7] = digit(id, 25);
    text[8] = digit(id, 20);
    text[9] = digit(id, 15);
    text[10] = digit(id, 10);
    text[11] = digit(id, 5);
    text[12] = digit(id, 0);
    return new String(text);
  }

  private static char digit(long id, int shift) {
    return DIGITS[(int) (id >>> shift) & DIGIT_MASK];
  }

  @Override
  void write(long id, byte[] into, int offset) {
    into[offset] = (byte) ('0' + (int) (id >>> 60));
    Ascii.EIGHT.set(
        into,
        offset + 1,
        pair(id, 50) | pair(id, 40) << 16 | pair(id, 30) << 32 | pair(id, 20) << 48);
    Ascii.FOUR.set(into, offset + 9, (int) (pair(id, 10) | pair(id, 0) << 16));
  }

  private static long pair(long id, int shift) {
    return PAIRS[(int) (id >>> shift) & PAIR_MASK];
  }

  @Override
  long read(String text) {
    byte[] from = Ascii.lowBytes(text, LENGTH);
    int first = value(from, 0);
    int upper = four(from, 1);
    int middle = four(from, 5);
    int lower = four(from, 9);
    if ((first | upper | middle | lower) < 0 || first > FIRST_MAX || Ascii.isWide(text, LENGTH)) {
      return -1;
    }
    return (long) first << 60 | (long) upper << 40 | (long) middle << 20 | lower;
  }

  private int four(byte[] from, int index) {
    return value(from, index) << 15
        | value(from, index + 1) << 10
        | value(from, index + 2) << 5
        | value(from, index + 3);
  }
}
