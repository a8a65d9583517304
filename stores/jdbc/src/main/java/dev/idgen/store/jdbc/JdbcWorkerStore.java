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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;

/**
 * Leases in a database, over one connection on one thread. Thread-safe.
 *
 * <p>With SQLite the file may be shared by any number of processes of one machine. It tells by
 * locks in the folder {@code <file>.owners} which of them have ended, so their worker ids come free
 * at once. The file must lie on a local disk; delete it only while nobody uses it.
 */
public final class JdbcWorkerStore extends AbstractWorkerStore {
  private final Dialect dialect;
  private final StoreThread thread;

  private final Session session; // of the store's thread alone
  private volatile List<String> risks = List.of(); // written once, when it was opened

  private JdbcWorkerStore(Dialect dialect, Entropy entropy) {
    super(entropy);
    this.dialect = dialect;
    this.session = new Session(dialect);
    this.thread = new StoreThread(dialect.kind(), TimeSource.system());
  }

  /**
   * Opens the store of a database, and makes what is missing: folder, file, tables.
   *
   * @param url {@code jdbc:sqlite:} and the path of a file; or {@code
   *     postgres://user:password@host:port/database}, the same with {@code mariadb} or {@code
   *     mysql}; options of the driver may follow behind a question mark
   * @throws IllegalArgumentException no such kind of database is known
   * @throws StoreException the database cannot be used: the message says what to do
   */
  public static JdbcWorkerStore open(String url) {
    return open(url, JdbcOptions.DEFAULTS);
  }

  /**
   * Opens the store of a database with other limits.
   *
   * @param options how long an answer is waited for; a lease has a connection of its own
   * @throws StoreException as {@link #open(String)}
   */
  public static JdbcWorkerStore open(String url, JdbcOptions options) {
    return open(Dialects.of(url, options.timeoutMs()), Entropy.operatingSystem());
  }

  /**
   * How the database has been told to lose what it acknowledged, such as an asynchronous replica;
   * for people. Empty: no such setting was seen.
   */
  public List<String> risks() {
    return risks;
  }

  /** Takes the dialect over: it is closed with the store, and if this fails. */
  static JdbcWorkerStore open(Dialect dialect, Entropy entropy) {
    JdbcWorkerStore store = new JdbcWorkerStore(dialect, entropy);
    boolean done = false;
    try {
      store.thread.run("open", store::prepared).toCompletableFuture().join();
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

  private String prepared() {
    Schema schema = new Schema(dialect.scripts(), Schema.VERSION);
    return session.transaction(
        "open",
        true,
        c -> {
          schema.apply(c, dialect);
          Rows.verify(c);
          risks = List.copyOf(dialect.risks(c));
          dialect.sweep(Rows.owners(c));
          String identity = Rows.identity(c, dialect);
          // With the tables: a failover that loses the first ranges then finds it there.
          SegmentRows.begin(c, identity);
          return identity;
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
          return session.transaction(operation.name(), true, c -> applied(c, operation));
        });
  }

  /** Before any row may name the owner, it must be known to be alive. */
  private void hold(StoreOperation operation) {
    if (operation.owner() != null) {
      dialect.verify();
      try {
        dialect.hold(operation.owner());
      } catch (IOException e) {
        throw session.refused(operation.name(), e);
      }
    }
  }

  @Override
  public CompletionStage<Listing> list(String namespace) {
    return thread.run("list", () -> session.transaction("list", false, c -> listed(c, namespace)));
  }

  private LeaseReply applied(Connection c, StoreOperation operation) throws SQLException {
    String namespace = operation.namespace();
    String identity = Rows.identity(c, dialect);
    // First what may wait, then the clock: an old reading would shorten what is granted by it.
    NamespaceRow known = Rows.namespace(c, namespace, ofAll(operation) ? dialect.lockRow() : "");
    StoreSnapshot s =
        new StoreSnapshot(
            identity,
            dialect.nowMillis(c),
            known,
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

  /**
   * Whether an operation decides over the namespace: a claim beside a fence must see it or come
   * before it. The others compare the one row that they write.
   */
  private static boolean ofAll(StoreOperation operation) {
    return operation.workerId() < 0;
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
        Rows.namespace(c, namespace, ""),
        Rows.workers(c, namespace, StoreOperation.ALL_ROWS),
        dialect.nowMillis(c),
        Rows.identity(c, dialect));
  }

  @Override
  public void close() {
    thread.close(
        () -> {
          session.close();
          dialect.close();
        });
  }
}
