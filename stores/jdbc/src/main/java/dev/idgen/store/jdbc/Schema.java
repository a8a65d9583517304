package dev.idgen.store.jdbc;

import dev.idgen.store.StoreException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * The tables, in versions: script n leads from version n - 1 to n. A released script is never
 * changed.
 */
final class Schema {
  static final int VERSION = 1;

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
   * @param freshIdentity becomes the database's if it has none
   * @throws StoreException a newer idgen has been here, or the tables cannot be made
   */
  void apply(Connection connection, Dialect dialect, String freshIdentity) throws SQLException {
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
      migrate(connection, dialect, found, freshIdentity);
    } finally {
      dialect.unlockSchema(connection);
    }
  }

  private void migrate(Connection connection, Dialect dialect, int found, String freshIdentity)
      throws SQLException {
    try {
      for (int next = found + 1; next <= version; next++) {
        run(connection, folder + "/" + next + ".sql");
      }
      if (found == 0) {
        begin(connection, freshIdentity);
      } else if (found < version) {
        update(connection);
      }
    } catch (SQLException e) {
      if (dialect.retryable(e)) {
        throw e;
      }
      throw StoreException.permanent(
          place(dialect)
              + "schema version "
              + found
              + " cannot be brought to "
              + version
              + ": "
              + e.getMessage()
              + " (expected: an account that may make tables, or the scripts applied by one)",
          e);
    }
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
      for (String sql : text(script).split(";\\s*\\R")) {
        if (!sql.isBlank()) {
          statement.execute(sql);
        }
      }
    }
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

  private void begin(Connection connection, String identity) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO idgen_meta (id, schema_version, identity) VALUES (1, ?, ?)")) {
      insert.setInt(1, version);
      insert.setString(2, identity);
      insert.executeUpdate();
    }
  }

  private void update(Connection connection) throws SQLException {
    try (PreparedStatement update =
        connection.prepareStatement("UPDATE idgen_meta SET schema_version = ? WHERE id = 1")) {
      update.setInt(1, version);
      update.executeUpdate();
    }
  }
}
