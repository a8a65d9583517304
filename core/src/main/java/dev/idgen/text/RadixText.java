package dev.idgen.text;

import java.math.BigInteger;

/**
 * Eleven digits in a radix that is no power of two: one digit, then two groups of five.
 *
 * <p>Dividing is multiplying by a reciprocal that is made once. For the groups the reciprocal is
 * rounded down, so the quotient is right or one too small, which one comparison mends. Inside a
 * group (below 2^30) it is rounded up, and exact: the error stays below {@code 2^30 * radix^2 /
 * 2^43}, which is below 1 for a radix of up to 64.
 *
 * @see <a href="https://gmplib.org/~tege/divcnst-pldi94.pdf">Granlund and Montgomery, Division by
 *     invariant integers using multiplication</a>
 */
final class RadixText extends FixedText {
  private static final int LENGTH = 11;
  private static final int PAIR_SHIFT = 43;

  private final byte[] digits;
  private final short[] pairs;
  private final int radix;
  private final int pair;
  private final long pairReciprocal;
  private final long group;
  private final long groupReciprocal;
  private final int groupShift;
  private final int firstMax;

  /** A text in this alphabet, which is in ASCII order and has 54 to 64 characters. */
  RadixText(String name, String alphabet, String characters) {
    super(name, LENGTH, Ascii.values(alphabet), characters);
    digits = Ascii.lowBytes(alphabet, alphabet.length());
    pairs = Ascii.pairs(alphabet);
    radix = digits.length;
    pair = radix * radix;
    pairReciprocal = (1L << PAIR_SHIFT) / pair + 1;
    group = (long) pair * pair * radix;
    groupShift = Long.SIZE - 2 - Long.numberOfLeadingZeros(group);
    groupReciprocal =
        BigInteger.ONE
            .shiftLeft(Long.SIZE + groupShift)
            .divide(BigInteger.valueOf(group))
            .longValueExact();
    firstMax = (int) (Long.MAX_VALUE / group / group);
  }

  @Override
  void write(long id, byte[] into, int offset) {
    long upper = groups(id);
    long lower = id - upper * group;
    if (lower >= group) {
      lower -= group;
      upper++;
    }
    long first = groups(upper);
    long middle = upper - first * group;
    if (middle >= group) {
      middle -= group;
      first++;
    }
    into[offset] = digits[(int) first];
    writeGroup((int) middle, into, offset + 1);
    writeGroup((int) lower, into, offset + 6);
  }

  /** The number divided by {@code group}, or one less. */
  private long groups(long number) {
    return Math.multiplyHigh(number, groupReciprocal) >>> groupShift;
  }

  private void writeGroup(int number, byte[] into, int offset) {
    int rest = (int) ((number * pairReciprocal) >>> PAIR_SHIFT);
    int digit = (int) ((rest * pairReciprocal) >>> PAIR_SHIFT);
    into[offset] = digits[digit];
    Ascii.FOUR.set(
        into, offset + 1, pairs[rest - digit * pair] | pairs[number - rest * pair] << 16);
  }

  /** Past 2^63-1 the sum is negative, since the first digit keeps it below 2^64. */
  @Override
  long read(String text) {
    byte[] from = Ascii.lowBytes(text, LENGTH);
    int first = value(from, 0);
    int middle = readGroup(from, 1);
    int lower = readGroup(from, 6);
    if ((first | middle | lower) < 0 || first > firstMax || Ascii.isWide(text, LENGTH)) {
      return -1;
    }
    return (first * group + middle) * group + lower;
  }

  private int readGroup(byte[] from, int index) {
    int first = value(from, index);
    int second = value(from, index + 1);
    int third = value(from, index + 2);
    int fourth = value(from, index + 3);
    int fifth = value(from, index + 4);
    if ((first | second | third | fourth | fifth) < 0) {
      return -1;
    }
    return (first * radix + second) * pair * radix + (third * radix + fourth) * radix + fifth;
  }
}
