package dev.idgen.text;

import java.util.HexFormat;

/**
 * A text was refused: it is not the text of an id of the kind that was asked for. The message names
 * the text (shortened when it is long, and harmless in a log), the place and what was expected.
 */
public final class TextException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /** The position of a fault that concerns the text as a whole. */
  public static final int WHOLE = -1;

  private static final int SHOWN_MAX = 48;

  private final int position;
  private final String expected;

  /**
   * A refusal.
   *
   * @param text what was to be read
   * @param position index of the character at fault, or {@link #WHOLE}
   * @param expected what would have been right
   */
  public TextException(CharSequence text, int position, String expected) {
    super("text: " + shown(text) + place(position) + " (expected: " + expected + ")");
    this.position = position;
    this.expected = expected;
  }

  /** Index of the character at fault, or {@link #WHOLE}. */
  public int position() {
    return position;
  }

  /** What would have been right, in words. */
  public String expected() {
    return expected;
  }

  private static String place(int position) {
    return position == WHOLE ? "" : " at " + position;
  }

  /** The text in quotes, at most so long, with no character that could forge a line of a log. */
  static String shown(CharSequence text) {
    StringBuilder shown = new StringBuilder("\"");
    int end = Math.min(text.length(), SHOWN_MAX);
    for (int i = 0; i < end; i++) {
      append(shown, text.charAt(i));
    }
    if (end < text.length()) {
      return shown + "...\" of " + text.length() + " characters";
    }
    return shown.append('"').toString();
  }

  private static void append(StringBuilder shown, char c) {
    if (c < ' ' || c > '~' || c == '"' || c == '\\') {
      shown.append("\\u").append(HexFormat.of().toHexDigits(c));
    } else {
      shown.append(c);
    }
  }
}
