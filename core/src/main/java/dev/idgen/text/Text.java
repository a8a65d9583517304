package dev.idgen.text;

/**
 * Writes 64-bit ids as text and reads them back. Immutable and thread-safe.
 *
 * <p>Each id from 0 to 2^63-1 has one text, and reading is strict: a wrong length, a sign, a space,
 * a digit of another script, a needless zero or a number past 2^63-1 is refused, so that two
 * different texts never mean one id. The one exception is {@link #CROCKFORD}, whose rules allow
 * lower case and look-alikes; {@link #isCanonical} tells such a text from the one that {@link
 * #encode} gives.
 *
 * <p>Ids of other systems that use the sign bit (unsigned 64-bit numbers) do not belong here:
 * negative numbers are refused, never wrapped.
 *
 * <table>
 * <caption>The texts</caption>
 * <tr><th>text</th><th>characters</th><th>sorts like the number</th></tr>
 * <tr><td>{@link #DECIMAL}</td><td>1 to 19</td><td>no</td></tr>
 * <tr><td>{@link #HEX}</td><td>16</td><td>yes</td></tr>
 * <tr><td>{@link #CROCKFORD}</td><td>13</td><td>yes</td></tr>
 * <tr><td>{@link #BASE58}</td><td>11</td><td>yes</td></tr>
 * <tr><td>{@link #BASE62}</td><td>11</td><td>yes, compared byte by byte</td></tr>
 * </table>
 */
public interface Text {

  /**
   * Plain decimal, as JSON shows it: {@code "721864159923240960"}. Not padded, so 10 sorts before
   * 9; leading zeros are refused.
   */
  Text DECIMAL = new DecimalText();

  /** Sixteen lower-case hexadecimal digits: {@code "0a0493a0fc4f8000"}. Upper case is refused. */
  Text HEX = new HexText();

  /**
   * Thirteen characters of Crockford's base 32, without I, L, O and U: {@code "0M14KM3Y4Z000"}.
   * Made to be read aloud and typed: reading takes lower case too, I and L as 1, O as 0. Hyphens
   * and check symbols are refused.
   *
   * @see <a href="https://www.crockford.com/base32.html">Crockford, Base 32</a>
   */
  Text CROCKFORD = new CrockfordText();

  /**
   * Eleven characters without 0, I, O and l, in ASCII order: {@code "2gBnaR5jSXZ"}. Upper and lower
   * case differ.
   */
  Text BASE58 =
      new RadixText(
          "base58",
          "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz",
          "0-9A-Za-z without 0, I, O, l");

  /**
   * Eleven characters 0-9, A-Z, a-z in ASCII order: {@code "0rK91LJZ0W8"}. Upper and lower case
   * differ.
   */
  Text BASE62 =
      new RadixText(
          "base62", "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", "0-9A-Za-z");

  /**
   * Puts the same characters before every text, so that a reader sees what an id stands for: {@code
   * "order_0M14KM3Y4Z000"}.
   *
   * @param prefix 1 to 64 of {@code A-Za-z0-9._~:-}; upper and lower case differ. Best ended by a
   *     character that the inner text never uses
   * @param inner what follows the prefix
   * @return a text that refuses whatever does not begin with the prefix
   */
  static Text prefixed(String prefix, Text inner) {
    return new PrefixedText(prefix, inner);
  }

  /**
   * The text of a name, for settings.
   *
   * @param name {@code decimal}, {@code hex}, {@code crockford}, {@code base58} or {@code base62}
   */
  static Text named(String name) {
    return switch (name) {
      case "decimal" -> DECIMAL;
      case "hex" -> HEX;
      case "crockford" -> CROCKFORD;
      case "base58" -> BASE58;
      case "base62" -> BASE62;
      default ->
          throw new IllegalArgumentException(
              "text: "
                  + TextException.shown(name)
                  + " (expected: decimal, hex, crockford, base58 or base62)");
    };
  }

  /**
   * Writes an id.
   *
   * @param id 0..2^63-1
   * @throws IllegalArgumentException the id is negative
   */
  String encode(long id);

  /**
   * Writes an id as ASCII into an array, without creating any object.
   *
   * @param id 0..2^63-1
   * @param into receives {@link #length} bytes
   * @param offset where the first one goes
   * @return the offset behind the last byte written
   * @throws IllegalArgumentException the id is negative
   * @throws IndexOutOfBoundsException there is too little room; nothing was written
   */
  int encode(long id, byte[] into, int offset);

  /**
   * Reads an id.
   *
   * @return 0..2^63-1
   * @throws TextException this is not the text of an id
   */
  long decode(CharSequence text);

  /** Whether this is the very text that {@link #encode} gives for some id. */
  boolean isCanonical(CharSequence text);

  /**
   * How many characters, all ASCII, the text of an id has.
   *
   * @param id 0..2^63-1
   */
  int length(long id);

  /** How many characters the longest text has. */
  int lengthMax();

  /** Whether canonical texts, compared character by character, sort like their ids. */
  boolean isOrdered();

  /** What {@link #named} knows it by; of a prefixed text, the inner name. */
  String name();
}
