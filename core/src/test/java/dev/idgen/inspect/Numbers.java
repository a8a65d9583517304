package dev.idgen.inspect;

import java.math.BigInteger;

/** Writes fixed-width texts, independently of the code under test. */
final class Numbers {
  static final String CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
  static final String BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
  static final String BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

  private Numbers() {}

  static String text(String alphabet, int width, long number) {
    BigInteger left = new BigInteger(Long.toUnsignedString(number));
    BigInteger base = BigInteger.valueOf(alphabet.length());
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < width; i++) {
      text.insert(0, alphabet.charAt(left.mod(base).intValue()));
      left = left.divide(base);
    }
    return text.toString();
  }
}
