package dev.idgen.store.jdbc;

import dev.idgen.store.IdempotencyDecision;
import dev.idgen.store.IdempotencyEntry;
import dev.idgen.store.IdempotencyReply;
import dev.idgen.store.IdempotencyRequest;
import dev.idgen.store.IdempotencyRow;
import dev.idgen.store.IdempotencyRules;
import dev.idgen.store.IdempotencySnapshot;
import dev.idgen.store.IdempotencyStore;
import dev.idgen.store.StoreException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Idempotency keys in a database: one transaction on one connection for each operation, with a
 * database server one of a pool, for which see {@link JdbcDatabases}. Thread-safe.
 */
public final class JdbcIdempotencyStore implements IdempotencyStore {
  /** How many expired entries of a caller are deleted when it has no room. */
  private static final int ROOM = 200;

  private final Lanes lanes;

  private JdbcIdempotencyStore(Lanes lanes) {
    this.lanes = lanes;
  }

  /**
   * Opens the store of a database, and makes what is missing, as {@link JdbcWorkerStore#open} does.
   *
   * @param url as there
   * @throws IllegalArgumentException no such kind of database is known
   * @throws StoreException the database cannot be used: the message says what to do
   */
  public static JdbcIdempotencyStore open(String url) {
    return open(url, JdbcOptions.DEFAULTS);
  }

  /**
   * Opens the store of a database, with a pool of its own.
   *
   * @param options how many connections it may have
   * @throws StoreException as {@link #open(String)}
   */
  public static JdbcIdempotencyStore open(String url, JdbcOptions options) {
    return new JdbcDatabases(options).idempotency(url);
  }

  /** The store that works by these threads. */
  static JdbcIdempotencyStore of(Lanes lanes) {
    return new JdbcIdempotencyStore(lanes);
  }

  static void prepare(Session session) {
    Dialect dialect = session.dialect();
    Schema schema = new Schema(dialect.scripts(), Schema.VERSION);
    var unused =
        session.transaction(
            "open",
            true,
            c -> {
              schema.apply(c, dialect);
              IdempotencyRows.verify(c);
              return true;
            });
  }

  @Override
  public String kind() {
    return lanes.kind();
  }

  @Override
  public CompletionStage<IdempotencyReply> begin(IdempotencyRequest request) {
    return lanes.run("begin", session -> begun(session, request));
  }

  /** Who finds no room makes some, where entries of the caller have expired, or finds some made. */
  private static IdempotencyReply begun(Session session, IdempotencyRequest request) {
    IdempotencyEntry entry = request.entry();
    IdempotencyReply reply =
        decided(session, "begin", entry, s -> IdempotencyRules.begin(s, request));
    if (!(reply instanceof IdempotencyReply.Full)) {
      return reply;
    }
    var unused = purged(session, "begin", entry, ROOM);
    return decided(session, "begin", entry, s -> IdempotencyRules.begin(s, request));
  }

  @Override
  public CompletionStage<Finish> finish(IdempotencyEntry entry, long attempt, String reply) {
    IdempotencyRow.requireReply(reply);
    return transact("finish", entry, s -> IdempotencyRules.finish(s, attempt, reply));
  }

  @Override
  public CompletionStage<Boolean> abandon(IdempotencyEntry entry, long attempt) {
    return transact("abandon", entry, s -> IdempotencyRules.abandon(s, attempt));
  }

  /**
   * Reads, decides and writes.
   *
   * @param rule asked again when something has changed meanwhile
   */
  <T> CompletionStage<T> transact(
      String name,
      IdempotencyEntry entry,
      Function<IdempotencySnapshot, IdempotencyDecision<T>> rule) {
    return lanes.run(name, session -> decided(session, name, entry, rule));
  }

  private static <T> T decided(
      Session session,
      String name,
      IdempotencyEntry entry,
      Function<IdempotencySnapshot, IdempotencyDecision<T>> rule) {
    return session.transaction(
        name,
        true,
        c -> {
          IdempotencySnapshot s = IdempotencyRows.snapshot(c, session.dialect(), entry);
          IdempotencyDecision<T> decision = rule.apply(s);
          if (decision.writes()) {
            IdempotencyRows.write(c, entry, s, decision);
          }
          return decision.reply();
        });
  }

  @Override
  public CompletionStage<Integer> purge(int most) {
    IdempotencyStore.requirePurge(most);
    return lanes.run("purge", session -> purged(session, "purge", null, most));
  }

  private static int purged(Session session, String name, @Nullable IdempotencyEntry of, int most) {
    return session.transaction(
        name, true, c -> IdempotencyRows.purge(c, session.dialect(), of, most));
  }

  @Override
  public void close() {
    lanes.close();
  }
}
