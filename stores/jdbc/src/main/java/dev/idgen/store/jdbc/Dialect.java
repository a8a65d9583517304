package dev.idgen.store.jdbc;

import dev.idgen.store.StoreException;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** What differs from one database to another. Used by one thread at a time. */
interface Dialect extends AutoCloseable {

  /** Names the kind of store. */
  String kind();

  /** Whether it serves one machine only and shares its clock. */
  boolean embedded();

  /** The folder of its schema scripts. */
  default String scripts() {
    return kind();
  }

  /** Which database, for messages. */
  String place();

  /** A new connection on which a committed transaction is durable. */
  Connection connect() throws SQLException;

  /** Begins a transaction that reads and writes, and that no other writer overlaps. */
  String beginWriting();

  /** Begins a transaction that reads one state. */
  String beginReading();

  /** What a query ends with that keeps its row from being written by others; empty: not needed. */
  String lockRow();

  /**
   * Which database answers, as an expression over the row of {@code idgen_meta}: the same text
   * until acknowledged writes may have been lost, as by a failover.
   */
  String identity();

  /** Whether the tables are there, of whatever version. */
  boolean hasTables(Connection connection) throws SQLException;

  /** The columns of a table where ours are made; none: it is not there, or out of reach. */
  default Set<String> columns(Connection connection, String table) throws SQLException {
    Set<String> columns = new HashSet<>();
    DatabaseMetaData all = connection.getMetaData();
    try (ResultSet row =
        all.getColumns(connection.getCatalog(), connection.getSchema(), table, null)) {
      while (row.next()) {
        if (row.getString("TABLE_NAME").equalsIgnoreCase(table)) { // it was taken for a pattern
          columns.add(row.getString("COLUMN_NAME").toLowerCase(Locale.ROOT));
        }
      }
    }
    return columns;
  }

  /** Keeps other processes from making or changing the tables. */
  void lockSchema(Connection connection) throws SQLException;

  /** Lets them again. */
  void unlockSchema(Connection connection) throws SQLException;

  /**
   * Whether others came first, nothing was done, not even when it was the commit that failed so,
   * and another attempt makes sense at once.
   */
  boolean retryable(SQLException failure);

  /** How this database has been told to lose what it acknowledged; for people. */
  List<String> risks(Connection connection) throws SQLException;

  /** The database's own clock as an expression: milliseconds since 1970. */
  String now();

  /** The database's own clock, in milliseconds since 1970. */
  long nowMillis(Connection connection) throws SQLException;

  /**
   * Whether the database is still the one that was opened.
   *
   * @throws StoreException it is not
   */
  void verify();

  /** What a failure means, and what to do: name, value, expected. */
  String explain(SQLException failure);

  /** Whether it stays until somebody changes settings: a wrong password, a missing grant. */
  boolean permanent(SQLException failure);

  /** Whether somebody else has one row, and other rows can be had. */
  boolean concernsRow(SQLException failure);

  /** Whether nothing that this process reads back after it can be trusted to be on disk. */
  boolean fatal(SQLException failure);

  /** Declares an owner alive for as long as this process is. */
  void hold(String owner) throws IOException;

  /** Whether an owner is known to have ended. */
  boolean ended(String owner) throws IOException;

  /** Forgets owners that have ended and that no row mentions. */
  void sweep(Collection<String> mentioned) throws IOException;

  @Override
  void close() throws IOException;
}
