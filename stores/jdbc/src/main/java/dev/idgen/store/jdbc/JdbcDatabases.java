package dev.idgen.store.jdbc;

import dev.idgen.store.StoreException;
import dev.idgen.time.TimeSource;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The databases of a process whose stores share connections: those of one address have one pool,
 * which is there as long as one of them is open. Leases and tags have connections of their own.
 * Thread-safe.
 */
public final class JdbcDatabases {
  private final JdbcOptions options;
  private final Map<String, Shared> pools = new HashMap<>(); // guarded by itself

  /** A pool, and for how many stores. */
  private static final class Shared {
    final Pool pool;
    int users;

    Shared(Pool pool) {
      this.pool = pool;
    }
  }

  /** No connection is made yet. */
  public JdbcDatabases(JdbcOptions options) {
    this.options = options;
  }

  /**
   * Opens the high-water marks of a database, and makes what is missing, as {@link
   * JdbcWorkerStore#open} does.
   *
   * @param url as there
   * @throws IllegalArgumentException no such kind of database is known
   * @throws StoreException the database cannot be used: the message says what to do
   */
  public JdbcSegmentStore segments(String url) {
    return JdbcSegmentStore.of(first -> lanes(url, options.pooled(), first));
  }

  /**
   * Opens the idempotency keys of a database. They take at most half of its connections: whoever
   * sends many must not keep segments waiting.
   *
   * @param url as for {@link #segments}
   * @throws IllegalArgumentException no such kind of database is known
   * @throws StoreException the database cannot be used: the message says what to do
   */
  public JdbcIdempotencyStore idempotency(String url) {
    int half = Math.max(1, options.pooled() / 2);
    return JdbcIdempotencyStore.of(lanes(url, half, JdbcIdempotencyStore::prepare));
  }

  private Lanes lanes(String url, int most, Consumer<Session> first) {
    Dialect dialect = Dialects.of(url, options.timeoutMs());
    return dialect.embedded()
        ? Lanes.alone(dialect, first)
        : Lanes.sharing(acquire(url, dialect), most, first, () -> release(url));
  }

  private Pool acquire(String url, Dialect dialect) {
    synchronized (pools) {
      Shared shared =
          pools.computeIfAbsent(
              url, u -> new Shared(new Pool(dialect, options, TimeSource.system())));
      shared.users++;
      return shared.pool;
    }
  }

  private void release(String url) {
    Pool last = null;
    synchronized (pools) {
      Shared shared = pools.get(url);
      if (shared != null && --shared.users == 0) {
        pools.remove(url);
        last = shared.pool;
      }
    }
    if (last != null) {
      last.end();
    }
  }
}
