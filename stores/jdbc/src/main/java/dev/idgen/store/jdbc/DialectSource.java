package dev.idgen.store.jdbc;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * What a pool makes its connections by: as the dialect does, so that each is told its isolation and
 * its limits before its first transaction. Thread-safe.
 */
final class DialectSource implements DataSource {
  private final Maker maker;
  private final int timeoutSeconds;

  /** Makes one connection. */
  interface Maker {
    Connection connect() throws SQLException;
  }

  /**
   * A source.
   *
   * @param timeoutMs how long a connection may take to be made
   */
  DialectSource(Maker maker, long timeoutMs) {
    this.maker = maker;
    this.timeoutSeconds = (int) Math.max(1, timeoutMs / 1000);
  }

  @Override
  public Connection getConnection() throws SQLException {
    return maker.connect();
  }

  @Override
  public Connection getConnection(String user, String password) throws SQLException {
    throw new SQLFeatureNotSupportedException("user: given (expected: that of the address)");
  }

  @Override
  public @Nullable PrintWriter getLogWriter() {
    return null;
  }

  @Override
  public void setLogWriter(@Nullable PrintWriter out) {
    // What fails is told by exceptions.
  }

  @Override
  public void setLoginTimeout(int seconds) {
    // The dialect has limits of its own.
  }

  @Override
  public int getLoginTimeout() {
    return timeoutSeconds;
  }

  @Override
  public Logger getParentLogger() throws SQLFeatureNotSupportedException {
    throw new SQLFeatureNotSupportedException("logger: none");
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    throw new SQLException("unwrap: " + type.getName() + " (expected: nothing)");
  }

  @Override
  public boolean isWrapperFor(Class<?> type) {
    return false;
  }
}
