package dev.idgen.store.jdbc;

import dev.idgen.store.StoreException;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * Transactions, each over one connection, which is kept or given back when it has ended well, and
 * ended after a failure. For one thread at a time.
 */
final class Session {
  /** How often a transaction is tried that others keep from coming through. */
  private static final int ATTEMPTS = 4;

  private final Dialect dialect;
  private final Connections connections;
  private @Nullable String broken; // why every later operation is refused

  Session(Dialect dialect, Connections connections) {
    this.dialect = dialect;
    this.connections = connections;
  }

  /** With a connection of its own. */
  Session(Dialect dialect) {
    this(dialect, new OneConnection(dialect));
  }

  /** What differs from one database to another. */
  Dialect dialect() {
    return dialect;
  }

  /** What is done in a transaction. May be done again, from its beginning, after a conflict. */
  interface Work<T> {
    T apply(Connection connection) throws SQLException, IOException;
  }

  /**
   * Runs a transaction, again where others came first: nothing was done then.
   *
   * @param name for messages
   * @throws StoreException it was refused, or its outcome is unknown
   */
  <T> T transaction(String name, boolean writes, Work<T> work) {
    for (int i = 1; i < ATTEMPTS; i++) {
      try {
        return attempt(name, writes, work);
      } catch (ConflictException e) {
        // Nothing was done, and the other writer has ended: the next attempt sees what it wrote.
      }
    }
    try {
      return attempt(name, writes, work);
    } catch (ConflictException e) {
      throw failed(name, e.failure, false);
    }
  }

  private <T> T attempt(String name, boolean writes, Work<T> work) throws ConflictException {
    if (broken != null) {
      throw StoreException.refused(broken);
    }
    dialect.verify();
    boolean committing = false;
    boolean done = false;
    Connection c = null;
    try {
      c = connections.take();
      execute(c, writes ? dialect.beginWriting() : dialect.beginReading());
      T result = work.apply(c);
      committing = writes;
      execute(c, "COMMIT"); // linearization point; who dies after it has what nobody heard of
      done = true;
      verifyAfter(committing);
      return result;
    } catch (SQLException e) {
      if (e instanceof ChangedException || dialect.retryable(e)) {
        done = c != null && rolledBack(c);
        throw new ConflictException(e);
      }
      throw failed(name, e, committing);
    } catch (StoreException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      throw refused(name, e);
    } finally {
      if (c != null) {
        end(c, done);
      }
    }
  }

  /** Whether the connection is as before the transaction: where others came first, it is well. */
  private static boolean rolledBack(Connection c) {
    try {
      execute(c, "ROLLBACK");
      return true;
    } catch (SQLException e) {
      return false; // then the connection is ended instead, and with it the transaction
    }
  }

  /** Another writer came first. */
  private static final class ConflictException extends Exception {
    private static final long serialVersionUID = 1L;

    private final SQLException failure;

    ConflictException(SQLException failure) {
      super(failure);
      this.failure = failure;
    }
  }

  /** A commit into a file that was deleted meanwhile is durable nowhere. */
  private void verifyAfter(boolean committed) {
    try {
      dialect.verify();
    } catch (StoreException e) {
      throw committed ? StoreException.unknown(String.valueOf(e.getMessage()), e) : e;
    }
  }

  /** Something else than the database failed, and nothing was written. */
  StoreException refused(String name, Exception e) {
    return StoreException.refused(dialect.kind() + ": " + name + ": " + e, e);
  }

  private StoreException failed(String name, SQLException e, boolean committing) {
    if (e instanceof ChangedException) {
      return StoreException.refused(
              dialect.kind() + ": " + name + ": " + e.getMessage() + " (expected: a turn)", e)
          .ofRow();
    }
    String message = dialect.explain(e);
    if (dialect.fatal(e)) {
      broken = message + ", seen at " + name + "; restart when that is mended";
    }
    if (committing) {
      return StoreException.unknown(message, e);
    }
    if (dialect.permanent(e)) {
      return StoreException.permanent(message, e);
    }
    StoreException refusal = StoreException.refused(message, e);
    return dialect.concernsRow(e) ? refusal.ofRow() : refusal;
  }

  private static void execute(Connection c, String sql) throws SQLException {
    try (Statement statement = c.createStatement()) {
      statement.execute(sql);
    }
  }

  /** A transaction that failed is ended, whatever state it is in, by ending its connection. */
  private void end(Connection c, boolean well) {
    if (well) {
      connections.give(c);
      return;
    }
    try {
      connections.discard(c);
    } catch (SQLException e) {
      broken = closing(e);
    }
  }

  private String closing(SQLException e) {
    return dialect.explain(e) + ", seen when closing; restart when that is mended";
  }

  /** Ends the connection, if it has one of its own. */
  void close() {
    try {
      connections.close();
    } catch (SQLException e) {
      broken = closing(e);
    }
  }
}
