package dev.idgen.text;

/** Sixteen hexadecimal digits. */
final class HexText extends FixedText {
  private static final String ALPHABET = "0123456789abcdef";
  private static final int LENGTH = 16;
  private static final short[] PAIRS = Ascii.pairs(ALPHABET);

  HexText() {
    super("hex", LENGTH, Ascii.values(ALPHABET), "0-9a-f");
  }

  @Override
  void write(long id, byte[] into, int offset) {
    Ascii.EIGHT.set(into, offset, eight((int) (id >>> 32)));
    Ascii.EIGHT.set(into, offset + 8, eight((int) id));
  }

  private static long eight(int bits) {
    return PAIRS[bits >>> 24]
        | (long) PAIRS[bits >>> 16 & 0xff] << 16
        | (long) PAIRS[bits >>> 8 & 0xff] << 32
        | (long) PAIRS[bits & 0xff] << 48;
  }

  /** A refused digit makes its group negative, and a first digit past 7 the whole. */
  @Override
  long read(String text) {
    byte[] from = Ascii.lowBytes(text, LENGTH);
    int first = four(from, 0);
    int second = four(from, 4);
    int third = four(from, 8);
    int fourth = four(from, 12);
    if ((first | second | third | fourth) < 0 || Ascii.isWide(text, LENGTH)) {
      return -1;
    }
    return (long) first << 48 | (long) second << 32 | (long) third << 16 | fourth;
  }

  private int four(byte[] from, int index) {
    return value(from, index) << 12
        | value(from, index + 1) << 8
        | value(from, index + 2) << 4
        | value(from, index + 3);
  }
}
