package dev.idgen.store.jdbc;

import dev.idgen.store.StoreException;
import dev.idgen.store.StoreThread;
import dev.idgen.store.StoreThread.LastCall;
import dev.idgen.time.TimeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The threads that work for a store, each in one transaction at a time. A request goes to the one
 * with the fewest requests, so that a row that somebody keeps locked holds up others only when all
 * wait. A thread starts when it is needed for the first time. Thread-safe.
 */
final class Lanes {
  private final String kind;
  private final List<Lane> all;
  private final LastCall end;
  private final AtomicBoolean closed = new AtomicBoolean();

  private Lanes(String kind, List<Lane> all, LastCall end) {
    this.kind = kind;
    this.all = all;
    this.end = end;
  }

  /** One thread with its session. */
  private static final class Lane {
    final Session session; // of the thread alone
    final StoreThread thread;
    final AtomicInteger busy = new AtomicInteger(); // requests taken and not answered
    volatile boolean used; // has a thread, and perhaps a connection

    Lane(Session session) {
      this.session = session;
      this.thread = new StoreThread(session.dialect().kind(), TimeSource.system());
    }
  }

  /**
   * One thread with a connection of its own.
   *
   * @param dialect closed with them, and if this fails
   * @param first what is to be done before anything else
   * @throws StoreException the database cannot be used: the message says what to do
   */
  static Lanes alone(Dialect dialect, Consumer<Session> first) {
    return opened(dialect, List.of(new Lane(new Session(dialect))), first, dialect::close);
  }

  /**
   * Threads that share a pool.
   *
   * @param most how many at most, 1 or more
   * @param end what is done when all have ended, and if this fails
   * @param first as for {@link #alone}
   * @throws StoreException as for {@link #alone}
   */
  static Lanes sharing(Pool pool, int most, Consumer<Session> first, LastCall end) {
    List<Lane> all = new ArrayList<>();
    for (int i = 0; i < most; i++) {
      all.add(new Lane(new Session(pool.dialect(), pool)));
    }
    return opened(pool.dialect(), List.copyOf(all), first, end);
  }

  private static Lanes opened(
      Dialect dialect, List<Lane> all, Consumer<Session> first, LastCall end) {
    Lanes lanes = new Lanes(dialect.kind(), all, end);
    boolean done = false;
    try {
      lanes.prepare(first);
      done = true;
      return lanes;
    } finally {
      if (!done) {
        lanes.close();
      }
    }
  }

  private void prepare(Consumer<Session> first) {
    try {
      run(
              all.get(0),
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
   * Runs transactions, one after the other, on one thread.
   *
   * @param name for messages
   */
  <T> CompletionStage<T> run(String name, Function<Session, T> work) {
    if (closed.get()) {
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

  /**
   * Ends each on a thread of its own: one that hangs keeps none of the others from ending. Closing
   * twice does nothing.
   */
  void close() {
    if (closed.getAndSet(true)) {
      return;
    }
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
    try {
      end.run();
    } catch (Exception e) {
      failures.add(StoreException.unknown(kind + ": close: " + e, e));
    }
    StoreException failure = failures.poll();
    if (failure != null) {
      throw failure;
    }
  }

  private static void close(Lane lane, Queue<StoreException> failures) {
    try {
      lane.thread.close(lane.session::close);
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
