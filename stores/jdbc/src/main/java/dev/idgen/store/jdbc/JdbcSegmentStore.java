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
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * High-water marks in a database: one transaction on one connection for each allocation.
 * Thread-safe.
 *
 * <p>Each connection has a thread of its own; a request goes to the one with the fewest requests,
 * so that a tag whose row somebody keeps locked holds up others only when all connections wait. A
 * connection is made when it is needed for the first time.
 */
public final class JdbcSegmentStore implements SegmentStore {
  private static final int CONNECTIONS = 18;

  private final String kind;
  private final List<Lane> lanes;
  private volatile boolean closed;

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
    volatile boolean used; // has a thread, and perhaps a connection

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
    return open(url, CONNECTIONS);
  }

  /**
   * Opens the store of a database with another number of connections.
   *
   * @param connections the most that are made, 1 or more; one is enough for an embedded database
   * @throws StoreException as {@link #open(String)}
   */
  public static JdbcSegmentStore open(String url, int connections) {
    if (connections < 1) {
      throw new IllegalArgumentException("connections: " + connections + " (expected: >= 1)");
    }
    List<Lane> lanes = new ArrayList<>();
    boolean done = false;
    try {
      Lane first = new Lane(Dialects.of(url));
      lanes.add(first);
      while (!first.dialect.embedded() && lanes.size() < connections) {
        lanes.add(new Lane(Dialects.of(url)));
      }
      first.used = true;
      first.thread.run("open", () -> prepared(first)).toCompletableFuture().join();
      done = true;
      return new JdbcSegmentStore(first.dialect.kind(), List.copyOf(lanes));
    } catch (CompletionException e) {
      throw e.getCause() instanceof StoreException cause ? cause : e;
    } finally {
      if (!done) {
        lanes.stream().filter(lane -> lane.used).forEach(Lane::close);
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
          SegmentRows.verify(c);
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
  public CompletionStage<Long> fence(String namespace) {
    return run(
        "fence", true, lane -> c -> SegmentRows.raiseFence(c, namespace, lane.dialect.lockRow()));
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
    if (closed) {
      return CompletableFuture.failedFuture(
          StoreException.refused(kind + ": " + name + ": closed (expected: an open store)"));
    }
    Lane lane = lanes.get(0);
    for (Lane other : lanes) {
      lane = other.busy.get() < lane.busy.get() ? other : lane;
    }
    Lane chosen = lane;
    chosen.busy.incrementAndGet();
    chosen.used = true;
    CompletableFuture<T> done =
        chosen
            .thread
            .run(name, () -> chosen.session.transaction(name, writes, work.apply(chosen)))
            .toCompletableFuture();
    return done.whenComplete((value, failure) -> chosen.busy.decrementAndGet());
  }

  /** Each connection on a thread of its own: one that hangs keeps none of the others open. */
  @Override
  public void close() {
    closed = true;
    Queue<StoreException> failures = new ConcurrentLinkedQueue<>();
    List<Thread> closing = new ArrayList<>();
    for (Lane lane : lanes) {
      if (lane.used) {
        Thread thread = new Thread(() -> close(lane, failures), "idgen-close-" + kind);
        thread.setDaemon(true);
        closing.add(thread);
        thread.start();
      }
    }
    for (Thread thread : closing) {
      join(thread);
    }
    StoreException failure = failures.poll();
    if (failure != null) {
      throw failure;
    }
  }

  private static void close(Lane lane, Queue<StoreException> failures) {
    try {
      lane.close();
    } catch (StoreException e) {
      failures.add(e);
    }
  }

  /** An interrupt ends the wait and stays set. */
  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
