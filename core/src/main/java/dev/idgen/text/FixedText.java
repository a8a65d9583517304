package dev.idgen.text;

/**
 * A text of always the same length, in an alphabet in ASCII order, so that it sorts like the id.
 */
abstract class FixedText implements Text {
  private final String name;
  private final int length;
  private final byte[] values;
  private final String characters;

  /**
   * A text.
   *
   * @param values value of each byte, -1 where it is refused
   * @param characters the alphabet, in words
   */
  FixedText(String name, int length, byte[] values, String characters) {
    this.name = name;
    this.length = length;
    this.values = values;
    this.characters = characters;
  }

  /** Writes a checked id where there is room. */
  abstract void write(long id, byte[] into, int offset);

  /** Reads a text of the right length: the id, or something negative if it is none. */
  abstract long read(String text);

  /** The value of a byte; negative, and so every sum of shifted values by {@code |}, if refused. */
  final int value(byte[] from, int index) {
    return values[from[index] & 0xff];
  }

  @Override
  public String encode(long id) {
    Ascii.check(id);
    byte[] ascii = new byte[length];
    write(id, ascii, 0);
    return Ascii.string(ascii);
  }

  @Override
  public final int encode(long id, byte[] into, int offset) {
    Ascii.check(id, length, into, offset);
    write(id, into, offset);
    return offset + length;
  }

  @Override
  public final long decode(CharSequence text) {
    if (text.length() != length) {
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
  public final boolean isCanonical(CharSequence text) {
    if (text.length() != length) {
      return false;
    }
    String string = text.toString();
    long id = readOrRefuse(string);
    return id >= 0 && encode(id).equals(string);
  }

  /** The id, or something negative. Looks at the length again: a caller's text may have changed. */
  private long readOrRefuse(String text) {
    return text.length() == length ? read(text) : -1;
  }

  private TextException refusal(CharSequence text) {
    if (text.length() != length) {
      return new TextException(text, TextException.WHOLE, length + " characters");
    }
    for (int i = 0; i < length; i++) {
      char c = text.charAt(i);
      if (c > 0xff || values[c] < 0) {
        return new TextException(text, i, "one of " + characters);
      }
    }
    return new TextException(text, 0, "at most " + encode(Long.MAX_VALUE));
  }

  @Override
  public final int length(long id) {
    Ascii.check(id);
    return length;
  }

  @Override
  public final int lengthMax() {
    return length;
  }

  @Override
  public final boolean isOrdered() {
    return true;
  }

  @Override
  public final String name() {
    return name;
  }

  @Override
  public final String toString() {
    return name;
  }
}
