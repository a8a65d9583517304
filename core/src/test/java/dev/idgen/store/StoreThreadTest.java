package dev.idgen.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.time.TimeSource;
import java.io.IOException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class StoreThreadTest {
  private final AtomicLong nanos = new AtomicLong();
  private final StoreThread thread = new StoreThread("test", new Monotonic(nanos));

  @Test
  void run_call_isAnsweredOnADaemonOfItsOwn() {
    Thread ran = join(thread.run("call", Thread::currentThread));
    assertEquals("idgen-store-test", ran.getName());
    assertTrue(ran.isDaemon());
    assertSame(ran, join(thread.run("call", Thread::currentThread)));
    thread.close(() -> {});
  }

  @Test
  void run_callFails_failsWithAStoreException() {
    StoreException own = StoreException.refused("no");
    assertSame(own, failure(thread.run("call", () -> fail(own))));
    StoreException fault = failure(thread.run("call", () -> fail(new IOException("gone"))));
    assertEquals("test: call: java.io.IOException: gone", fault.getMessage());
    assertTrue(fault.outcomeUnknown());
    thread.close(() -> {});
  }

  private static String fail(Exception e) throws Exception {
    throw e;
  }

  @Test
  void run_queueIsFull_isRefused() {
    CountDownLatch go = new CountDownLatch(1);
    CompletionStage<Boolean> first =
        thread.run(
            "wait",
            () -> {
              go.await();
              return true;
            });
    CompletionStage<Boolean> last = first;
    for (int i = 0; i <= StoreThread.MAX_QUEUED; i++) {
      last = thread.run("call", () -> true);
    }
    StoreException e = failure(last);
    assertEquals("test: call: 4096 calls are waiting (expected: fewer)", e.getMessage());
    assertFalse(e.outcomeUnknown());
    go.countDown();
    assertTrue(join(first));
    thread.close(() -> {});
  }

  @Test
  void run_givenUpBeforeItsTurn_isSkipped() {
    CountDownLatch go = new CountDownLatch(1);
    AtomicInteger calls = new AtomicInteger();
    CompletionStage<Boolean> first = thread.run("wait", () -> waited(new CountDownLatch(1), go));
    assertTrue(thread.run("call", calls::incrementAndGet).toCompletableFuture().cancel(false));
    CompletionStage<Integer> last = thread.run("call", calls::incrementAndGet);
    go.countDown();
    assertEquals(1, join(last));
    assertTrue(join(first));
    thread.close(() -> {});
  }

  /** A store that hung for an hour has a call of each retry in its queue. */
  @Test
  void run_waitedForTooLong_isRefusedAndTheLatestIsAnswered() throws InterruptedException {
    CountDownLatch go = new CountDownLatch(1);
    AtomicInteger calls = new AtomicInteger();
    CountDownLatch begun = new CountDownLatch(1);
    CompletionStage<Boolean> first = thread.run("wait", () -> waited(begun, go));
    begun.await();
    CompletionStage<Integer> old = thread.run("call", calls::incrementAndGet);
    nanos.addAndGet(1_000_000);
    CompletionStage<Integer> young = thread.run("call", calls::incrementAndGet);
    nanos.addAndGet(StoreThread.MAX_WAITING_MS * 1_000_000);
    go.countDown();
    StoreException e = failure(old);
    assertEquals(
        "test: call: waited 10001 ms for its turn, not begun (expected: at most 10000 ms)",
        e.getMessage());
    assertFalse(e.outcomeUnknown());
    assertEquals(1, join(young));
    assertTrue(join(first));
    thread.close(() -> {});
  }

  private static boolean waited(CountDownLatch begun, CountDownLatch go)
      throws InterruptedException {
    begun.countDown();
    go.await();
    return true;
  }

  @Test
  void close_queueIsFull_runsTheLastCallAllTheSame() {
    CountDownLatch go = new CountDownLatch(1);
    AtomicInteger last = new AtomicInteger();
    var first =
        thread.run(
            "wait",
            () -> {
              go.await();
              return true;
            });
    for (int i = 0; i < StoreThread.MAX_QUEUED; i++) {
      var unused = thread.run("call", () -> true);
    }
    new Thread(go::countDown).start();
    thread.close(last::incrementAndGet);
    assertEquals(1, last.get());
    assertTrue(join(first));
  }

  @Test
  void close_lastCall_runsOnceAfterAllOthers() {
    AtomicInteger calls = new AtomicInteger();
    CompletionStage<Integer> before = thread.run("call", calls::incrementAndGet);
    thread.close(() -> assertEquals(2, calls.incrementAndGet()));
    thread.close(calls::incrementAndGet);
    assertEquals(1, join(before));
    assertEquals(2, calls.get());
    assertEquals(
        "test: call: closed (expected: an open store)",
        failure(thread.run("call", () -> 1)).getMessage());
  }

  @Test
  void close_lastCallFails_throws() {
    StoreException e =
        assertThrows(
            StoreException.class,
            () ->
                thread.close(
                    () -> {
                      throw new IOException("gone");
                    }));
    assertEquals("test: close: java.io.IOException: gone", e.getMessage());
  }

  /** Waiting for itself would last for ever. */
  @Test
  void close_onItsOwnThread_doesNotWait() {
    assertTrue(
        join(
            thread.run(
                "call",
                () -> {
                  thread.close(() -> {});
                  return true;
                })));
  }

  @Test
  void close_interrupted_keepsTheFlag() {
    Thread.currentThread().interrupt();
    thread.close(() -> {});
    assertTrue(Thread.interrupted());
  }

  private static <T> T join(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }

  private static StoreException failure(CompletionStage<?> stage) {
    CompletionException e = assertThrows(CompletionException.class, () -> join(stage));
    return assertInstanceOf(StoreException.class, e.getCause());
  }

  /** Moves when the test says so. */
  private record Monotonic(AtomicLong nanos) implements TimeSource {
    @Override
    public long wallMillis() {
      return 0;
    }

    @Override
    public long monotonicNanos() {
      return nanos.get();
    }

    @Override
    public void pause(long forNanos) {
      nanos.addAndGet(forNanos);
    }
  }
}
