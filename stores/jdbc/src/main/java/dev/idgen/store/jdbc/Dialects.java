package dev.idgen.store.jdbc;

import dev.idgen.time.TimeSource;

/** Which dialect an address means. */
final class Dialects {
  private static final String EXPECTED =
      " (expected: jdbc:sqlite:<path>, postgres://, mariadb:// or mysql://)";

  private Dialects() {}

  /**
   * The dialect of an address.
   *
   * @param timeoutMs how long a server's answer is waited for
   * @throws IllegalArgumentException no such kind of database is known
   */
  static Dialect of(String url, long timeoutMs) {
    if (url.startsWith(SqliteDialect.PREFIX)) {
      return new SqliteDialect(SqliteDialect.fileOf(url), TimeSource.system());
    }
    if (url.startsWith("jdbc:")) {
      throw new IllegalArgumentException(
          "url: " + url.substring(0, url.indexOf(':', 5) + 1) + EXPECTED);
    }
    DatabaseUrl address = DatabaseUrl.parse(url);
    Patience patience = new Patience(timeoutMs);
    return switch (address.scheme()) {
      case "postgres", "postgresql" -> new PostgresDialect(address, patience);
      case "mariadb", "mysql" -> new MariadbDialect(address, address.scheme(), patience);
      default -> throw new IllegalArgumentException("url: " + address.scheme() + EXPECTED);
    };
  }
}
