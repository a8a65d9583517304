package dev.idgen.store.jdbc;

import dev.idgen.store.Residue;
import dev.idgen.store.SegmentDecision;
import dev.idgen.store.SegmentReply;
import dev.idgen.store.SegmentRequest;
import dev.idgen.store.SegmentRow;
import dev.idgen.store.SegmentRules;
import dev.idgen.store.SegmentSnapshot;
import dev.idgen.store.SegmentStore;
import dev.idgen.store.SegmentTerms;
import dev.idgen.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * High-water marks in a database: one transaction on one connection for each allocation.
 * Thread-safe.
 *
 * <p>With a database server connections are those of a pool, for which see {@link JdbcDatabases}. A
 * tag whose row somebody keeps locked holds up others only when all of them wait.
 */
public final class JdbcSegmentStore implements SegmentStore {
  private final Lanes lanes;
  private final List<String> risks;

  private JdbcSegmentStore(Lanes lanes, List<String> risks) {
    this.lanes = lanes;
    this.risks = risks;
  }

  /**
   * Opens the store of a database, and makes what is missing, as {@link JdbcWorkerStore#open} does.
   *
   * @param url as there
   * @throws IllegalArgumentException no such kind of database is known
   * @throws StoreException the database cannot be used: the message says what to do
   */
  public static JdbcSegmentStore open(String url) {
    return open(url, JdbcOptions.DEFAULTS);
  }

  /**
   * Opens the store of a database, with a pool of its own.
   *
   * @param options how many connections it may have
   * @throws StoreException as {@link #open(String)}
   */
  public static JdbcSegmentStore open(String url, JdbcOptions options) {
    return new JdbcDatabases(options).segments(url);
  }

  /**
   * The store that works by threads.
   *
   * @param lanes makes them, and has one of them do first what it is given
   */
  static JdbcSegmentStore of(Function<Consumer<Session>, Lanes> lanes) {
    List<String> risks = new ArrayList<>();
    Lanes prepared = lanes.apply(session -> risks.addAll(prepare(session)));
    return new JdbcSegmentStore(prepared, List.copyOf(risks));
  }

  /** Makes what is missing, and gives the risks. */
  private static List<String> prepare(Session session) {
    Dialect dialect = session.dialect();
    Schema schema = new Schema(dialect.scripts(), Schema.VERSION);
    return session.transaction(
        "open",
        true,
        c -> {
          schema.apply(c, dialect);
          SegmentRows.verify(c, dialect);
          SegmentRows.begin(c, Rows.identity(c, dialect));
          return dialect.risks(c);
        });
  }

  /** What the database may lose: as {@link JdbcWorkerStore#risks}. */
  public List<String> risks() {
    return risks;
  }

  @Override
  public String kind() {
    return lanes.kind();
  }

  @Override
  public CompletionStage<SegmentReply> allocate(SegmentRequest request) {
    return transact("allocate", request.terms(), s -> SegmentRules.allocate(s, request));
  }

  @Override
  public CompletionStage<SegmentReply> raise(SegmentTerms terms, long floor) {
    return transact("raise", terms, s -> SegmentRules.raise(s, terms, floor));
  }

  @Override
  public CompletionStage<SegmentReply> remove(SegmentTerms terms) {
    return transact("remove", terms, s -> SegmentRules.remove(s, terms));
  }

  @Override
  public CompletionStage<SegmentReply> revive(SegmentTerms terms) {
    return transact("revive", terms, SegmentRules::revive);
  }

  private CompletionStage<SegmentReply> transact(
      String name, SegmentTerms terms, Function<SegmentSnapshot, SegmentDecision> rule) {
    String key = SegmentRows.key(terms.namespace(), terms.tag());
    return run(
        name,
        true,
        dialect ->
            c -> {
              SegmentSnapshot s = SegmentRows.snapshot(c, dialect, terms.namespace(), key);
              SegmentDecision decision = rule.apply(s);
              SegmentRow next = decision.row();
              if (next != null) {
                SegmentRows.write(c, key, s.row(), next);
              }
              return decision.reply();
            });
  }

  @Override
  public CompletionStage<Long> fence(String namespace) {
    return run(
        "fence", true, dialect -> c -> SegmentRows.raiseFence(c, namespace, dialect.lockRow()));
  }

  @Override
  public CompletionStage<Residue> residue(String namespace, Residue ifNew) {
    return run("residue", true, dialect -> c -> SegmentRows.residue(c, namespace, ifNew));
  }

  @Override
  public CompletionStage<@Nullable SegmentRow> read(String namespace, String tag) {
    String key = SegmentRows.key(namespace, tag);
    return run("read", false, dialect -> c -> Optional.ofNullable(SegmentRows.row(c, key, "")))
        .thenApply(found -> found.orElse(null));
  }

  private <T> CompletionStage<T> run(
      String name, boolean writes, Function<Dialect, Session.Work<T>> work) {
    return lanes.run(
        name, session -> session.transaction(name, writes, work.apply(session.dialect())));
  }

  @Override
  public void close() {
    lanes.close();
  }
}
