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
import dev.idgen.store.StoreThread;
import dev.idgen.time.TimeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * High-water marks in a database: one transaction on one connection for each allocation.
 * Thread-safe.
 *
 * <p>Each connection has a thread of its own; a request goes to the one with the fewest requests,
 * so that a tag whose row somebody keeps locked holds up others only when all connections wait.
 */
public final class JdbcSegmentStore implements SegmentStore {
  private static final int CONNECTIONS = 4;

  private final String kind;
  private final List<Lane> lanes;

  private JdbcSegmentStore(String kind, List<Lane> lanes) {
    this.kind = kind;
    this.lanes = lanes;
  }

  /** One connection with its thread. */
  private static final class Lane {
    final Dialect dialect;
    final Session session; // of the thread alone
    final StoreThread thread;
    final AtomicInteger busy = new AtomicInteger(); // requests taken and not answered

    Lane(Dialect dialect) {
      this.dialect = dialect;
      this.session = new Session(dialect);
      this.thread = new StoreThread(dialect.kind(), TimeSource.system());
    }

    void close() {
      thread.close(
          () -> {
            session.close();
            dialect.close();
          });
    }
  }

  /**
   * Opens the store of a database, and makes what is missing, as {@link JdbcWorkerStore#open} does.
   *
   * @param url as there
   * @throws IllegalArgumentException no such kind of database is known
   * @throws StoreException the database cannot be used: the message says what to do
   */
  public static JdbcSegmentStore open(String url) {
    List<Lane> lanes = new ArrayList<>();
    boolean done = false;
    try {
      Lane first = new Lane(Dialects.of(url));
      lanes.add(first);
      while (!first.dialect.embedded() && lanes.size() < CONNECTIONS) {
        lanes.add(new Lane(Dialects.of(url)));
      }
      first.thread.run("open", () -> prepared(first)).toCompletableFuture().join();
      done = true;
      return new JdbcSegmentStore(first.dialect.kind(), List.copyOf(lanes));
    } catch (CompletionException e) {
      throw e.getCause() instanceof StoreException cause ? cause : e;
    } finally {
      if (!done) {
        lanes.forEach(Lane::close);
      }
    }
  }

  private static String prepared(Lane lane) {
    Schema schema = new Schema(lane.dialect.scripts(), Schema.VERSION);
    return lane.session.transaction(
        "open",
        true,
        c -> {
          schema.apply(c, lane.dialect);
          String identity = lane.dialect.identity(c);
          SegmentRows.begin(c, identity);
          return identity;
        });
  }

  @Override
  public String kind() {
    return kind;
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
        lane ->
            c -> {
              SegmentSnapshot s = SegmentRows.snapshot(c, lane.dialect, terms.namespace(), key);
              SegmentDecision decision = rule.apply(s);
              SegmentRow next = decision.row();
              if (next != null) {
                SegmentRows.write(c, key, s.row(), next);
              }
              return decision.reply();
            });
  }

  @Override
  public CompletionStage<Residue> residue(String namespace, Residue ifNew) {
    return run("residue", true, lane -> c -> SegmentRows.residue(c, namespace, ifNew));
  }

  @Override
  public CompletionStage<@Nullable SegmentRow> read(String namespace, String tag) {
    String key = SegmentRows.key(namespace, tag);
    return run("read", false, lane -> c -> Optional.ofNullable(SegmentRows.row(c, key, "")))
        .thenApply(found -> found.orElse(null));
  }

  private <T> CompletionStage<T> run(
      String name, boolean writes, Function<Lane, Session.Work<T>> work) {
    Lane lane = lanes.get(0);
    for (Lane other : lanes) {
      lane = other.busy.get() < lane.busy.get() ? other : lane;
    }
    Lane chosen = lane;
    chosen.busy.incrementAndGet();
    CompletableFuture<T> done =
        chosen
            .thread
            .run(name, () -> chosen.session.transaction(name, writes, work.apply(chosen)))
            .toCompletableFuture();
    return done.whenComplete((value, failure) -> chosen.busy.decrementAndGet());
  }

  @Override
  public void close() {
    lanes.forEach(Lane::close);
  }
}
