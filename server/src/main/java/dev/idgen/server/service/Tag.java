package dev.idgen.server.service;

/**
 * The name of one id stream and the engine behind it.
 *
 * @param name 1 to 64 of {@code A-Za-z0-9._-}, the first a letter or digit
 * @param engine issues its ids
 */
public record Tag(String name, TagEngine engine) {
  /** The tag that a call without one means. */
  public static final String DEFAULT = "default";

  private static final int MAX_LENGTH = 64;

  /** Refuses a name that cannot be one. */
  public Tag {
    requireName(name);
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

  private static boolean isName(String name) {
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
    return name.length() > MAX_LENGTH ? name.substring(0, MAX_LENGTH) + "..." : name;
  }
}
