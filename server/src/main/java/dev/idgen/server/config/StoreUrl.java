package dev.idgen.server.config;

import java.nio.file.Path;
import java.util.Locale;

/**
 * Where leases are kept, as written in the settings. A value; immutable.
 *
 * @param kind which store
 * @param path its file or folder
 */
public record StoreUrl(Kind kind, Path path) {

  /** The stores that exist. */
  public enum Kind {
    /** One SQLite file. */
    SQLITE,
    /** A folder with a text file and its locks. */
    FILE
  }

  static final ValueType<StoreUrl> TYPE =
      new ValueType<>("address", "", "sqlite:<file>, file:<folder>", StoreUrl::parse);

  /**
   * Reads an address.
   *
   * @param text {@code sqlite:<file>} or {@code file:<folder>}
   * @throws IllegalArgumentException anything else
   */
  public static StoreUrl parse(String text) {
    int colon = text.indexOf(':');
    String path = text.substring(colon + 1);
    if (colon < 0 || path.isBlank() || path.indexOf('\0') >= 0) {
      throw new IllegalArgumentException("store: " + Setting.shown(text));
    }
    return new StoreUrl(kindOf(text.substring(0, colon)), Path.of(path));
  }

  /** The word for it in the start line. */
  public String word() {
    return kind.name().toLowerCase(Locale.ROOT);
  }

  private static Kind kindOf(String scheme) {
    return switch (scheme) {
      case "sqlite" -> Kind.SQLITE;
      case "file" -> Kind.FILE;
      default -> throw new IllegalArgumentException("store: " + scheme);
    };
  }
}
