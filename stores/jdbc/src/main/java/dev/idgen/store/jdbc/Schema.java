package dev.idgen.store.jdbc;

import dev.idgen.store.StoreException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;

/**
 * The tables, in versions: script n leads from version n - 1 to n, and says so in {@code
 * idgen_meta}, so that it may as well be applied by hand. A released script is never changed.
 */
final class Schema {
  static final int VERSION = 4;

  private final String folder;
  private final int version;

  /**
   * The scripts in a resource folder.
   *
   * @param folder with {@code 1.sql} and so on
   * @param version the highest of them
   */
  Schema(String folder, int version) {
    this.folder = folder;
    this.version = version;
  }

  /**
   * Brings the tables up to this version, within the transaction that is open.
   *
   * @throws StoreException a newer idgen has been here, or the tables cannot be made
   */
  void apply(Connection connection, Dialect dialect) throws SQLException {
    if (found(connection, dialect) == version) {
      return;
    }
    dialect.lockSchema(connection);
    try {
      int found = found(connection, dialect); // another process may have been at it meanwhile
      if (found > version) {
        throw StoreException.permanent(
            place(dialect)
                + "schema version "
                + found
                + " (expected: at most "
                + version
                + "; a newer idgen wrote it)",
            null);
      }
      SegmentRows.requireOwn(connection, dialect);
      migrate(connection, dialect, found);
    } finally {
      dialect.unlockSchema(connection);
    }
  }

  private void migrate(Connection connection, Dialect dialect, int found) throws SQLException {
    try {
      for (int next = found + 1; next <= version; next++) {
        run(connection, folder + "/" + next + ".sql");
      }
    } catch (SQLException e) {
      if (!dialect.permanent(e) || dialect.retryable(e)) {
        throw e; // a full disk, a server that ends: in its own words, and tried again
      }
      throw StoreException.permanent(
          place(dialect)
              + "schema version "
              + found
              + " cannot be brought to "
              + version
              + ": "
              + firstLine(e)
              + " (expected: an account that may make tables, or the scripts applied by one)",
          e);
    }
  }

  private static String firstLine(SQLException failure) {
    String message = String.valueOf(failure.getMessage());
    return message.lines().findFirst().orElse(message);
  }

  private static String place(Dialect dialect) {
    return dialect.kind() + ": " + dialect.place() + ": ";
  }

  private static int found(Connection connection, Dialect dialect) throws SQLException {
    if (!dialect.hasTables(connection)) {
      return 0;
    }
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT schema_version FROM idgen_meta")) {
      return row.next() ? row.getInt(1) : 0;
    }
  }

  private static void run(Connection connection, String script) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String sql : statements(script)) {
        statement.execute(sql);
      }
    }
  }

  private static String[] statements(String script) {
    return Arrays.stream(text(script).split(";\\s*\\R"))
        .filter(sql -> !sql.isBlank())
        .toArray(String[]::new);
  }

  /** The statements of one version, as who applies them by hand would run them. */
  static String[] statements(String folder, int version) {
    return statements(folder + "/" + version + ".sql");
  }

  private static String text(String script) {
    try (InputStream in = Schema.class.getResourceAsStream(script)) {
      if (in == null) {
        throw new IllegalStateException(script + ": missing (expected: in the jar)");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new IllegalStateException(script + ": unreadable (expected: in the jar)", e);
    }
  }
}
