package dev.idgen.server.http;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The path and the query of a request target, undone from percent signs on demand. A value;
 * immutable.
 *
 * @param path before the question mark, as sent
 * @param query behind it, as sent; empty if there is none
 */
record Query(String path, String query) {
  private static final int SHOWN = 40;

  /** Takes a target apart: {@code /path?query}, or the same behind a scheme and a host. */
  static Query of(String target) {
    int from = target.startsWith("/") ? 0 : pathStart(target);
    int hash = target.indexOf('#', from); // no fragment belongs here, and none means anything
    int end = hash < 0 ? target.length() : hash;
    int mark = target.indexOf('?', from);
    return mark < 0 || mark > end
        ? new Query(target.substring(from, end), "")
        : new Query(target.substring(from, mark), target.substring(mark + 1, end));
  }

  private static int pathStart(String target) {
    int authority = target.indexOf("://");
    int slash = authority < 0 ? -1 : target.indexOf('/', authority + 3);
    return Math.max(slash, 0);
  }

  /**
   * The value of a parameter.
   *
   * @return null: not given
   * @throws IllegalArgumentException given twice, or spelt wrongly
   */
  @Nullable String only(String name) {
    String found = null;
    int from = 0;
    while (from < query.length()) {
      int ampersand = query.indexOf('&', from);
      int end = ampersand < 0 ? query.length() : ampersand;
      if (isNamed(name, from, end)) {
        if (found != null) {
          throw new IllegalArgumentException(name + ": given twice (expected: once)");
        }
        int valueFrom = Math.min(end, from + name.length() + 1);
        found = decode(query.substring(valueFrom, end).replace('+', ' '), name);
      }
      from = end + 1;
    }
    return found;
  }

  /** The same with the parameters of a form behind its own. */
  Query with(byte[] form) {
    String more = new String(form, StandardCharsets.UTF_8).strip();
    return more.isEmpty() ? this : new Query(path, query.isEmpty() ? more : query + "&" + more);
  }

  /**
   * Refuses parameters that a call does not have, since one that is misspelt would be ignored.
   *
   * @param known names of those it has
   * @throws IllegalArgumentException there is another one
   */
  void requireOnly(String... known) {
    int from = 0;
    while (from < query.length()) {
      int ampersand = query.indexOf('&', from);
      int end = ampersand < 0 ? query.length() : ampersand;
      if (end > from) {
        requireKnown(from, end, known);
      }
      from = end + 1;
    }
  }

  private void requireKnown(int from, int end, String... known) {
    for (String name : known) {
      if (isNamed(name, from, end)) {
        return;
      }
    }
    int equals = query.indexOf('=', from);
    int nameEnd = equals < 0 ? end : Math.min(equals, end);
    String name = query.substring(from, Math.min(nameEnd, from + SHOWN));
    String expected = known.length == 0 ? "no parameters" : String.join(", ", known);
    throw new IllegalArgumentException(name + ": unknown (expected: " + expected + ")");
  }

  private boolean isNamed(String name, int from, int end) {
    int behind = from + name.length();
    return query.startsWith(name, from)
        && (behind == end || (behind < end && query.charAt(behind) == '='));
  }

  /**
   * Replaces {@code %41} by what it stands for.
   *
   * @param name of what it is, for the error
   * @throws IllegalArgumentException a percent sign without two hexadecimal digits
   */
  static String decode(String text, String name) {
    if (text.indexOf('%') < 0) {
      return text;
    }
    byte[] from = text.getBytes(StandardCharsets.UTF_8);
    byte[] to = new byte[from.length];
    int length = 0;
    for (int i = 0; i < from.length; i++) {
      if (from[i] == '%') {
        to[length++] = (byte) escaped(from, i, name);
        i += 2;
      } else {
        to[length++] = from[i];
      }
    }
    return new String(to, 0, length, StandardCharsets.UTF_8);
  }

  private static int escaped(byte[] from, int percent, String name) {
    int high = percent + 2 < from.length ? Character.digit(from[percent + 1], 16) : -1;
    int low = percent + 2 < from.length ? Character.digit(from[percent + 2], 16) : -1;
    if (high < 0 || low < 0) {
      throw new IllegalArgumentException(
          name + ": a % sign alone (expected: two hexadecimal digits behind it)");
    }
    return high << 4 | low;
  }
}
