package dev.idgen.store;

import dev.idgen.time.TimeSource;
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

  /**
   * How long a call may wait for its turn. Whoever asked has asked again long since, so that after
   * a store has hung, old calls must not keep the latest one waiting.
   */
  public static final long MAX_WAITING_MS = 10_000;

  private static final long CLOSE_WAIT_MS = 10_000;

  private final String kind;
  private final TimeSource time;
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
   * @param time tells how long a call has waited
   */
  public StoreThread(String kind, TimeSource time) {
    this.kind = kind;
    this.time = time;
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
   * Runs a call in its turn, unless its stage was completed meanwhile, or it has waited for longer
   * than {@link #MAX_WAITING_MS}: then it is refused, and was not begun.
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
    long asked = time.monotonicNanos();
    CompletableFuture<T> future = new CompletableFuture<>();
    return enqueue(future, name, () -> begin(future, name, call, asked));
  }

  private <T> void begin(
      CompletableFuture<T> future, String name, Callable<T> call, long askedNanos) {
    waiting.decrementAndGet();
    if (future.isDone()) {
      return; // whoever asked has given it up
    }
    long waitedMs = (time.monotonicNanos() - askedNanos) / 1_000_000;
    if (waitedMs > MAX_WAITING_MS) {
      future.completeExceptionally(
          refusal(
              name,
              "waited "
                  + waitedMs
                  + " ms for its turn, not begun (expected: at most "
                  + MAX_WAITING_MS
                  + " ms)"));
      return;
    }
    complete(future, name, call);
  }

  private <T> CompletionStage<T> enqueue(CompletableFuture<T> future, String name, Runnable work) {
    try {
      executor.execute(work);
    } catch (RejectedExecutionException e) {
      return refused(name, "closed (expected: an open store)");
    }
    return future;
  }

  private <T> CompletionStage<T> refused(String name, String state) {
    return CompletableFuture.failedFuture(refusal(name, state));
  }

  private StoreException refusal(String name, String state) {
    return StoreException.refused(kind + ": " + name + ": " + state);
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
    CompletableFuture<Boolean> done = new CompletableFuture<>();
    Callable<Boolean> call =
        () -> {
          lastCall.run();
          return true;
        };
    CompletableFuture<Boolean> last =
        enqueue(done, "close", () -> complete(done, "close", call)).toCompletableFuture();
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
