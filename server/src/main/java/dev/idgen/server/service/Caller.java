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

  /** Who bears no token where tokens are set: may do nothing. */
  public static final Caller NOBODY = new Caller("nobody", Set.of(), List.of());

  /** What a caller may be allowed. */
  public enum Right {
    /** Take ids. */
    ISSUE,
    /** Have opaque ids turned back into numbers. */
    DECODE,
    /** Read what was counted, and with it the names of all tags. */
    METRICS,
    /** Manage tags; whoever may so for all of them, worker ids too, and read the audit log. */
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
    if (!covers(tag)) {
      throw refused("tag: " + tag + ": not allowed");
    }
  }

  /** Whether a tag is one of those for which they may do what they may. */
  public boolean covers(String tag) {
    return tags.stream().anyMatch(pattern -> matches(pattern, tag));
  }

  /** Whether they may know how a tag writes its ids: who takes them, or decodes them, does. */
  boolean mayRead(String tag) {
    return covers(tag) && (rights.contains(Right.ISSUE) || rights.contains(Right.DECODE));
  }

  /**
   * Refuses what concerns the whole cluster where they are restricted to some tags.
   *
   * @throws ServiceException with {@link ServiceReason#FORBIDDEN}
   */
  public void requireForAll(Right right) {
    require(right);
    if (!coversAll()) {
      throw refused(right.name().toLowerCase(Locale.ROOT) + ": not allowed for all tags");
    }
  }

  private boolean coversAll() {
    return tags.contains("*");
  }

  /**
   * Refuses those who may not see what was counted.
   *
   * @throws ServiceException with {@link ServiceReason#FORBIDDEN}
   */
  public void requireMetrics() {
    if (!rights.contains(Right.ADMIN) || !coversAll()) {
      require(Right.METRICS);
    }
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
