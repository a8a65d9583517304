package dev.idgen.store.jdbc;

import dev.idgen.entropy.Entropy;
import dev.idgen.store.AbstractWorkerStore;
import dev.idgen.store.Decision;
import dev.idgen.store.LeaseReply;
import dev.idgen.store.NamespaceRow;
import dev.idgen.store.StoreException;
import dev.idgen.store.StoreOperation;
import dev.idgen.store.StoreSnapshot;
import dev.idgen.store.StoreThread;
import dev.idgen.store.WorkerRow;
import dev.idgen.time.TimeSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Leases in a database, over one connection on one thread. Thread-safe.
 *
 * <p>With SQLite the file may be shared by any number of processes of one machine. It tells by
 * locks in the folder {@code <file>.owners} which of them have ended, so their worker ids come free
 * at once. The file must lie on a local disk; delete it only while nobody uses it.
 */
public final class JdbcWorkerStore extends AbstractWorkerStore {
  private static final int IDENTITY_BYTES = 16;

  private final Dialect dialect;
  private final StoreThread thread;

  // Of the store's thread alone.
  private @Nullable Connection connection;
  private @Nullable String broken; // why every later operation is refused

  private JdbcWorkerStore(Dialect dialect, Entropy entropy) {
    super(entropy);
    this.dialect = dialect;
    this.thread = new StoreThread(dialect.kind(), TimeSource.system());
  }

  /**
   * Opens the store of a database, and makes what is missing: folder, file, tables.
   *
   * @param url {@code jdbc:sqlite:} and the path of a file
   * @throws IllegalArgumentException no such kind of database is known
   * @throws StoreException the database cannot be used: the message says what to do
   */
  public static JdbcWorkerStore open(String url) {
    if (!url.startsWith(SqliteDialect.PREFIX)) {
      throw new IllegalArgumentException("url: " + url + " (expected: jdbc:sqlite:<path>)");
    }
    Dialect dialect = new SqliteDialect(SqliteDialect.fileOf(url), TimeSource.system());
    return open(dialect, Entropy.operatingSystem());
  }

  /** Takes the dialect over: it is closed with the store, and if this fails. */
  static JdbcWorkerStore open(Dialect dialect, Entropy entropy) {
    JdbcWorkerStore store = new JdbcWorkerStore(dialect, entropy);
    boolean done = false;
    try {
      store.thread.run("open", () -> store.prepared(entropy)).toCompletableFuture().join();
      done = true;
      return store;
    } catch (CompletionException e) {
      throw e.getCause() instanceof StoreException cause ? cause : e;
    } finally {
      if (!done) {
        store.close();
      }
    }
  }

  private String prepared(Entropy entropy) {
    byte[] identity = new byte[IDENTITY_BYTES];
    entropy.fill(identity);
    Schema schema = new Schema(dialect.kind(), Schema.VERSION);
    return transaction(
        "open",
        true,
        c -> {
          schema.apply(
              c, dialect.kind() + ": " + dialect.place(), HexFormat.of().formatHex(identity));
          dialect.sweep(Rows.owners(c));
          return Rows.identity(c);
        });
  }

  @Override
  public String kind() {
    return dialect.kind();
  }

  @Override
  public boolean embedded() {
    return dialect.embedded();
  }

  @Override
  protected CompletionStage<LeaseReply> transact(StoreOperation operation) {
    return thread.run(
        operation.name(),
        () -> {
          hold(operation);
          return transaction(operation.name(), true, c -> applied(c, operation));
        });
  }

  /** Before any row may name the owner, it must be known to be alive. */
  private void hold(StoreOperation operation) {
    if (operation.owner() != null) {
      dialect.verify();
      try {
        dialect.hold(operation.owner());
      } catch (IOException e) {
        throw refused(operation.name(), e);
      }
    }
  }

  @Override
  public CompletionStage<Listing> list(String namespace) {
    return thread.run("list", () -> transaction("list", false, c -> listed(c, namespace)));
  }

  private LeaseReply applied(Connection c, StoreOperation operation) throws SQLException {
    String namespace = operation.namespace();
    StoreSnapshot s =
        new StoreSnapshot(
            Rows.identity(c),
            dialect.nowMillis(c),
            Rows.namespace(c, namespace),
            Rows.workers(c, namespace, operation.workerId()),
            dialect.embedded(),
            endedOnce());
    Decision decision = operation.rule().apply(s);
    NamespaceRow changed = decision.namespace();
    if (changed != null) {
      Rows.write(c, namespace, s.namespace(), changed);
    }
    WorkerRow written = decision.worker();
    if (written != null) {
      Rows.write(c, namespace, s.worker(written.workerId()), written);
    }
    return decision.reply();
  }

  /** Looks at each owner once in an operation: the rules ask more often. */
  private Predicate<String> endedOnce() {
    Map<String, Boolean> known = new HashMap<>();
    return owner -> known.computeIfAbsent(owner, this::ended);
  }

  private boolean ended(String owner) {
    try {
      return dialect.ended(owner);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Listing listed(Connection c, String namespace) throws SQLException {
    return new Listing(
        Rows.namespace(c, namespace),
        Rows.workers(c, namespace, StoreOperation.ALL_ROWS),
        dialect.nowMillis(c),
        Rows.identity(c));
  }

  // ---- transactions, on the store's thread

  private interface Work<T> {
    T apply(Connection connection) throws SQLException, IOException;
  }

  private <T> T transaction(String name, boolean writes, Work<T> work) {
    if (broken != null) {
      throw StoreException.refused(broken);
    }
    dialect.verify();
    boolean committing = false;
    boolean done = false;
    try {
      Connection c = connected();
      execute(c, writes ? dialect.beginWriting() : dialect.beginReading());
      T result = work.apply(c);
      committing = writes;
      execute(
          c, "COMMIT"); // linearization point; who dies after it has a lease that nobody heard of
      done = true;
      verifyAfter(committing);
      return result;
    } catch (SQLException e) {
      throw failed(name, e, committing);
    } catch (StoreException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      throw refused(name, e);
    } finally {
      if (!done) {
        abandon();
      }
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

  private StoreException refused(String name, Exception e) {
    return StoreException.refused(dialect.kind() + ": " + name + ": " + e, e);
  }

  private StoreException failed(String name, SQLException e, boolean committing) {
    String message = dialect.explain(e);
    if (dialect.fatal(e)) {
      broken = message + ", seen at " + name + "; restart when that is mended";
    }
    return committing ? StoreException.unknown(message, e) : StoreException.refused(message, e);
  }

  private Connection connected() throws SQLException {
    Connection c = connection;
    if (c == null) {
      c = dialect.connect();
      connection = c;
    }
    return c;
  }

  private static void execute(Connection c, String sql) throws SQLException {
    try (Statement statement = c.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Ends a transaction that failed, whatever state it is in, by ending its connection. */
  private void abandon() {
    Connection c = connection;
    connection = null;
    try {
      if (c != null) {
        c.close();
      }
    } catch (SQLException e) {
      broken = dialect.explain(e) + ", seen when closing; restart when that is mended";
    }
  }

  @Override
  public void close() {
    thread.close(
        () -> {
          abandon();
          dialect.close();
        });
  }
}
