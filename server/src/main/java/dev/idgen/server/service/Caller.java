package dev.idgen.server.service;

import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Who calls, and what they may do. A value; immutable.
 *
 * @param name of the token, for the audit log and for what is kept by caller
 * @param rights what they may do
 * @param tags the tags for which they may: names, of which the last character may be {@code *}
 */
public record Caller(String name, Set<Right> rights, List<String> tags) {
  /** Anybody, where no tokens are set: may do all. */
  public static final Caller ANYBODY = new Caller("", Set.of(Right.values()), List.of("*"));

  /** What a caller may be allowed. */
  public enum Right {
    /** Take ids. */
    ISSUE,
    /** Have opaque ids turned back into numbers. */
    DECODE,
    /** Manage tags and worker ids, and read the audit log. */
    ADMIN
  }

  /** Copies the lists. */
  public Caller {
    rights = Set.copyOf(rights);
    tags = List.copyOf(tags);
  }

  /** Whether no tokens are set. */
  public boolean isAnybody() {
    return name.isEmpty();
  }

  /**
   * Refuses what they may not do.
   *
   * @throws ServiceException with {@link ServiceReason#FORBIDDEN}
   */
  public void require(Right right) {
    if (!rights.contains(right)) {
      throw refused(right.name().toLowerCase(Locale.ROOT) + ": not allowed");
    }
  }

  /**
   * Refuses what they may not do with a tag.
   *
   * @throws ServiceException with {@link ServiceReason#FORBIDDEN}
   */
  public void require(Right right, String tag) {
    require(right);
    for (String pattern : tags) {
      if (matches(pattern, tag)) {
        return;
      }
    }
    throw refused("tag: " + tag + ": not allowed");
  }

  /** Whether a name has a pattern, of which the last character may be {@code *}. */
  static boolean matches(String pattern, String tag) {
    int last = pattern.length() - 1;
    return pattern.charAt(last) == '*'
        ? tag.regionMatches(0, pattern, 0, last)
        : tag.equals(pattern);
  }

  private ServiceException refused(String what) {
    return new ServiceException(
        ServiceReason.FORBIDDEN, what + " (expected: a token that may; this one is " + name + ")");
  }
}
