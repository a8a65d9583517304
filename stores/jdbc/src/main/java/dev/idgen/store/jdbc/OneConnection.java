package dev.idgen.store.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * One connection, which is made when it is needed and again after a failure. For one thread at a
 * time.
 */
final class OneConnection implements Connections {
  private final Dialect dialect;
  private @Nullable Connection connection;

  OneConnection(Dialect dialect) {
    this.dialect = dialect;
  }

  @Override
  public Connection take() throws SQLException {
    Connection c = connection;
    if (c == null) {
      c = dialect.connect();
      connection = c;
    }
    return c;
  }

  @Override
  public void give(Connection given) {
    // It is kept.
  }

  @Override
  public void discard(Connection given) throws SQLException {
    connection = null;
    given.close();
  }

  @Override
  public void close() throws SQLException {
    Connection c = connection;
    connection = null;
    if (c != null) {
      c.close();
    }
  }
}
