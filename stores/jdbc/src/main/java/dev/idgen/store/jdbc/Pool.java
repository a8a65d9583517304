package dev.idgen.store.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.idgen.store.StoreException;
import dev.idgen.time.TimeSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;

/**
 * The connections to a database server that several stores of a process share. Thread-safe.
 *
 * <p>A connection is made when it is needed, one whose transaction has failed is ended, and one
 * that has rested is looked at before it is given out. Whoever waits for one that cannot be made is
 * told why at once: see {@link NoConnection}.
 */
final class Pool implements Connections {
  /** Before firewalls forget a connection, and MySQL ends it. The least that HikariCP takes. */
  private static final long KEEP_ALIVE_MS = 30_000;

  private static final long LIFE_MS = 1_800_000;

  private final Dialect dialect;
  private final JdbcOptions options;
  private final TimeSource time;
  private final HikariDataSource pool;
  private final Object giving = new Object(); // one looks at how many rest, and gives

  /**
   * Makes no connection yet.
   *
   * @param dialect may be used by several threads at once
   */
  Pool(Dialect dialect, JdbcOptions options, TimeSource time) {
    this.dialect = dialect;
    this.options = options;
    this.time = time;
    this.pool = new HikariDataSource(config());
  }

  private HikariConfig config() {
    HikariConfig config = new HikariConfig();
    config.setPoolName("idgen-" + dialect.kind());
    config.setDataSource(new DialectSource(this::connect, options.timeoutMs()));
    config.setMaximumPoolSize(options.pooled());
    config.setMinimumIdle(0); // none is made ahead; how many stay is seen to where they come back
    config.setIdleTimeout(0);
    config.setInitializationFailTimeout(-1);
    config.setConnectionTimeout(options.timeoutMs());
    config.setValidationTimeout(options.timeoutMs());
    config.setKeepaliveTime(KEEP_ALIVE_MS);
    config.setMaxLifetime(LIFE_MS);
    config.setThreadFactory(Pool::daemon);
    return config;
  }

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work, "idgen-pool");
    thread.setDaemon(true);
    return thread;
  }

  private Connection connect() {
    try {
      return dialect.connect();
    } catch (SQLException e) {
      return NoConnection.standIn(e, time.monotonicNanos());
    }
  }

  /** Which kind of database, for all who share it. */
  Dialect dialect() {
    return dialect;
  }

  /**
   * {@inheritDoc}
   *
   * @throws SQLException none could be made
   * @throws StoreException all are in use, or the server is silent
   */
  @Override
  public Connection take() throws SQLException {
    long begun = time.monotonicNanos();
    for (int i = 0; i <= options.pooled(); i++) {
      Connection taken = waitedFor();
      NoConnection none = NoConnection.in(taken);
      if (none == null) {
        return taken;
      }
      pool.evictConnection(taken);
      if (none.atNanos() - begun >= 0) {
        throw none.why();
      }
      // It was made for somebody who has waited long enough meanwhile: it tells of the past.
    }
    throw noneFree();
  }

  private Connection waitedFor() throws SQLException {
    try {
      return pool.getConnection();
    } catch (SQLTransientConnectionException e) {
      throw noneFree();
    }
  }

  private StoreException noneFree() {
    int active = pool.getHikariPoolMXBean().getActiveConnections();
    String what =
        active >= options.pooled()
            ? "all "
                + active
                + " connections are in use (expected: one that is free within "
                + options.timeoutMs()
                + " ms)"
            : "no answer within " + options.timeoutMs() + " ms (expected: a server that answers)";
    return StoreException.refused(dialect.kind() + ": " + dialect.place() + ": " + what);
  }

  private int resting() {
    return pool.getHikariPoolMXBean().getIdleConnections();
  }

  /** How many there are, in use or not. */
  int total() {
    return pool.getHikariPoolMXBean().getTotalConnections();
  }

  @Override
  public void give(Connection connection) {
    synchronized (giving) {
      if (resting() >= options.maxIdle()) {
        pool.evictConnection(connection);
        return;
      }
      try {
        connection.close();
      } catch (SQLException e) {
        pool.evictConnection(connection); // what it had committed stays
      }
    }
  }

  @Override
  public void discard(Connection connection) {
    pool.evictConnection(connection);
  }

  @Override
  public void close() {
    // It is not a session's alone.
  }

  /** Ends all connections, those in use too. */
  void end() {
    pool.close();
  }
}
