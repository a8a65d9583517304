package dev.idgen.server.service;

import dev.idgen.store.TagRow;
import dev.idgen.text.Text;
import org.jspecify.annotations.Nullable;

/**
 * One id stream: what is set for it, and the engine behind it. A value.
 *
 * @param row what is set for it
 * @param engine issues its ids
 * @param text how they are written; null: the engine makes texts, or this server cannot serve it
 * @param limit how many may be issued in a second; null: no limit
 * @param meter counts its requests, on after the tag was changed
 */
public record Tag(
    TagRow row, TagEngine engine, @Nullable Text text, @Nullable TagLimit limit, TagMeter meter) {
  /** The tag that a call without one means. */
  public static final String DEFAULT = "default";

  /** Of a name, in characters, all of them ASCII. */
  public static final int MAX_LENGTH = 64;

  /** 1 to 64 of {@code A-Za-z0-9._-}, the first a letter or digit. */
  public String name() {
    return row.tag();
  }

  /** Whether what the store has of it could be read; if not, {@link #row} tells what was known. */
  public boolean isRead() {
    return !(engine instanceof UnservedEngine unserved && unserved.unread());
  }

  /** Whether this server can serve it; if not, its engine says why. */
  public boolean isServed() {
    return !(engine instanceof UnservedEngine);
  }

  /** Whether its ids hide their numbers. */
  public boolean opaque() {
    return row.text().equals(TagTexts.OPAQUE);
  }

  /** Plain decimal digits: what needs no encoder. */
  public boolean plain() {
    return text == Text.DECIMAL;
  }

  /**
   * A number as this tag writes it.
   *
   * @param id 0..2^63-1
   */
  public String written(long id) {
    return text == null ? Long.toString(id) : text.encode(id);
  }

  /**
   * Refuses a name that cannot be a tag's.
   *
   * @throws ServiceException with {@link ServiceReason#INVALID_TAG}
   */
  static void requireName(String name) {
    if (!isName(name)) {
      throw new ServiceException(
          ServiceReason.INVALID_TAG,
          "tag: "
              + shortened(name)
              + " (expected: 1 to 64 of A-Z a-z 0-9 . _ -, the first a letter or digit)");
    }
  }

  /** Whether a tag can have it. */
  static boolean isName(String name) {
    if (name.isEmpty() || name.length() > MAX_LENGTH || !isLetterOrDigit(name.charAt(0))) {
      return false;
    }
    for (int i = 1; i < name.length(); i++) {
      char c = name.charAt(i);
      if (!isLetterOrDigit(c) && c != '.' && c != '_' && c != '-') {
        return false;
      }
    }
    return true;
  }

  private static boolean isLetterOrDigit(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  }

  private static String shortened(String name) {
    if (name.isEmpty()) {
      return "empty";
    }
    return name.length() > MAX_LENGTH ? name.substring(0, MAX_LENGTH) + "..." : name;
  }
}
