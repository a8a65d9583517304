package dev.idgen.store.jdbc;

import dev.idgen.store.StoreException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collection;
import java.util.Map;

/**
 * A database that is a server: shared by machines, with a clock and an identity of its own, and
 * with no way to tell that an owner has ended but its horizon.
 */
abstract class ServerDialect implements Dialect {
  /** How long a connection, or an answer, is waited for. */
  static final int ANSWER_MS = 2_000;

  /** How long a row that another process writes is waited for: less than for an answer. */
  static final int LOCK_MS = 1_500;

  /** How long a transaction may rest between two statements before the server ends it. */
  static final int IDLE_MS = 5_000;

  private final DatabaseUrl url;

  ServerDialect(DatabaseUrl url) {
    this.url = url;
  }

  /** Asks its driver for a connection. */
  abstract Connection open(DatabaseUrl url) throws SQLException;

  /** What a session must be told before its commits are durable and its waits have limits. */
  abstract void prepare(Statement statement) throws SQLException;

  @Override
  public final boolean embedded() {
    return false;
  }

  @Override
  public final String place() {
    return url.place();
  }

  @Override
  public final Connection connect() throws SQLException {
    Connection connection = open(url);
    boolean done = false;
    try (Statement statement = connection.createStatement()) {
      prepare(statement);
      done = true;
      return connection;
    } finally {
      if (!done) {
        connection.close();
      }
    }
  }

  @Override
  public long nowMillis(Connection connection) throws SQLException {
    return oneLong(connection, "SELECT " + now());
  }

  @Override
  public final String lockRow() {
    return " FOR UPDATE";
  }

  @Override
  public final void verify() {
    // The server's identity is asked for in each transaction.
  }

  @Override
  public final boolean fatal(SQLException failure) {
    return false; // the next connection may find a server that is well
  }

  @Override
  public final void hold(String owner) {
    // Nobody but the owner itself can tell that it lives.
  }

  @Override
  public final boolean ended(String owner) {
    return false;
  }

  @Override
  public final void sweep(Collection<String> mentioned) {
    // Nothing is kept of owners.
  }

  @Override
  public final void close() {
    // Connections are the store's.
  }

  final String explained(String what) {
    return kind() + ": " + place() + ": " + what;
  }

  /** Whether the connection itself is gone. */
  static boolean disconnected(SQLException failure) {
    String state = failure.getSQLState();
    return state == null || state.startsWith("08") || state.startsWith("57P");
  }

  static long oneLong(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    }
  }

  static String oneText(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      if (!row.next()) {
        throw StoreException.refused("idgen_meta: no row (expected: the tables' identity)");
      }
      return row.getString(1);
    }
  }

  /** Limits in milliseconds under the names that a driver has for them. */
  static Map<String, String> limits(String connect, String answer, int perUnit) {
    String value = String.valueOf(Math.max(1, ANSWER_MS / perUnit));
    return Map.of(connect, value, answer, value);
  }
}
