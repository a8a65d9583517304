package dev.idgen.store.jdbc;

import dev.idgen.store.StoreException;
import dev.idgen.store.StoreThread;
import dev.idgen.store.TagChanges;
import dev.idgen.store.TagReply;
import dev.idgen.store.TagRow;
import dev.idgen.store.TagRules;
import dev.idgen.store.TagStore;
import dev.idgen.time.TimeSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** What is set for tags, in a database, over one connection on one thread. Thread-safe. */
public final class JdbcTagStore implements TagStore {
  private final Dialect dialect;
  private final StoreThread thread;
  private final Session session; // of the store's thread alone
  private volatile List<String> risks = List.of(); // written once, when it was opened

  private JdbcTagStore(Dialect dialect) {
    this.dialect = dialect;
    this.session = new Session(dialect);
    this.thread = new StoreThread(dialect.kind(), TimeSource.system());
  }

  /**
   * Opens the store of a database, and makes what is missing, as {@link JdbcWorkerStore#open} does.
   *
   * @param url as there
   * @throws IllegalArgumentException no such kind of database is known
   * @throws StoreException the database cannot be used: the message says what to do
   */
  public static JdbcTagStore open(String url) {
    return open(url, JdbcOptions.DEFAULTS);
  }

  /**
   * Opens the store of a database with other limits.
   *
   * @param options how long an answer is waited for; tags have a connection of their own
   * @throws StoreException as {@link #open(String)}
   */
  public static JdbcTagStore open(String url, JdbcOptions options) {
    JdbcTagStore store = new JdbcTagStore(Dialects.of(url, options.timeoutMs()));
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

  /** What the database may lose: as {@link JdbcWorkerStore#risks}. */
  public List<String> risks() {
    return risks;
  }

  private String prepared() {
    Schema schema = new Schema(dialect.scripts(), Schema.VERSION);
    return session.transaction(
        "open",
        true,
        c -> {
          schema.apply(c, dialect);
          TagRows.verify(c);
          IdempotencyRows.verify(c); // keys are opened by the first of them: too late to find out
          risks = List.copyOf(dialect.risks(c));
          return Rows.identity(c, dialect);
        });
  }

  @Override
  public CompletionStage<@Nullable TagRow> read(String namespace, String tag) {
    return run("read tag", false, c -> Optional.ofNullable(TagRows.one(c, namespace, tag)))
        .thenApply(found -> found.orElse(null));
  }

  @Override
  public CompletionStage<TagReply> write(String namespace, TagRow next, long knownVersion) {
    return run("write tag", true, c -> written(c, namespace, next, knownVersion));
  }

  private TagReply written(Connection c, String namespace, TagRow next, long knownVersion)
      throws SQLException {
    long head = TagRows.head(c, namespace, dialect.lockRow()); // first: it may wait
    TagRow current = TagRows.one(c, namespace, next.tag());
    TagReply reply = TagRules.write(current, next, knownVersion, head + 1);
    if (reply instanceof TagReply.Written written) {
      TagRows.moveHead(c, namespace, head);
      TagRows.write(c, namespace, current, written.row());
    }
    return reply;
  }

  @Override
  public CompletionStage<TagChanges> changes(String namespace, long revision) {
    return run(
        "read tags",
        false,
        c -> {
          TagRows.Later later = TagRows.later(c, namespace, revision, PAGE);
          long head = TagRows.head(c, namespace, ""); // after the rows: never below one of them
          SegmentRows.Ground ground = SegmentRows.ground(c, dialect, namespace);
          String identity = ground.identity() + "/" + ground.fence();
          return new TagChanges(identity, head, later.rows(), later.unread(), later.count() < PAGE);
        });
  }

  private <T> CompletionStage<T> run(String name, boolean writes, Session.Work<T> work) {
    return thread.run(name, () -> session.transaction(name, writes, work));
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
