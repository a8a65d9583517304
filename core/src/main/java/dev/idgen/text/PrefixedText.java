package dev.idgen.text;

/** Another text behind a fixed prefix. */
final class PrefixedText implements Text {
  private static final int PREFIX_MAX = 64;
  private static final String CHARACTERS =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._~:-";

  private final String prefix;
  private final byte[] prefixBytes;
  private final Text inner;

  PrefixedText(String prefix, Text inner) {
    if (!isPrefix(prefix)) {
      throw new IllegalArgumentException(
          "prefix: "
              + TextException.shown(prefix)
              + " (expected: 1.."
              + PREFIX_MAX
              + " of A-Za-z0-9._~:-)");
    }
    this.prefix = prefix;
    this.prefixBytes = Ascii.lowBytes(prefix, prefix.length());
    this.inner = inner;
  }

  private static boolean isPrefix(String prefix) {
    return !prefix.isEmpty()
        && prefix.length() <= PREFIX_MAX
        && prefix.chars().allMatch(c -> CHARACTERS.indexOf(c) >= 0);
  }

  @Override
  public String encode(long id) {
    byte[] ascii = new byte[length(id)];
    encode(id, ascii, 0);
    return Ascii.string(ascii);
  }

  @Override
  public int encode(long id, byte[] into, int offset) {
    Ascii.check(id, length(id), into, offset);
    System.arraycopy(prefixBytes, 0, into, offset, prefixBytes.length);
    return inner.encode(id, into, offset + prefixBytes.length);
  }

  @Override
  public long decode(CharSequence text) {
    if (text.length() > lengthMax()) {
      throw new TextException(text, TextException.WHOLE, "1.." + lengthMax() + " characters");
    }
    String string = text.toString();
    if (!string.startsWith(prefix)) {
      throw new TextException(string, firstDifference(string), "prefix " + prefix);
    }
    return decodeRest(string);
  }

  private int firstDifference(String text) {
    int at = 0;
    while (at < text.length() && text.charAt(at) == prefix.charAt(at)) {
      at++;
    }
    return at;
  }

  /** The inner text knows neither the whole nor the place in it. */
  private long decodeRest(String text) {
    try {
      return inner.decode(text.substring(prefix.length()));
    } catch (TextException e) {
      int position =
          e.position() == TextException.WHOLE ? prefix.length() : prefix.length() + e.position();
      TextException refusal = new TextException(text, position, e.expected());
      refusal.initCause(e);
      throw refusal;
    }
  }

  @Override
  public boolean isCanonical(CharSequence text) {
    if (text.length() > lengthMax()) {
      return false;
    }
    String string = text.toString();
    return string.startsWith(prefix) && inner.isCanonical(string.substring(prefix.length()));
  }

  @Override
  public int length(long id) {
    return prefix.length() + inner.length(id);
  }

  @Override
  public int lengthMax() {
    return prefix.length() + inner.lengthMax();
  }

  @Override
  public boolean isOrdered() {
    return inner.isOrdered();
  }

  @Override
  public String name() {
    return inner.name();
  }

  @Override
  public String toString() {
    return prefix + inner;
  }
}
