package dev.idgen.server.config;

import java.nio.file.Path;
import java.util.Locale;

/**
 * Where leases are kept, as written in the settings. A value; immutable.
 *
 * @param kind which store
 * @param address all that was written
 */
public record StoreUrl(Kind kind, String address) {

  /** The stores that exist. */
  public enum Kind {
    /** One SQLite file. */
    SQLITE,
    /** A folder with a text file and its locks. */
    FILE,
    /** A PostgreSQL server. */
    POSTGRES,
    /** A MariaDB server. */
    MARIADB,
    /** A MySQL server. */
    MYSQL;

    /** Whether it serves one machine and shares its clock. */
    public boolean embedded() {
      return this == SQLITE || this == FILE;
    }
  }

  static final ValueType<StoreUrl> TYPE =
      new ValueType<>(
          "address",
          "",
          "sqlite:<file>, file:<folder>, postgres://user:pw@host:port/db, mariadb://.., mysql://..",
          StoreUrl::parse);

  /**
   * Reads an address.
   *
   * @param text {@code sqlite:<file>}, {@code file:<folder>}, or the address of a database server
   * @throws IllegalArgumentException anything else
   */
  public static StoreUrl parse(String text) {
    int colon = text.indexOf(':');
    String rest = text.substring(colon + 1);
    if (colon < 0 || rest.isBlank() || rest.indexOf('\0') >= 0) {
      throw new IllegalArgumentException("store: " + Setting.shown(text));
    }
    Kind kind = kindOf(text.substring(0, colon));
    if (kind.embedded()) {
      return new StoreUrl(kind, kind.name().toLowerCase(Locale.ROOT) + ":" + Path.of(rest));
    }
    if (!rest.matches("//[^/]+/[^/]+")) {
      throw new IllegalArgumentException("store: " + Setting.shown(text));
    }
    return new StoreUrl(kind, text);
  }

  /** The file or folder of an embedded store. */
  public Path path() {
    return Path.of(address.substring(address.indexOf(':') + 1));
  }

  /** The word for it in the start line. */
  public String word() {
    return kind.name().toLowerCase(Locale.ROOT);
  }

  private static Kind kindOf(String scheme) {
    return switch (scheme) {
      case "sqlite" -> Kind.SQLITE;
      case "file" -> Kind.FILE;
      case "postgres", "postgresql" -> Kind.POSTGRES;
      case "mariadb" -> Kind.MARIADB;
      case "mysql" -> Kind.MYSQL;
      default -> throw new IllegalArgumentException("store: " + scheme);
    };
  }

  /** Without the password. */
  @Override
  public String toString() {
    return Setting.shown(address);
  }
}
