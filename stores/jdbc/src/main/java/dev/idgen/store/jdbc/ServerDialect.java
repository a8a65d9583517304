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
 * with no way to tell that an owner has ended but its horizon. Keeps nothing of a connection, so
 * that several threads may use it at once.
 */
abstract class ServerDialect implements Dialect {
  /** How many causes are looked at: they may form a circle. */
  private static final int DEPTH = 10;

  final Patience patience;

  private final DatabaseUrl url;

  ServerDialect(DatabaseUrl url, Patience patience) {
    this.url = url;
    this.patience = patience;
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

  /** What lies under a failure and is not said by it: a name that is not known, a certificate. */
  static String cause(SQLException failure) {
    Throwable root = failure;
    for (int i = 0; i < DEPTH && root.getCause() != null; i++) {
      root = root.getCause();
    }
    if (root instanceof SQLException) {
      return "";
    }
    String why = String.valueOf(root.getMessage());
    return "; " + root.getClass().getSimpleName() + ": " + why.lines().findFirst().orElse(why);
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

  /**
   * The time for an answer under the names that a driver has for it.
   *
   * @param unitMs what the driver counts in; what is left over counts as one
   */
  Map<String, String> limits(String connect, String answer, long answerMs, int unitMs) {
    String value = String.valueOf((answerMs + unitMs - 1) / unitMs);
    return Map.of(connect, value, answer, value);
  }
}
