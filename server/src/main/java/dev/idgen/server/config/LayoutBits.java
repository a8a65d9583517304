package dev.idgen.server.config;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The bits of time, worker and sequence in a layout's text. */
public final class LayoutBits {
  private static final Pattern BITS = Pattern.compile("(\\d{1,2})/(\\d{1,2})/(\\d{1,2})");
  private static final int ID_BITS = 63;

  private LayoutBits() {}

  /**
   * Bits of time, worker and sequence.
   *
   * @return null if the text is none, or the bits do not sum to 63
   */
  public static @Nullable List<Integer> parse(String text) {
    Matcher matcher = BITS.matcher(text);
    if (!matcher.matches()) {
      return null;
    }
    int time = Integer.parseInt(matcher.group(1));
    int worker = Integer.parseInt(matcher.group(2));
    int sequence = Integer.parseInt(matcher.group(3));
    boolean sound = time > 0 && worker > 0 && time + worker + sequence == ID_BITS;
    return sound ? List.of(time, worker, sequence) : null;
  }
}
