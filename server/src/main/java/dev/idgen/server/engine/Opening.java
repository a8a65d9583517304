package dev.idgen.server.engine;

import dev.idgen.store.StoreException;
import dev.idgen.time.TimeSource;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Opens a store on a thread of its own, and tries until it can be used: a server comes up without
 * its store, and says why it is not ready. Thread-safe.
 *
 * @param <S> the store
 */
final class Opening<S extends AutoCloseable> {
  private static final long AGAIN_NANOS = 500_000_000;

  private final String name;
  private final Supplier<S> opener;
  private final TimeSource time;
  private final Consumer<String> failed;
  private final CompletableFuture<S> usable = new CompletableFuture<>();

  private volatile boolean stopping;
  private volatile boolean tried;
  private volatile String problem;
  private @Nullable S opened; // guarded by this

  /**
   * Nothing is opened yet.
   *
   * @param name of what is opened, for its thread and for messages
   * @param opener may block; a {@link StoreException} that is not permanent is tried again
   * @param failed hears why an attempt failed
   */
  Opening(String name, Supplier<S> opener, TimeSource time, Consumer<String> failed) {
    this.name = name;
    this.opener = opener;
    this.time = time;
    this.failed = failed;
    this.problem = name + ": not opened yet";
  }

  /** Begins. */
  void begin() {
    start("idgen-open-" + name, this::run);
  }

  private static void start(String threadName, Runnable work) {
    Thread thread = new Thread(work, threadName);
    thread.setDaemon(true);
    thread.start();
  }

  private void run() {
    while (!stopping) { // ends with the process at the latest: a store may stay away for long
      try {
        opened(opener.get());
        return;
      } catch (StoreException e) {
        problem = String.valueOf(e.getMessage());
        tried = true;
        if (e.permanent()) {
          usable.completeExceptionally(e);
          return;
        }
        failed.accept(problem);
      } catch (RuntimeException e) {
        problem = e.toString();
        usable.completeExceptionally(e);
        return;
      }
      time.pause(AGAIN_NANOS);
    }
  }

  private void opened(S store) {
    synchronized (this) {
      if (!stopping) {
        opened = store;
      }
    }
    if (stopping) {
      close(store, new CompletableFuture<>());
      return;
    }
    problem = "";
    tried = true;
    usable.complete(store);
  }

  /** Whether an attempt has ended, well or not. */
  boolean tried() {
    return tried;
  }

  /** Completes when the store can be used; fails when it never can without other settings. */
  CompletableFuture<S> usable() {
    return usable;
  }

  /** What is open; null: not yet. */
  synchronized @Nullable S opened() {
    return opened;
  }

  /** Why it cannot be used yet; empty: it can. */
  String problem() {
    return problem;
  }

  /** Opens it no more, if it is not open. */
  void stop() {
    stopping = true;
  }

  /**
   * Closes it, on a thread of its own: a store that hangs has time limits of its own, longer than
   * those of a stop.
   */
  CompletableFuture<Void> close() {
    stopping = true;
    CompletableFuture<Void> done = new CompletableFuture<>();
    start("idgen-close-" + name, () -> closeOpened(done));
    return done;
  }

  private synchronized void closeOpened(CompletableFuture<Void> done) {
    if (opened == null) {
      done.complete(null);
    } else {
      close(opened, done);
    }
  }

  private void close(S store, CompletableFuture<Void> done) {
    try {
      store.close();
      done.complete(null);
    } catch (Exception e) {
      failed.accept(name + ": close: " + e);
      done.completeExceptionally(e);
    }
  }
}
