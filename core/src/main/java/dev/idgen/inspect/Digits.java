package dev.idgen.inspect;

import java.math.BigInteger;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Numbers longer than 64 bits, written with the digits of an alphabet. */
final class Digits {
  static final Digits HEX = new Digits("0123456789abcdef", true);
  static final Digits BASE32_HEX = new Digits("0123456789abcdefghijklmnopqrstuv", false);
  static final Digits BASE62 =
      new Digits("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", false);

  private final String alphabet;
  private final boolean anyCase;

  private Digits(String alphabet, boolean anyCase) {
    this.alphabet = alphabet;
    this.anyCase = anyCase;
  }

  /** The number; null where a character is no digit. The caller bounds the length. */
  @Nullable BigInteger decode(String text) {
    String digits = anyCase ? text.toLowerCase(Locale.ROOT) : text;
    BigInteger base = BigInteger.valueOf(alphabet.length());
    BigInteger number = BigInteger.ZERO;
    for (int i = 0; i < digits.length(); i++) {
      int digit = alphabet.indexOf(digits.charAt(i));
      if (digit < 0) {
        return null;
      }
      number = number.multiply(base).add(BigInteger.valueOf(digit));
    }
    return number;
  }
}
