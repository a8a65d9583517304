package dev.idgen.store.jdbc;

/**
 * How many connections a process has to a database server, and how long it waits. A value. A file
 * of SQLite has one connection for each store, and limits of its own.
 *
 * @param maxOpen the most connections, {@link #OWN} of which are for leases and tags, 3 or more
 * @param maxIdle the most of the others that stay open when nobody needs them, 0 or more
 * @param timeoutMs how long a connection, or an answer, is waited for, 500..60000
 */
public record JdbcOptions(int maxOpen, int maxIdle, long timeoutMs) {

  /** Connections that no pool gives out: a renewal of a lease must never wait for one. */
  public static final int OWN = 2;

  /** Twenty connections, ten of which stay, and two seconds. */
  public static final JdbcOptions DEFAULTS = new JdbcOptions(20, 10, 2_000);

  private static final long MIN_TIMEOUT_MS = 500;
  private static final long MAX_TIMEOUT_MS = 60_000;

  /** Refuses what makes no sense. */
  public JdbcOptions {
    if (maxOpen <= OWN) {
      throw new IllegalArgumentException("maxOpen: " + maxOpen + " (expected: > " + OWN + ")");
    }
    if (maxIdle < 0) {
      throw new IllegalArgumentException("maxIdle: " + maxIdle + " (expected: >= 0)");
    }
    if (timeoutMs < MIN_TIMEOUT_MS || timeoutMs > MAX_TIMEOUT_MS) {
      throw new IllegalArgumentException(
          "timeoutMs: "
              + timeoutMs
              + " (expected: "
              + MIN_TIMEOUT_MS
              + ".."
              + MAX_TIMEOUT_MS
              + ")");
    }
  }

  /** How many connections the pool of a database may have. */
  int pooled() {
    return maxOpen - OWN;
  }
}
