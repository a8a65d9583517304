package dev.idgen.inspect;

/** A text is no id of any kind that is known here. */
public final class InspectException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private static final int MAX_SHOWN = 64;

  InspectException(String name, String value, String expected) {
    super(message(name, value, expected));
  }

  InspectException(String name, String value, String expected, Throwable cause) {
    super(message(name, value, expected), cause);
  }

  private static String message(String name, String value, String expected) {
    return name + ": " + shown(value) + " (expected: " + expected + ")";
  }

  /**
   * The value as far as a message has room for it, without what could upset a terminal or a log.
   */
  private static String shown(String value) {
    StringBuilder shown = new StringBuilder();
    value
        .codePoints()
        .limit(MAX_SHOWN)
        .forEach(c -> shown.appendCodePoint(Character.isLetterOrDigit(c) || isPlain(c) ? c : '?'));
    return value.length() > MAX_SHOWN ? shown + "..." : shown.toString();
  }

  private static boolean isPlain(int c) {
    return c >= ' ' && c <= '~';
  }
}
