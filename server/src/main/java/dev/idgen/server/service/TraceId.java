package dev.idgen.server.service;

import dev.idgen.entropy.Entropy;
import org.jspecify.annotations.Nullable;

/**
 * The trace that a request belongs to.
 *
 * @see <a href="https://www.w3.org/TR/trace-context/">W3C Trace Context, section 3.2</a>
 */
public final class TraceId {
  private static final int TRACE_FROM = 3;
  private static final int TRACE_END = 35;
  private static final int HEADER_LENGTH = 55;

  private TraceId() {}

  /**
   * The caller's trace, or a new one.
   *
   * @param traceparent the header; null if there is none
   */
  public static String of(@Nullable String traceparent) {
    if (traceparent != null && isSound(traceparent)) {
      return traceparent.substring(TRACE_FROM, TRACE_END);
    }
    return hex(Entropy.secure().nextLong()) + hex(Entropy.secure().nextLong() | 1);
  }

  private static boolean isSound(String header) {
    return header.length() >= HEADER_LENGTH
        && isHex(header, 0, 2)
        && !header.startsWith("ff")
        && header.charAt(2) == '-'
        && isHex(header, TRACE_FROM, TRACE_END)
        && hasDigit(header, TRACE_FROM, TRACE_END)
        && header.charAt(TRACE_END) == '-'
        && isHex(header, TRACE_END + 1, 52)
        && hasDigit(header, TRACE_END + 1, 52)
        && header.charAt(52) == '-'
        && isHex(header, 53, HEADER_LENGTH)
        && (header.length() == HEADER_LENGTH
            || (!header.startsWith("00") && header.charAt(HEADER_LENGTH) == '-'));
  }

  private static boolean isHex(String text, int from, int end) {
    for (int i = from; i < end; i++) {
      char c = text.charAt(i);
      if ((c < '0' || c > '9') && (c < 'a' || c > 'f')) {
        return false;
      }
    }
    return true;
  }

  /** An id of zeros alone is none. */
  private static boolean hasDigit(String text, int from, int end) {
    for (int i = from; i < end; i++) {
      if (text.charAt(i) != '0') {
        return true;
      }
    }
    return false;
  }

  private static String hex(long value) {
    String digits = Long.toHexString(value);
    return "0".repeat(16 - digits.length()) + digits;
  }
}
