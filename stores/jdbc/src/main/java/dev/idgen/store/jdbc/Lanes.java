package dev.idgen.store.jdbc;

import dev.idgen.store.StoreException;
import dev.idgen.store.StoreThread;
import dev.idgen.time.TimeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Several connections to a database, each with a thread of its own. A request goes to the one with
 * the fewest requests, so that a row that somebody keeps locked holds up others only when all
 * connections wait. A connection is made when it is needed for the first time. Thread-safe.
 */
final class Lanes {
  private final String kind;
  private final List<Lane> all;
  private volatile boolean closed;

  private Lanes(String kind, List<Lane> all) {
    this.kind = kind;
    this.all = all;
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
   * Opens a database.
   *
   * @param dialects gives each connection its own
   * @param connections the most that are made, 1 or more; an embedded database gets one
   * @param first what is to be done before anything else
   * @throws StoreException the database cannot be used: the message says what to do
   */
  static Lanes open(Supplier<Dialect> dialects, int connections, Consumer<Session> first) {
    if (connections < 1) {
      throw new IllegalArgumentException("connections: " + connections + " (expected: >= 1)");
    }
    List<Lane> all = new ArrayList<>();
    boolean done = false;
    try {
      Lane one = new Lane(dialects.get());
      all.add(one);
      while (!one.dialect.embedded() && all.size() < connections) {
        all.add(new Lane(dialects.get()));
      }
      Lanes lanes = new Lanes(one.dialect.kind(), List.copyOf(all));
      lanes.prepare(one, first);
      done = true;
      return lanes;
    } finally {
      if (!done) {
        all.stream().filter(lane -> lane.used).forEach(Lane::close);
      }
    }
  }

  private void prepare(Lane lane, Consumer<Session> first) {
    try {
      run(
              lane,
              "open",
              session -> {
                first.accept(session);
                return true;
              })
          .join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof StoreException cause ? cause : e;
    }
  }

  /** Which kind of database. */
  String kind() {
    return kind;
  }

  /**
   * Runs transactions, one after the other, on one connection.
   *
   * @param name for messages
   */
  <T> CompletionStage<T> run(String name, Function<Session, T> work) {
    if (closed) {
      return CompletableFuture.failedFuture(
          StoreException.refused(kind + ": " + name + ": closed (expected: an open store)"));
    }
    Lane lane = all.get(0);
    for (Lane other : all) {
      lane = other.busy.get() < lane.busy.get() ? other : lane;
    }
    return run(lane, name, work);
  }

  private static <T> CompletableFuture<T> run(Lane lane, String name, Function<Session, T> work) {
    lane.busy.incrementAndGet();
    lane.used = true;
    return lane.thread
        .run(name, () -> work.apply(lane.session))
        .toCompletableFuture()
        .whenComplete((value, failure) -> lane.busy.decrementAndGet());
  }

  /** Each connection on a thread of its own: one that hangs keeps none of the others open. */
  void close() {
    closed = true;
    Queue<StoreException> failures = new ConcurrentLinkedQueue<>();
    List<Thread> closing = new ArrayList<>();
    for (Lane lane : all) {
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
