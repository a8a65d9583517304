package dev.idgen.server.json;

import dev.idgen.text.Text;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Writes JSON as UTF-8 bytes into one growing array. Commas are put by the writer; the nesting is
 * the caller's to keep right. Not thread-safe.
 */
public final class JsonOut {
  private static final byte[] DIGIT_PAIRS = digitPairs();
  private static final byte[] HEX = ascii("0123456789abcdef");
  private static final byte[] MIN_LONG = ascii("-9223372036854775808");
  private static final byte[] NULL = ascii("null");
  private static final int MAX_DECIMAL = 20;

  private byte[] bytes;
  private int length;
  private boolean comma;

  /**
   * An empty document.
   *
   * @param expectedBytes room to begin with
   */
  public JsonOut(int expectedBytes) {
    bytes = new byte[Math.max(16, expectedBytes)];
  }

  /** ASCII text as bytes, for {@link #raw}. */
  public static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** The array that holds the document in its first {@link #length} bytes. */
  public byte[] bytes() {
    return bytes;
  }

  /** How many bytes were written. */
  public int length() {
    return length;
  }

  /** Opens an object. */
  public JsonOut beginObject() {
    return open('{');
  }

  /** Closes an object. */
  public JsonOut endObject() {
    return close('}');
  }

  /** Opens an array. */
  public JsonOut beginArray() {
    return open('[');
  }

  /** Closes an array. */
  public JsonOut endArray() {
    return close(']');
  }

  /** The name of the value that is written next. */
  public JsonOut name(String name) {
    separate();
    quote(name);
    put(':');
    comma = false;
    return this;
  }

  /** A text value. */
  public JsonOut text(String value) {
    separate();
    quote(value);
    return this;
  }

  /** A number. */
  public JsonOut number(long value) {
    separate();
    decimal(value);
    return this;
  }

  /** A number as text, so that readers whose numbers are doubles keep all its digits. */
  public JsonOut numberText(long value) {
    separate();
    put('"');
    decimal(value);
    put('"');
    return this;
  }

  /** True or false. */
  public JsonOut bool(boolean value) {
    separate();
    return raw(ascii(value ? "true" : "false"));
  }

  /** The value that stands for none. */
  public JsonOut nothing() {
    separate();
    return raw(NULL);
  }

  /** A text, a number or a truth value, by its class. */
  public JsonOut any(Object value) {
    if (value instanceof Integer || value instanceof Long) {
      return number(((Number) value).longValue());
    }
    return value instanceof Boolean truth ? bool(truth) : text(value.toString());
  }

  /** A value that is JSON already. */
  public JsonOut json(String value) {
    separate();
    return raw(value.getBytes(StandardCharsets.UTF_8));
  }

  /** Bytes as they are: the caller keeps the document right, commas included. */
  public JsonOut raw(byte[] part) {
    reserve(part.length);
    System.arraycopy(part, 0, bytes, length, part.length);
    length += part.length;
    comma = true;
    return this;
  }

  /** The characters of an id, as they are: visible ASCII without quotes and backslashes. */
  @SuppressWarnings("deprecation") // copies ASCII as it is: the other way looks at each character
  public JsonOut visible(String whole) {
    reserve(whole.length());
    whole.getBytes(0, whole.length(), bytes, length);
    length += whole.length();
    comma = true;
    return this;
  }

  /** A number as a text has it, without quotes. */
  public JsonOut encoded(Text text, long id) {
    reserve(text.lengthMax());
    length = text.encode(id, bytes, length);
    comma = true;
    return this;
  }

  /** The digits of a number, as they are. */
  public JsonOut decimal(long value) {
    if (value == Long.MIN_VALUE) {
      return raw(MIN_LONG);
    }
    reserve(MAX_DECIMAL);
    if (value < 0) {
      bytes[length++] = '-';
    }
    length = writeDigits(Math.abs(value), bytes, length);
    comma = true;
    return this;
  }

  /** The document as text. */
  @Override
  public String toString() {
    return new String(bytes, 0, length, StandardCharsets.UTF_8);
  }

  private static int writeDigits(long value, byte[] into, int at) {
    int end = at + digits(value);
    int place = end;
    long rest = value;
    while (rest >= 100) {
      int pair = (int) (rest % 100) << 1;
      rest /= 100;
      into[--place] = DIGIT_PAIRS[pair + 1];
      into[--place] = DIGIT_PAIRS[pair];
    }
    int pair = (int) rest << 1;
    into[--place] = DIGIT_PAIRS[pair + 1];
    if (rest >= 10) {
      into[--place] = DIGIT_PAIRS[pair];
    }
    return end;
  }

  private static int digits(long value) {
    int digits = 1;
    long limit = 10;
    while (digits < 19 && value >= limit) {
      digits++;
      limit *= 10;
    }
    return digits;
  }

  private JsonOut open(char bracket) {
    separate();
    put(bracket);
    comma = false;
    return this;
  }

  private JsonOut close(char bracket) {
    put(bracket);
    comma = true;
    return this;
  }

  private void separate() {
    if (comma) {
      put(',');
    }
    comma = true;
  }

  private void put(char ascii) {
    reserve(1);
    bytes[length++] = (byte) ascii;
  }

  private void reserve(int more) {
    if (more > bytes.length - length) {
      bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + more));
    }
  }

  private void quote(String text) {
    put('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c >= 0x20 && c < 0x7f && c != '"' && c != '\\') {
        put(c);
      } else {
        i += escape(text, i, c);
      }
    }
    put('"');
  }

  /** Writes a character that cannot stand as it is; tells how many more chars it took. */
  private int escape(String text, int at, char c) {
    if (c == '"' || c == '\\') {
      put('\\');
      put(c);
    } else if (c == '\n') {
      raw(ascii("\\n"));
    } else if (c < 0x80 || (Character.isSurrogate(c) && !isPair(text, at))) {
      escapeHex(c);
    } else {
      int codePoint = text.codePointAt(at);
      raw(Character.toString(codePoint).getBytes(StandardCharsets.UTF_8));
      return Character.charCount(codePoint) - 1;
    }
    return 0;
  }

  private static boolean isPair(String text, int at) {
    return Character.charCount(text.codePointAt(at)) == 2;
  }

  private void escapeHex(char c) {
    raw(ascii("\\u"));
    for (int shift = 12; shift >= 0; shift -= 4) {
      put((char) HEX[c >> shift & 0xf]);
    }
  }

  private static byte[] digitPairs() {
    byte[] pairs = new byte[200];
    for (int i = 0; i < 100; i++) {
      pairs[2 * i] = (byte) ('0' + i / 10);
      pairs[2 * i + 1] = (byte) ('0' + i % 10);
    }
    return pairs;
  }
}
