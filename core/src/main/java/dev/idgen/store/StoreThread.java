package dev.idgen.store;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The one daemon thread of a driver whose calls block: they queue up here, in order, and nobody
 * else waits. What depends on a stage runs on this thread too, so it must not wait for another
 * answer of the same store.
 */
public final class StoreThread {

  /** How many calls may wait. One more is refused. */
  public static final int MAX_QUEUED = 4096;

  private static final long CLOSE_WAIT_MS = 10_000;

  private final String kind;
  private final ThreadPoolExecutor executor;
  private final AtomicBoolean closed = new AtomicBoolean();

  /**
   * Calls taken and not begun: 0..MAX_QUEUED, since the queue itself must have room for the last.
   */
  private final AtomicInteger waiting = new AtomicInteger();

  private volatile @Nullable Thread thread;

  /**
   * A thread that starts with its first call.
   *
   * @param kind of store, for messages and for the name of the thread
   */
  public StoreThread(String kind) {
    this.kind = kind;
    this.executor =
        new ThreadPoolExecutor(
            1, 1, 0, TimeUnit.MILLISECONDS, new LinkedBlockingQueue<>(), this::newThread);
  }

  private Thread newThread(Runnable work) {
    Thread fresh = new Thread(work, "idgen-store-" + kind);
    fresh.setDaemon(true);
    thread = fresh;
    return fresh;
  }

  /**
   * Runs a call in its turn.
   *
   * @param name for messages
   * @param call throws a {@link StoreException}; whatever else it throws is a fault, and leaves the
   *     outcome unknown
   */
  public <T> CompletionStage<T> run(String name, Callable<T> call) {
    if (waiting.incrementAndGet() > MAX_QUEUED) {
      waiting.decrementAndGet();
      return refused(name, MAX_QUEUED + " calls are waiting (expected: fewer)");
    }
    return enqueue(
        name,
        () -> {
          waiting.decrementAndGet();
          return call.call();
        });
  }

  private <T> CompletionStage<T> enqueue(String name, Callable<T> call) {
    CompletableFuture<T> future = new CompletableFuture<>();
    try {
      executor.execute(() -> complete(future, name, call));
    } catch (RejectedExecutionException e) {
      return refused(name, "closed (expected: an open store)");
    }
    return future;
  }

  private <T> CompletionStage<T> refused(String name, String state) {
    return CompletableFuture.failedFuture(
        StoreException.refused(kind + ": " + name + ": " + state));
  }

  private <T> void complete(CompletableFuture<T> future, String name, Callable<T> call) {
    T value;
    try {
      value = call.call();
    } catch (StoreException e) {
      future.completeExceptionally(e);
      return;
    } catch (Exception e) {
      future.completeExceptionally(StoreException.unknown(kind + ": " + name + ": " + e, e));
      return;
    } catch (Error e) {
      future.completeExceptionally(StoreException.unknown(kind + ": " + name + ": " + e, e));
      throw e;
    }
    future.complete(value);
  }

  /** What ends a driver's resources. */
  public interface LastCall {
    /** Ends them, each as far as it goes. */
    void run() throws Exception;
  }

  /**
   * Runs a last call after those that were taken, takes no more, and waits at most 10 s. An
   * interrupt ends the wait and stays set. Closing twice does nothing.
   *
   * @throws StoreException the last call failed
   */
  public void close(LastCall lastCall) {
    if (closed.getAndSet(true)) {
      return;
    }
    CompletableFuture<Boolean> last =
        this.<Boolean>enqueue(
                "close",
                () -> {
                  lastCall.run();
                  return true;
                })
            .toCompletableFuture();
    executor.shutdown();
    if (Thread.currentThread() == thread) {
      return; // called from what depends on a stage: waiting here would be waiting for itself
    }
    try {
      last.get(CLOSE_WAIT_MS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (TimeoutException e) {
      throw StoreException.unknown(
          kind + ": close: under way after " + CLOSE_WAIT_MS + " ms (expected: done)", e);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof StoreException failure
          ? failure
          : StoreException.unknown(kind + ": close: " + e.getCause(), e);
    }
  }
}
