package dev.idgen.inspect;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/** Cuts a number into fields, from the most significant bit down. Not thread-safe. */
final class Cutter {
  private final BigInteger number;
  private final List<ReadingField> fields = new ArrayList<>();
  private int left;

  Cutter(BigInteger number, int bits) {
    this.number = number;
    this.left = bits;
  }

  /** The next bits, as a field that is a number. At most 63. */
  long number(String name, int bits) {
    BigInteger value = take(bits);
    fields.add(new ReadingField(name, value.toString(), bits));
    return value.longValueExact();
  }

  /** The next bits, as a field that is no number: all its hexadecimal digits. */
  void hex(String name, int bits) {
    String digits = take(bits).toString(16);
    String zeros = "0".repeat((bits + 3) / 4 - digits.length());
    fields.add(new ReadingField(name, zeros + digits, bits));
  }

  /** All fields that were cut off. */
  List<ReadingField> fields() {
    return fields;
  }

  private BigInteger take(int bits) {
    left -= bits;
    return number.shiftRight(left).mod(BigInteger.ONE.shiftLeft(bits));
  }
}
