package dev.idgen.store;

import java.util.regex.Pattern;

/**
 * Names what is kept for one idempotency key: keys of two callers, of two tags or of two namespaces
 * are strangers. A value.
 *
 * @param namespace 1..64 of {@code A-Za-z0-9._-}, the first a letter or digit
 * @param caller whose key it is, 1..64 visible characters: a name or a digest of the caller's
 *     token, never the token itself
 * @param tag as the namespace
 * @param key as the caller chose it, 1..255 visible characters
 */
public record IdempotencyEntry(String namespace, String caller, String tag, String key) {

  /** The most characters of a caller. */
  public static final int MAX_CALLER = 64;

  /** The most characters of a key. */
  public static final int MAX_KEY = 255;

  /**
   * In how many parts a store counts the entries of a caller, so that two that begin at once need
   * not wait for one number. Written in stores: never changed.
   */
  public static final int SLOTS = 8;

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

  /** Refuses what no entry can have. */
  public IdempotencyEntry {
    requireName("namespace", namespace);
    requireVisible("caller", caller, MAX_CALLER);
    requireName("tag", tag);
    requireVisible("key", key, MAX_KEY);
  }

  private static void requireName(String name, String value) {
    if (!NAME.matcher(value).matches()) {
      throw new IllegalArgumentException(
          name
              + ": "
              + value
              + " (expected: 1 to 64 of A-Z a-z 0-9 . _ -, the first a letter or digit)");
    }
  }

  /** The value is not shown: it is the caller's, and may be long. */
  private static void requireVisible(String name, String value, int max) {
    if (value.isEmpty() || value.length() > max) {
      throw new IllegalArgumentException(
          name + ": " + value.length() + " characters (expected: 1.." + max + ")");
    }
    for (int i = 0; i < value.length(); i++) {
      if (value.charAt(i) <= ' ' || value.charAt(i) > '~') {
        throw new IllegalArgumentException(
            name + ": no visible character at " + i + " (expected: those of ASCII, from ! to ~)");
      }
    }
  }

  /** Which part of the caller's count it is in, 0..{@link #SLOTS}-1: the same one for ever. */
  public int slot() {
    return Math.floorMod(key.hashCode(), SLOTS);
  }
}
