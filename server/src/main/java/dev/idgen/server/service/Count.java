package dev.idgen.server.service;

import org.jspecify.annotations.Nullable;

/**
 * How many ids a caller asks for, as it was sent. A value.
 *
 * @param name of the parameter, for messages
 * @param text decimal digits; null: not given
 * @param max the limit
 */
public record Count(String name, @Nullable String text, int max) {
  /** What a call means that takes one id. */
  public static final Count ONE = new Count("count", "1", 1);

  private static final int SHOWN = 24;
  private static final int MAX_DIGITS = 10;

  /** Whether it is one, as nobody could ask for more. */
  boolean isOne() {
    return max == 1 && "1".equals(text);
  }

  /**
   * The number.
   *
   * @return 1..max
   * @throws ServiceException with {@link ServiceReason#INVALID_COUNT}
   */
  public int value() {
    long count = text == null ? 0 : digits(text);
    if (count < 1 || count > max) {
      String given = text == null ? "absent" : text.isEmpty() ? "empty" : shortened(text);
      throw new ServiceException(
          ServiceReason.INVALID_COUNT,
          name + ": " + given + " (expected: 1.." + max + form() + ")");
    }
    return (int) count;
  }

  /** What is no number as it should be written says nothing of its size. */
  private String form() {
    return text == null || text.matches("-?[0-9]*") ? "" : ", digits alone";
  }

  /** The number, or 0 for what is none or has more digits than any limit. */
  private static long digits(String text) {
    if (text.isEmpty() || text.length() > MAX_DIGITS) {
      return 0;
    }
    long number = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < '0' || c > '9') {
        return 0;
      }
      number = number * 10 + (c - '0');
    }
    return number;
  }

  private static String shortened(String text) {
    return text.length() > SHOWN ? text.substring(0, SHOWN) + "..." : text;
  }
}
