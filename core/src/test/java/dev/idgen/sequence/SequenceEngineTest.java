package dev.idgen.sequence;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.IdBatch;
import dev.idgen.IdException;
import dev.idgen.IdRun;
import dev.idgen.Reason;
import dev.idgen.store.SegmentReply;
import dev.idgen.store.SegmentTerms;
import dev.idgen.store.SlowSegmentStore;
import dev.idgen.store.StoreBreaker;
import dev.idgen.store.StoreException;
import dev.idgen.store.memory.MemorySegmentStore;
import dev.idgen.time.FakeTime;
import dev.idgen.time.Scheduler;
import dev.idgen.time.TimeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SequenceEngineTest {
  private static final SegmentTerms TERMS = SegmentTerms.of("default", "order", 1_000);
  private static final long SECOND = 1_000_000_000L;

  private final FakeTime time = new FakeTime(1_800_000_000_000L);
  private final SlowSegmentStore store = new SlowSegmentStore();
  private final List<String> told = new ArrayList<>();
  private final StoreBreaker breaker = new StoreBreaker();

  private final SequenceEvents events =
      new SequenceEvents() {
        @Override
        public void allocated(long first, long count, int callers, long nanos) {
          told.add(count + " for " + callers);
        }

        @Override
        public void allocateFailed(String why) {
          told.add("failed: " + why);
        }

        @Override
        public void skipped(long first) {
          told.add("skipped to " + first);
        }

        @Override
        public void nearsItsEnd(int percent, long daysLeft) {
          told.add("at " + percent);
        }
      };

  private SequenceEngine engine(SequenceOptions options) {
    return engine(TERMS, options);
  }

  private SequenceEngine engine(SegmentTerms terms, SequenceOptions options) {
    return new SequenceEngine(terms, options, store, breaker, time, time.scheduler(), events);
  }

  private SequenceEngine engine() {
    return engine(SequenceOptions.defaults());
  }

  private static CompletableFuture<IdBatch> ask(SequenceEngine ids, int count) {
    return ids.nextAsync(count, 2 * SECOND).toCompletableFuture();
  }

  private static long first(CompletableFuture<IdBatch> done) {
    assertTrue(done.isDone());
    return done.join().runs().get(0).first();
  }

  private static IdException refusal(CompletableFuture<?> failed) {
    assertTrue(failed.isDone());
    return assertInstanceOf(
        IdException.class, assertThrows(CompletionException.class, failed::join).getCause());
  }

  @Test
  void next_alone_isOneCallEach() {
    SequenceEngine ids = engine();
    assertEquals(1, ids.next());
    time.runDue();
    assertEquals(2, ids.next());
    time.runDue();
    assertArrayEquals(new long[] {3, 4, 5}, ids.next(3));
    assertArrayEquals(new long[0], ids.next(0));
    time.runDue();
    assertEquals(List.of(new IdRun(6, 10, 1)), ids.nextBatch(10).runs());
    assertEquals(4, store.asked.size());
  }

  @Test
  void nextAsync_whileACallIsUnderWay_sharesTheNextOne() {
    store.slow();
    SequenceEngine ids = engine();
    CompletableFuture<IdBatch> first = ask(ids, 1);
    List<CompletableFuture<IdBatch>> later = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      later.add(ask(ids, 2));
    }
    assertEquals(1, store.pending());
    store.answer();
    assertEquals(1, first(first));
    time.runDue();
    assertEquals(1, store.pending());
    store.answer();
    for (int i = 0; i < 100; i++) {
      assertEquals(2 + 2 * i, first(later.get(i)));
    }
    assertEquals(List.of("1 for 1", "200 for 100"), told);
  }

  /** What came during a call was not there when its ids were allocated. */
  @Test
  void nextAsync_afterAnotherEnginesReply_isHigher() {
    store.slow();
    SequenceEngine here = engine();
    MemorySegmentStore shared = store.store;
    SequenceEngine there =
        new SequenceEngine(
            TERMS,
            SequenceOptions.defaults(),
            shared,
            new StoreBreaker(),
            time,
            time.scheduler(),
            SequenceEvents.NONE);
    CompletableFuture<IdBatch> early = ask(here, 5);
    assertEquals(1, there.next()); // the call of here has not reached the store
    CompletableFuture<IdBatch> late = ask(here, 1);
    store.answer();
    assertEquals(2, first(early));
    time.runDue();
    assertEquals(7, there.next());
    store.answer();
    assertEquals(8, first(late));
  }

  @Test
  void nextAsync_deadlinePasses_isRefusedAndItsIdsAreAGap() {
    store.slow();
    SequenceEngine ids = engine(SequenceOptions.defaults().withLimits(3, 2_000, 10_000));
    CompletableFuture<IdBatch> hasty = ids.nextAsync(10, SECOND).toCompletableFuture();
    CompletableFuture<IdBatch> queued = ids.nextAsync(10, SECOND).toCompletableFuture();
    CompletableFuture<IdBatch> patient = ids.nextAsync(1, 5 * SECOND).toCompletableFuture();
    time.advanceMillis(1_500);
    assertEquals(Reason.DEADLINE, refusal(hasty).reason());
    assertEquals(Reason.DEADLINE, refusal(queued).reason());
    assertEquals(1, ids.status().waiting());
    store.answer();
    time.runDue();
    store.answer();
    assertEquals(11, first(patient));
  }

  /** A call for nobody would ask for nothing, and look like a store that fails. */
  @Test
  void nextAsync_allGiveUpBeforeTheirCallFails_noCallIsMadeForThem() {
    store.slow();
    SequenceEngine ids = engine(SequenceOptions.defaults().withLimits(3, 2_000, 10_000));
    CompletableFuture<IdBatch> hasty = ids.nextAsync(1, SECOND).toCompletableFuture();
    time.advanceMillis(1_500);
    assertEquals(Reason.DEADLINE, refusal(hasty).reason());
    store.loseOldest(StoreException.unknown("slow: cut off"));
    time.advanceMillis(1_000);
    assertEquals(0, store.pending());
    CompletableFuture<IdBatch> next = ask(ids, 1);
    store.answer();
    assertEquals(1, first(next));
  }

  @Test
  void nextAsync_queueFull_isOverloaded() {
    store.slow();
    SequenceEngine ids = engine(SequenceOptions.defaults().withQueue(3));
    CompletableFuture<IdBatch> one = ask(ids, 1);
    assertFalse(ask(ids, 1).isDone());
    assertFalse(ask(ids, 1).isDone());
    IdException refusal = refusal(ask(ids, 1));
    assertEquals(Reason.OVERLOADED, refusal.reason());
    assertEquals("tag: order: 3 callers wait (expected: at most 3)", refusal.getMessage());
    store.answer();
    assertEquals(1, first(one));
    assertFalse(ask(ids, 1).isDone());
  }

  /** What one call can lose is bounded: the gap has to be more. */
  @Test
  void nextAsync_manyIds_areSeveralCallsToTheStore() {
    store.slow();
    SequenceEngine ids = engine(SequenceOptions.defaults().withMaxIds(10));
    CompletableFuture<IdBatch> first = ask(ids, 1);
    CompletableFuture<IdBatch> large = ask(ids, 25);
    CompletableFuture<IdBatch> six = ask(ids, 6);
    CompletableFuture<IdBatch> four = ask(ids, 4);
    CompletableFuture<IdBatch> one = ask(ids, 1);
    for (int calls = 1; calls <= 4; calls++) {
      assertEquals(1, store.pending(), "call " + calls);
      store.answer();
      time.runDue();
    }
    assertEquals(1, first(first));
    assertEquals(2, first(large));
    assertEquals(27, first(six));
    assertEquals(33, first(four));
    assertEquals(37, first(one));
    assertEquals(List.of("1 for 1", "25 for 1", "10 for 2", "1 for 1"), told);
  }

  /** A floor that the store has lost in a failover is told to it by whoever knows. */
  @Test
  void raiseTo_storeHasForgotten_isToldToIt() {
    SequenceEngine ids = engine();
    ids.raiseTo(1_000_000);
    assertEquals(1_000_000, ids.next());
    assertEquals(1, store.asked.size());
  }

  @Test
  void listener_thatThrows_keepsNobodyWaiting() {
    SequenceEngine ids =
        new SequenceEngine(
            TERMS,
            SequenceOptions.defaults(),
            store,
            breaker,
            time,
            time.scheduler(),
            new SequenceEvents() {
              @Override
              public void allocated(long first, long count, int callers, long nanos) {
                throw new IllegalStateException("listener");
              }
            });
    assertEquals(1, first(ask(ids, 1)));
    time.runDue();
    assertEquals(2, first(ask(ids, 1)));
  }

  @Test
  void store_failsOnce_callersAreServedByTheNextCall() {
    store.fail(1);
    SequenceEngine ids = engine();
    CompletableFuture<IdBatch> one = ask(ids, 1);
    CompletableFuture<IdBatch> two = ask(ids, 1);
    assertFalse(one.isDone());
    time.advanceMillis(100);
    assertEquals(1, first(one));
    assertEquals(2, first(two));
    assertEquals(List.of("failed: slow: away (expected: there)", "2 for 2"), told);
    assertEquals("", ids.status().problem());
  }

  @Test
  void store_staysAway_callersAreToldWhyAndItIsWellWhenItIsBack() {
    store.fail(4);
    SequenceEngine ids = engine();
    CompletableFuture<IdBatch> one = ask(ids, 1);
    time.advanceMillis(1_000);
    IdException refusal = refusal(one);
    assertEquals(Reason.STORE_UNAVAILABLE, refusal.reason());
    assertEquals("tag: order: slow: away (expected: there)", refusal.getMessage());
    assertTrue(refusal.retryAfterMs() > 0);
    CompletableFuture<IdBatch> two = ask(ids, 1);
    time.advanceMillis(1_000);
    assertEquals(1, first(two));
  }

  @Test
  void store_restsAfterFailures_isNotAskedMeanwhile() {
    SequenceEngine ids = engine();
    for (int i = 0; i < 5; i++) {
      breaker.failed(StoreException.refused("away"), time.monotonicNanos());
    }
    IdException refusal = refusal(ask(ids, 1));
    assertEquals(Reason.STORE_UNAVAILABLE, refusal.reason());
    assertEquals("tag: order: the store rests after failures: away", refusal.getMessage());
    assertEquals(0, store.asked.size());
    time.advanceMillis(1_001);
    assertEquals(1, first(ask(ids, 1)));
    assertFalse(breaker.open());
  }

  @Test
  void answer_later_thanTheCallsLimit_isAGap() {
    store.slow();
    SequenceEngine ids = engine(SequenceOptions.defaults().withLimits(3, 5_000, 300));
    CompletableFuture<IdBatch> one = ids.nextAsync(1, 5 * SECOND).toCompletableFuture();
    time.advanceMillis(400);
    assertEquals(2, store.pending()); // given up, asked again
    store.answer();
    assertFalse(one.isDone());
    store.answer();
    assertEquals(2, first(one));
    assertEquals(List.of("failed: no answer within 300 ms", "1 for 1"), told);
  }

  @Test
  void store_wasFailedOver_leavesTheGapOut() {
    SequenceEngine ids = engine();
    MemorySegmentStore standby = store.store.replica("b");
    assertEquals(1, ids.next());
    time.runDue();
    store.store = standby;
    assertEquals(1_002, ids.next());
    assertEquals(List.of("1 for 1", "1 for 1", "skipped to 1002"), told);
  }

  /** A restore that kept the identity, and that nobody declared: the caller's own mark tells. */
  @Test
  void store_forgotWhatThisProcessWasGiven_leavesTheGapOut() {
    SequenceEngine ids = engine();
    MemorySegmentStore backup = store.store.replica("memory");
    ids.next(50);
    time.runDue();
    store.store = backup;
    assertEquals(1_051, ids.next());
  }

  /** C68. */
  @Test
  void tag_nearItsEnd_warnsAndServesWhoFits() {
    SegmentTerms terms = new SegmentTerms("default", "small", 1, 100, 1, 0, 0);
    SequenceEngine ids = engine(terms, SequenceOptions.defaults());
    ids.next(90);
    time.runDue();
    store.slow();
    CompletableFuture<IdBatch> filler = ask(ids, 1);
    CompletableFuture<IdBatch> big = ask(ids, 50);
    CompletableFuture<IdBatch> small = ask(ids, 9);
    CompletableFuture<IdBatch> none = ask(ids, 1);
    store.answer();
    assertEquals(91, first(filler));
    time.runDue();
    store.answer();
    assertEquals(Reason.EXHAUSTED, refusal(big).reason());
    assertEquals("tag: small: 9 ids left (expected: 50)", refusal(big).getMessage());
    assertEquals(92, first(small));
    assertEquals(Reason.EXHAUSTED, refusal(none).reason());
    store.quick();
    time.runDue();
    assertEquals(Reason.EXHAUSTED, refusal(ask(ids, 1)).reason());
    assertEquals(List.of("90 for 1", "at 85", "1 for 1", "9 for 3", "at 95"), told);
  }

  /** C65: allocated before the raise, answered after it. */
  @Test
  void raiseTo_whileACallIsUnderWay_givesNothingBelow() {
    store.slow();
    SequenceEngine ids = engine();
    CompletableFuture<IdBatch> one = ask(ids, 3);
    CompletableFuture<IdBatch> two = ask(ids, 1);
    ids.raiseTo(500);
    ids.raiseTo(100);
    store.answer(); // by the store as it was before the raise
    assertInstanceOf(
        SegmentReply.Changed.class, store.raise(TERMS, 500).toCompletableFuture().join());
    assertFalse(one.isDone());
    time.runDue();
    store.answer();
    assertEquals(500, first(one));
    assertEquals(503, first(two));
  }

  @Test
  void tag_removed_isUnknown() {
    SequenceEngine ids = engine();
    ids.next();
    time.runDue();
    assertInstanceOf(SegmentReply.Changed.class, store.remove(TERMS).toCompletableFuture().join());
    assertEquals(Reason.UNKNOWN_TAG, refusal(ask(ids, 1)).reason());
  }

  @Test
  void close_refusesWhoWaitsAndWhoComes() {
    store.slow();
    SequenceEngine ids = engine();
    CompletableFuture<IdBatch> called = ask(ids, 1);
    CompletableFuture<IdBatch> queued = ask(ids, 1);
    ids.close();
    ids.close();
    assertEquals(Reason.DRAINING, refusal(called).reason());
    assertEquals(Reason.DRAINING, refusal(queued).reason());
    assertEquals(Reason.DRAINING, refusal(ask(ids, 1)).reason());
    store.answer();
    time.advanceMillis(10_000);
    assertEquals(0, ids.status().waiting());
    assertEquals(1, store.asked.size());
  }

  @Test
  void arguments_impossible_areRefused() {
    SequenceEngine ids = engine();
    assertThrows(IllegalArgumentException.class, () -> ids.nextAsync(0, SECOND));
    SegmentTerms odd = new SegmentTerms("default", "odd", 1, 100, 2, 1, 0);
    var e =
        assertThrows(IllegalArgumentException.class, () -> engine(odd, SequenceOptions.defaults()));
    assertEquals("modulus: 2 (expected: 1, a sequence has one database)", e.getMessage());
    e = assertThrows(IllegalArgumentException.class, () -> SequenceOptions.defaults().withQueue(0));
    assertEquals("maxQueue: 0 (expected: 1..1000000)", e.getMessage());
  }

  /** Two engines, many threads: whoever asks after another's answer gets more. */
  @Test
  void next_manyThreadsOverTwoEngines_isInTheOrderOfTime() throws Exception {
    try (Scheduler scheduler = Scheduler.daemon("sequence-test");
        MemorySegmentStore shared = new MemorySegmentStore("s")) {
      List<SequenceEngine> engines = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        engines.add(
            new SequenceEngine(
                TERMS,
                SequenceOptions.defaults().withLimits(3, 60_000, 60_000),
                shared,
                new StoreBreaker(),
                TimeSource.system(),
                scheduler,
                SequenceEvents.NONE));
      }
      AtomicLong answered = new AtomicLong();
      List<String> faults = new ArrayList<>();
      List<Thread> threads = new ArrayList<>();
      for (int t = 0; t < 8; t++) {
        SequenceEngine ids = engines.get(t % 2);
        Thread thread =
            new Thread(
                () -> {
                  for (int i = 0; i < 500; i++) {
                    long before = answered.get();
                    long id = ids.next();
                    answered.accumulateAndGet(id, Math::max);
                    if (id <= before) {
                      synchronized (faults) {
                        faults.add(id + " after " + before);
                      }
                    }
                  }
                });
        threads.add(thread);
        thread.start();
      }
      for (Thread thread : threads) {
        thread.join();
      }
      assertEquals(List.of(), faults);
      assertEquals(4_000, answered.get());
    }
  }
}
