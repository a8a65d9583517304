package dev.idgen.inspect;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A 64-bit number found in a text.
 *
 * @param form how it is written
 * @param number 0..2^64-1
 * @param sure false where the text is more likely written in another form
 */
record NumberForm(String form, BigInteger number, boolean sure) {
  static final String DECIMAL = "decimal";
  static final String CROCKFORD = "crockford32";

  private static final Pattern DECIMAL_TEXT = Pattern.compile("0|[1-9][0-9]{0,19}");

  boolean isPositive() {
    return number.bitLength() < Long.SIZE;
  }

  long bits() {
    return number.longValue();
  }

  /** Every form that the text may be written in. */
  static List<NumberForm> of(String text) {
    List<NumberForm> forms = new ArrayList<>();
    boolean decimal = DECIMAL_TEXT.matcher(text).matches();
    if (decimal) {
      add(forms, DECIMAL, new BigInteger(text), true);
    }
    boolean sure = !decimal;
    switch (text.length()) {
      case 11 -> {
        add(forms, "base62", Digits.BASE62.decode(text), sure);
        add(forms, "base58", Digits.BASE58.decode(text), sure);
      }
      case 13 -> add(forms, CROCKFORD, Digits.CROCKFORD.decode(text), sure);
      case 16 -> add(forms, "hex", Digits.HEX.decode(text), sure);
      default -> {}
    }
    return forms;
  }

  private static void add(
      List<NumberForm> forms, String form, @Nullable BigInteger number, boolean sure) {
    if (number != null && number.bitLength() <= Long.SIZE) {
      forms.add(new NumberForm(form, number, sure));
    }
  }
}
