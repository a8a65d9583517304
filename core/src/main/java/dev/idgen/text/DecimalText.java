package dev.idgen.text;

/** Decimal digits, as many as it takes. */
final class DecimalText implements Text {
  private static final int LENGTH_MAX = 19;
  private static final int EIGHT_DIGITS = 100_000_000;
  private static final short[] PAIRS = Ascii.pairs("0123456789");
  private static final long[] POWERS = powers();

  DecimalText() {}

  private static long[] powers() {
    long[] powers = new long[LENGTH_MAX];
    powers[0] = 1;
    for (int i = 1; i < LENGTH_MAX; i++) {
      powers[i] = powers[i - 1] * 10;
    }
    return powers;
  }

  @Override
  public String encode(long id) {
    byte[] ascii = new byte[length(id)];
    write(id, ascii, 0, ascii.length);
    return Ascii.string(ascii);
  }

  @Override
  public int encode(long id, byte[] into, int offset) {
    int length = length(id);
    Ascii.check(id, length, into, offset);
    write(id, into, offset, offset + length);
    return offset + length;
  }

  /** Eight digits at a time from the right, the rest in pairs. */
  private static void write(long id, byte[] into, int offset, int endExclusive) {
    int at = endExclusive;
    long left = id;
    while (left >= EIGHT_DIGITS) {
      long rest = left / EIGHT_DIGITS;
      at -= 8;
      Ascii.EIGHT.set(into, at, eight((int) (left - rest * EIGHT_DIGITS)));
      left = rest;
    }
    writeUpTo8((int) left, into, offset, at);
  }

  private static long eight(int number) {
    int upper = number / 10_000;
    int lower = number % 10_000;
    return PAIRS[upper / 100]
        | (long) PAIRS[upper % 100] << 16
        | (long) PAIRS[lower / 100] << 32
        | (long) PAIRS[lower % 100] << 48;
  }

  private static void writeUpTo8(int number, byte[] into, int offset, int endExclusive) {
    int at = endExclusive;
    int left = number;
    while (at - offset >= 2) {
      at -= 2;
      Ascii.TWO.set(into, at, PAIRS[left % 100]);
      left /= 100;
    }
    if (at > offset) {
      into[offset] = (byte) ('0' + left);
    }
  }

  @Override
  public long decode(CharSequence text) {
    if (text.length() == 0 || text.length() > LENGTH_MAX) {
      throw refusal(text);
    }
    String string = text.toString();
    long id = readOrRefuse(string);
    if (id < 0) {
      throw refusal(string);
    }
    return id;
  }

  @Override
  public boolean isCanonical(CharSequence text) {
    return text.length() <= LENGTH_MAX && readOrRefuse(text.toString()) >= 0;
  }

  /** The id, or something negative: past 2^63-1 too, since 19 digits stay below 2^64. */
  private static long readOrRefuse(String text) {
    int length = text.length();
    if (length == 0 || length > LENGTH_MAX || (length > 1 && text.charAt(0) == '0')) {
      return -1;
    }
    long id = 0;
    int faults = 0;
    for (int i = 0; i < length; i++) {
      int digit = text.charAt(i) - '0';
      faults |= digit | (9 - digit);
      id = id * 10 + digit;
    }
    return faults < 0 ? -1 : id;
  }

  private static TextException refusal(CharSequence text) {
    if (text.length() == 0 || text.length() > LENGTH_MAX) {
      return new TextException(text, TextException.WHOLE, "1.." + LENGTH_MAX + " digits");
    }
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) < '0' || text.charAt(i) > '9') {
        return new TextException(text, i, "0-9");
      }
    }
    if (text.charAt(0) == '0') {
      return new TextException(text, 0, "no leading zero");
    }
    return new TextException(text, TextException.WHOLE, "at most " + Long.MAX_VALUE);
  }

  /** From the bits of the id, its digits within one; a power of ten decides. */
  @Override
  public int length(long id) {
    Ascii.check(id);
    int bits = Long.SIZE - Long.numberOfLeadingZeros(id | 1);
    int digits = (bits * 1233) >>> 12;
    return id < POWERS[digits] ? Math.max(1, digits) : digits + 1;
  }

  @Override
  public int lengthMax() {
    return LENGTH_MAX;
  }

  @Override
  public boolean isOrdered() {
    return false;
  }

  @Override
  public String name() {
    return "decimal";
  }

  @Override
  public String toString() {
    return name();
  }
}
