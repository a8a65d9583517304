package dev.idgen.server.config;

import dev.idgen.store.StoreAddress;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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

  private static final String KEEPING_ALL =
      "sqlite:<file>, file:<folder>, postgres://user:pw@host:port/db, mariadb://.., mysql://..,"
          + " etcd://host:port,host:port/prefix, etcds://..";

  private static final String CODED = "; in user and pw %40 is @, %2F is /, %3F is ?, %25 is %";

  /** Where everything can be kept. */
  static final ValueType<StoreUrl> TYPE =
      new ValueType<>("address", "", KEEPING_ALL + CODED, StoreUrl::parse);

  /** Where leases can be kept. */
  static final ValueType<StoreUrl> OF_LEASES =
      new ValueType<>(
          "address",
          "",
          KEEPING_ALL + ", zookeeper://host:port,host:port/path, zookeepers://.." + CODED,
          StoreUrl::parse);

  /** Of a database server: an account that is spelt right, hosts with ports, a name. */
  private static final Pattern DATABASE =
      Pattern.compile(
          "//(?:(?:[^/?\\s%]|%[0-9A-Fa-f]{2})*@)?(?<hosts>[^/?@\\s]+)/[^/?\\s]+(?:\\?.*)?");

  private static final Pattern HOST =
      Pattern.compile("(?:\\[[0-9A-Za-z:.%]+]|[^\\s:\\[\\]]+)(?::(?<port>[0-9]{1,5}))?");

  private static final int MAX_PORT = 65_535;

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
    if (!(kind.ofServers() ? isAddress(text) : isDatabase(rest))) {
      throw new IllegalArgumentException("store: " + Setting.shown(text));
    }
    return new StoreUrl(kind, text);
  }

  private static boolean isDatabase(String rest) {
    Matcher database = DATABASE.matcher(rest);
    return database.matches()
        && Arrays.stream(database.group("hosts").split(",", -1)).allMatch(StoreUrl::isHost);
  }

  private static boolean isHost(String text) {
    Matcher host = HOST.matcher(text);
    if (!host.matches()) {
      return false;
    }
    int port = host.group("port") == null ? 1 : Integer.parseInt(host.group("port"));
    return port >= 1 && port <= MAX_PORT;
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
      case "etcd", "etcds" -> Kind.ETCD;
      case "zookeeper", "zookeepers" -> Kind.ZOOKEEPER;
      default -> throw new IllegalArgumentException("store: " + scheme);
    };
  }

  /** Without the password. */
  @Override
  public String toString() {
    return Setting.shown(address);
  }
}
