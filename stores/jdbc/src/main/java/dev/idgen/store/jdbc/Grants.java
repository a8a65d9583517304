package dev.idgen.store.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Tries what an account has to be allowed, on no row: what is missing is found when a store is
 * opened, and not by the first request that needs it.
 */
final class Grants {
  private Grants() {}

  /**
   * Fails where a table is missing, or an account may not add to it or change it.
   *
   * @param column any of the table
   */
  static void requireWrite(Connection connection, String table, String column) throws SQLException {
    tried(connection, "INSERT INTO " + table + " SELECT * FROM " + table + " WHERE 1 = 0");
    tried(connection, "UPDATE " + table + " SET " + column + " = " + column + " WHERE 1 = 0");
  }

  /** Fails where an account may not delete from a table. */
  static void requireDelete(Connection connection, String table) throws SQLException {
    tried(connection, "DELETE FROM " + table + " WHERE 1 = 0");
  }

  private static void tried(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      var unused = statement.executeUpdate(sql);
    }
  }
}
