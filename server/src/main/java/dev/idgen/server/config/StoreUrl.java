package dev.idgen.server.config;

import dev.idgen.store.StoreAddress;
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
    MYSQL,
    /** An etcd cluster. */
    ETCD,
    /** A ZooKeeper ensemble. */
    ZOOKEEPER;

    /** Whether it serves one machine and shares its clock. */
    public boolean embedded() {
      return this == SQLITE || this == FILE;
    }

    /** Whether tags and their marks can be kept there, and not leases alone. */
    public boolean keepsTags() {
      return this != FILE && this != ZOOKEEPER;
    }

    /** Whether it speaks SQL over a network. */
    public boolean databaseServer() {
      return this == POSTGRES || this == MARIADB || this == MYSQL;
    }

    /** Whether its address names several servers that are one store. */
    private boolean ofServers() {
      return this == ETCD || this == ZOOKEEPER;
    }
  }

  static final ValueType<StoreUrl> TYPE =
      new ValueType<>(
          "address",
          "",
          "sqlite:<file>, file:<folder>, postgres://user:pw@host:port/db, mariadb://.., mysql://..,"
              + " etcd://host:port,host:port/prefix, zookeeper://host:port,host:port/path",
          StoreUrl::parse);

  /**
   * Reads an address.
   *
   * @param text {@code sqlite:<file>}, {@code file:<folder>}, or the address of a server or several
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
    if (!(kind.ofServers() ? isAddress(text) : rest.matches("//[^/?]+/[^/?]+(\\?.*)?"))) {
      throw new IllegalArgumentException("store: " + Setting.shown(text));
    }
    return new StoreUrl(kind, text);
  }

  private static boolean isAddress(String text) {
    try {
      return !StoreAddress.parse(text, 1, "/default").servers().isEmpty();
    } catch (IllegalArgumentException e) {
      return false; // told with what is expected, as for every kind
    }
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
      case "etcd" -> Kind.ETCD;
      case "zookeeper" -> Kind.ZOOKEEPER;
      default -> throw new IllegalArgumentException("store: " + scheme);
    };
  }

  /** Without the password. */
  @Override
  public String toString() {
    return Setting.shown(address);
  }
}
