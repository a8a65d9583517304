package dev.idgen.inspect;

import dev.idgen.text.Text;
import dev.idgen.text.TextException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * A 64-bit number found in a text.
 *
 * @param form how it is written: the name of a {@link Text}
 * @param number 0..2^63-1, or to 2^64-1 in decimal
 * @param sure false where the text is more likely written in another form
 */
record NumberForm(String form, BigInteger number, boolean sure) {
  private static final Pattern DECIMAL = Pattern.compile("0|[1-9][0-9]{0,19}");
  private static final List<Text> FIXED =
      List.of(Text.CROCKFORD, Text.BASE62, Text.BASE58, Text.HEX);

  boolean isPositive() {
    return number.bitLength() < Long.SIZE;
  }

  long bits() {
    return number.longValue();
  }

  /** Every form that the text may be written in. */
  static List<NumberForm> of(String text) {
    List<NumberForm> forms = new ArrayList<>();
    boolean decimal = DECIMAL.matcher(text).matches();
    if (decimal && new BigInteger(text).bitLength() <= Long.SIZE) {
      forms.add(new NumberForm(Text.DECIMAL.name(), new BigInteger(text), true));
    }
    for (Text fixed : FIXED) {
      decode(fixed, text)
          .ifPresent(
              id -> forms.add(new NumberForm(fixed.name(), BigInteger.valueOf(id), !decimal)));
    }
    return forms;
  }

  /** A refusal is an answer here: the text is not written in this form. */
  private static OptionalLong decode(Text form, String text) {
    if (text.length() != form.lengthMax()) {
      return OptionalLong.empty();
    }
    try {
      return OptionalLong.of(form.decode(text));
    } catch (TextException e) {
      return OptionalLong.empty();
    }
  }
}
