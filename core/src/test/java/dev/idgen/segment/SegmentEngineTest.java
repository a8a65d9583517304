package dev.idgen.segment;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.ExhaustedException;
import dev.idgen.IdBatch;
import dev.idgen.IdException;
import dev.idgen.IdRun;
import dev.idgen.Reason;
import dev.idgen.store.SegmentTerms;
import dev.idgen.store.SlowSegmentStore;
import dev.idgen.store.StoreBreaker;
import dev.idgen.store.memory.MemorySegmentStore;
import dev.idgen.time.FakeTime;
import dev.idgen.time.Scheduler;
import dev.idgen.time.TimeSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

class SegmentEngineTest {
  private static final SegmentTerms TERMS = SegmentTerms.of("default", "order", 1_000);
  private static final long SECOND = 1_000_000_000L;

  private final FakeTime time = new FakeTime(1_800_000_000_000L);
  private final SlowSegmentStore store = new SlowSegmentStore();
  private final List<String> told = new ArrayList<>();
  private final StoreBreaker breaker = new StoreBreaker();

  private final SegmentEvents events =
      new SegmentEvents() {
        @Override
        public void fetchFailed(String why) {
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

        @Override
        public void wasted(long ids) {
          told.add("wasted " + ids);
        }
      };

  private SegmentEngine engine(SegmentOptions options) {
    return engine(TERMS, options);
  }

  private SegmentEngine engine(SegmentTerms terms, SegmentOptions options) {
    return new SegmentEngine(terms, options, store, breaker, time, time.scheduler(), events);
  }

  private static SegmentOptions steps(long step) {
    return SegmentOptions.defaults().withSteps(step, 1, 1_000_000);
  }

  private static IdException refusal(CompletableFuture<?> failed) {
    return assertInstanceOf(
        IdException.class, assertThrows(CompletionException.class, failed::join).getCause());
  }

  /** A floor that the store has lost in a failover is told to it by whoever knows. */
  @Test
  void raiseTo_storeHasForgotten_isToldToIt() {
    SegmentEngine ids = engine(steps(10));
    ids.raiseTo(1_000_000);
    assertEquals(1_000_000, ids.next());
    assertEquals(1, store.asked.size());
  }

  @Test
  void listener_thatThrows_keepsNobodyWaiting() {
    SegmentEngine ids =
        new SegmentEngine(
            TERMS,
            steps(2),
            store,
            breaker,
            time,
            time.scheduler(),
            new SegmentEvents() {
              @Override
              public void fetched(long first, long count, long nanos) {
                throw new IllegalStateException("listener");
              }
            });
    for (long i = 1; i <= 10; i++) {
      CompletableFuture<IdBatch> one = ids.nextAsync(1, SECOND).toCompletableFuture();
      time.runDue();
      assertTrue(one.isDone());
      assertEquals(i, one.join().runs().get(0).first());
    }
  }

  @Test
  void nextAsync_tooManyWait_isOverloaded() {
    store.slow();
    SegmentEngine ids = engine(steps(1));
    for (int i = 0; i < 10_000; i++) {
      assertFalse(ids.nextAsync(1, SECOND).toCompletableFuture().isDone());
    }
    assertEquals(
        Reason.OVERLOADED, refusal(ids.nextAsync(1, SECOND).toCompletableFuture()).reason());
  }

  // ---- takes

  @Test
  void next_manyTimes_countsUp() {
    SegmentEngine ids = engine(steps(10));
    for (long i = 1; i <= 1_000; i++) {
      assertEquals(i, ids.next());
      time.runDue();
    }
  }

  @Test
  void fill_overBorders_isInOrder() {
    SegmentEngine ids = engine(steps(10));
    long[] many = ids.next(95);
    for (int i = 0; i < many.length; i++) {
      assertEquals(i + 1, many[i]);
    }
    assertArrayEquals(new long[] {96}, ids.next(1));
    assertArrayEquals(new long[0], ids.next(0));
  }

  @Test
  void nextBatch_overABorder_isTwoRuns() {
    SegmentEngine ids = engine(steps(100));
    assertEquals(List.of(new IdRun(1, 60, 1)), ids.nextBatch(60).runs());
    assertEquals(List.of(new IdRun(61, 40, 1), new IdRun(101, 20, 1)), ids.nextBatch(60).runs());
    assertThrows(IllegalArgumentException.class, () -> ids.nextBatch(0));
  }

  @Test
  void nextAsync_moreThanTheStep_isOneFetch() {
    SegmentEngine ids = engine(steps(10));
    IdBatch batch = ids.nextAsync(1_000_000, SECOND).toCompletableFuture().join();

    assertEquals(List.of(new IdRun(1, 1_000_000, 1)), batch.runs());
    assertEquals(1, store.asked.size());
  }

  @Test
  void nextAsync_moreThanTheLargestStep_isSeveralFetches() {
    SegmentEngine ids = engine(SegmentOptions.defaults().withSteps(10, 1, 100));
    CompletableFuture<IdBatch> batch = ids.nextAsync(1_000, SECOND).toCompletableFuture();
    time.advanceMillis(1);

    assertEquals(1_000, batch.join().count());
    assertEquals(1_000, batch.join().runs().get(9).lastInclusive());
    assertTrue(store.asked.stream().allMatch(r -> r.count() <= 100));
  }

  @Test
  void tryNext_nothingHeld_isNone() {
    SegmentEngine ids = engine(steps(2));
    assertEquals(-1, ids.tryNext());
    assertEquals(1, ids.next());
    assertEquals(2, ids.tryNext());
  }

  @Test
  void next_residue_keepsIt() {
    SegmentTerms odd = new SegmentTerms("default", "order", 1, Long.MAX_VALUE, 2, 1, 0);
    SegmentEngine ids = engine(odd, steps(3));
    assertArrayEquals(new long[] {1, 3, 5, 7, 9, 11, 13}, ids.next(7));
  }

  // ---- fetching ahead

  @Test
  void next_atTheShare_fetchesOnceAhead() {
    SegmentEngine ids = engine(steps(10));
    ids.next(8);
    assertEquals(1, store.asked.size());
    ids.next();
    assertEquals(2, store.asked.size());
    ids.next();
    assertEquals(2, store.asked.size());
    assertEquals(11, ids.next());
  }

  /** C63: a prefetch that fails is tried again, and one that is slow overtakes nothing. */
  @Test
  void next_prefetchFailsOrIsSlow_goesOnInOrder() {
    SegmentEngine ids = engine(steps(10));
    ids.next(1);
    store.fail(1);
    ids.next(9);
    assertEquals(List.of("failed: slow: away (expected: there)"), told);
    assertEquals(2, store.asked.size());
    time.advanceMillis(50);
    assertEquals(3, store.asked.size());
    assertEquals(11, ids.next());

    store.slow();
    long held = ids.status().held();
    ids.next((int) held);
    CompletableFuture<IdBatch> one = ids.nextAsync(1, SECOND).toCompletableFuture();
    CompletableFuture<IdBatch> two = ids.nextAsync(2, SECOND).toCompletableFuture();
    assertEquals(1, store.pending());
    assertFalse(one.isDone());
    store.answer();
    long first = 12 + held;
    assertEquals(first, one.join().runs().get(0).first());
    assertEquals(first + 1, two.join().runs().get(0).first());
    assertEquals(first + 3, ids.next());
  }

  @Test
  void next_runwayInTime_fetchesEarlier() {
    SegmentEngine ids = engine(steps(1_000).withPrefetch(100, 10_000));
    for (int i = 0; i < 1_000; i++) {
      ids.next();
      time.advanceMillis(20); // 50 a second
    }
    ids.next(1);
    int fetches = store.asked.size();
    while (store.asked.size() == fetches) {
      ids.next();
      time.advanceMillis(20);
    }
    assertTrue(ids.status().runwayMs() > 10_000, ids.status().toString());
  }

  // ---- steps

  @Test
  void step_usedUpFast_doublesToItsMaximum() {
    SegmentEngine ids = engine(SegmentOptions.defaults().withSteps(100, 10, 1_000));
    for (int i = 0; i < 20_000; i++) {
      ids.next();
    }
    assertEquals(1_000, ids.status().step());
    assertEquals(1_000, store.asked.get(store.asked.size() - 1).count());
  }

  /** What is fetched early says little of the pace: that is seen when the segment is used up. */
  @Test
  void step_usedUpFastAndFetchedEarly_doublesToItsMaximum() {
    SegmentOptions early = SegmentOptions.defaults().withSteps(100, 10, 1_000).withPrefetch(50, 0);
    SegmentEngine ids = engine(early);
    for (int i = 0; i < 20_000; i++) {
      ids.next();
    }
    assertEquals(1_000, ids.status().step());
  }

  @Test
  void step_runwayThatStepsCannotReach_doublesUntilTheyDo() {
    SegmentOptions runway =
        SegmentOptions.defaults().withSteps(100, 10, 100_000).withPrefetch(80, 30_000);
    SegmentEngine ids = engine(runway);
    for (int i = 0; i < 200_000; i++) {
      ids.next();
      if (i % 5 == 0) {
        time.advanceMillis(1); // 5,000 a second
      }
    }
    assertTrue(ids.status().runwayMs() > 25_000, ids.status().toString());
  }

  @Test
  void step_hardlyUsed_halvesToItsMinimum() {
    SegmentEngine ids = engine(SegmentOptions.defaults().withSteps(100, 30, 1_000));
    for (int i = 0; i < 1_000; i++) {
      ids.next();
      time.advanceMillis(90_000);
    }
    assertEquals(30, ids.status().step());
  }

  @Test
  void step_usedAtAnEvenPace_stays() {
    SegmentEngine ids = engine(SegmentOptions.defaults().withSteps(100, 10, 1_000));
    for (int i = 0; i < 1_000; i++) {
      ids.next();
      time.advanceMillis(3_000);
    }
    assertEquals(100, ids.status().step());
  }

  // ---- a store that fails

  /** C60: step 1, a thousand callers, a slow store: no error, and few fetches. */
  @Test
  void nextAsync_thousandCallersWithStepOne_areServedInOrder() {
    store.slow();
    SegmentEngine ids = engine(steps(1));
    List<CompletableFuture<IdBatch>> all = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      all.add(ids.nextAsync(1, 2 * SECOND).toCompletableFuture());
    }
    for (int i = 0; store.pending() > 0 && i < 10; i++) {
      time.advanceMillis(50);
      store.answer();
      time.runDue();
    }
    for (int i = 0; i < all.size(); i++) {
      assertEquals(i + 1, all.get(i).join().runs().get(0).first());
    }
    assertTrue(store.asked.size() <= 4, store.asked.size() + " fetches");
  }

  @Test
  void nextAsync_noAnswer_endsAtTheCallersDeadline() {
    store.slow();
    SegmentEngine ids = engine(steps(10));
    CompletableFuture<IdBatch> one = ids.nextAsync(1, SECOND / 2).toCompletableFuture();
    CompletableFuture<IdBatch> two = ids.nextAsync(1, SECOND).toCompletableFuture();
    time.advanceMillis(499);
    assertFalse(one.isDone());
    time.advanceMillis(1);
    assertEquals(Reason.DEADLINE, refusal(one).reason());
    store.answer();
    assertEquals(1, two.join().runs().get(0).first());
  }

  /**
   * C61: whoever waits is told when it said, however many wait; and few ask the store meanwhile.
   */
  @Test
  void nextAsync_storeStallsFiveSeconds_eachDeadlineIsKept() {
    store.slow();
    SegmentEngine ids = engine(steps(10));
    List<CompletableFuture<IdBatch>> all = new ArrayList<>();
    for (int i = 1; i <= 49; i++) {
      all.add(ids.nextAsync(1, i * SECOND / 10).toCompletableFuture());
    }
    CompletableFuture<IdBatch> patient = ids.nextAsync(1, 7 * SECOND).toCompletableFuture();
    for (int i = 1; i <= 49; i++) {
      time.advanceMillis(99);
      assertFalse(all.get(i - 1).isDone(), "before " + i * 100 + " ms");
      time.advanceMillis(1);
      refusal(all.get(i - 1));
    }
    time.advanceMillis(100);
    assertTrue(store.asked.size() <= 3, store.asked.size() + " requests in 5 s");

    while (store.pending() > 0) {
      store.answer();
    }
    assertTrue(patient.join().runs().get(0).first() > 0);
  }

  @Test
  void nextAsync_answerAfterItsLimit_isAGap() {
    store.slow();
    SegmentEngine ids = engine(steps(10).withLimits(3, 2_000, 300));
    CompletableFuture<IdBatch> one = ids.nextAsync(1, 2 * SECOND).toCompletableFuture();
    time.advanceMillis(360);
    assertEquals(2, store.pending());
    store.answer(); // late: 1 to 10 are nobody's
    assertFalse(one.isDone());
    store.answer();
    assertEquals(11, one.join().runs().get(0).first());
    assertEquals(List.of("failed: no answer within 300 ms"), told);
  }

  @Test
  void nextAsync_lateAnswerOfAHigherRangeComesFirst_usesTheOtherAllTheSame() {
    store.slow();
    SegmentEngine ids = engine(steps(10).withLimits(3, 2_000, 300));
    CompletableFuture<IdBatch> one = ids.nextAsync(1, 2 * SECOND).toCompletableFuture();
    time.advanceMillis(360);
    assertEquals(2, store.pending());
    store.answerCrossed(); // 11 to 20 come late and are nobody's
    assertEquals(List.of("failed: no answer within 300 ms"), told);
    assertEquals(1, one.join().runs().get(0).first());
    store.quick();
    ids.next(9);
    time.runDue();
    assertEquals(20, store.asked.get(2).mark());
  }

  @Test
  void nextAsync_storeFails_isRefusedAfterTheRetries() {
    store.fail(100);
    SegmentEngine ids = engine(steps(10).withLimits(2, 5_000, 1_000));
    CompletableFuture<IdBatch> one = ids.nextAsync(1, 5 * SECOND).toCompletableFuture();
    time.advanceMillis(1_000);
    IdException refusal = refusal(one);
    assertEquals(Reason.STORE_UNAVAILABLE, refusal.reason());
    assertEquals("tag: order: no ids left, and slow: away (expected: there)", refusal.getMessage());
    assertTrue(refusal.retryAfterMs() > 0);
  }

  /** C71: errors only after what is held is used up, and soon none after the return. */
  @Test
  void next_storeAwayForLong_servesWhatIsHeldAndComesBackByItself() {
    SegmentEngine ids = engine(steps(100));
    ids.next(10);
    store.fail(Integer.MAX_VALUE);
    ids.next(90);
    CompletableFuture<IdBatch> waits = ids.nextAsync(1, 2 * SECOND).toCompletableFuture();
    time.advanceMillis(20_000);
    assertEquals(Reason.STORE_UNAVAILABLE, refusal(waits).reason());
    assertTrue(breaker.open());
    int asked = store.asked.size();
    assertTrue(asked < 60, asked + " fetches in 20 s");
    CompletableFuture<IdBatch> spared = ids.nextAsync(1, 2 * SECOND).toCompletableFuture();
    time.advanceMillis(500);
    assertEquals(Reason.STORE_UNAVAILABLE, refusal(spared).reason());

    store.fail(0);
    time.advanceMillis(1_500);
    assertEquals(101, ids.next());
    assertFalse(breaker.open());
  }

  @Test
  void next_storeHasLostWrites_leavesAGap() {
    SegmentEngine ids = engine(steps(10));
    ids.next(1);
    MemorySegmentStore before = store.store.replica("s");
    ids.next(9);
    time.runDue();
    store.store = before; // it knows of 10, and 30 were given
    ids.next(20);
    time.runDue();
    assertEquals(1_031, ids.next());
    assertEquals(1, told.stream().filter(t -> t.startsWith("skipped")).count(), told + "");
  }

  // ---- ends

  /** C68. */
  @Test
  void next_tagAtItsEnd_isExhaustedAfterTheLastId() {
    SegmentTerms small = new SegmentTerms("default", "order", 1, 100, 1, 0, 0);
    SegmentEngine ids = engine(small, SegmentOptions.defaults().withSteps(5, 1, 5));
    for (long i = 1; i <= 100; i++) {
      assertEquals(i, ids.next());
      time.runDue();
    }
    assertThrows(ExhaustedException.class, ids::next);
    int asked = store.asked.size();
    assertThrows(ExhaustedException.class, ids::next);
    assertEquals(asked, store.asked.size()); // spared for a while
    assertEquals(List.of("at 70", "at 85", "at 95"), told);
  }

  /** With several segments held, the store says that there is no more long before they are used. */
  @Test
  void next_endIsKnownWhileIdsAreHeld_givesThemAllFirst() {
    SegmentTerms small = new SegmentTerms("default", "order", 1, 25, 1, 0, 0);
    SegmentOptions far = SegmentOptions.defaults().withSteps(10, 10, 10).withPrefetch(10, 600_000);
    SegmentEngine ids = engine(small, far);
    for (long i = 1; i <= 2; i++) {
      assertEquals(i, ids.next());
      time.runDue();
    }
    time.runDue();
    assertEquals(23, ids.status().held());
    for (long i = 3; i <= 25; i++) {
      assertEquals(i, ids.next());
    }
    assertThrows(ExhaustedException.class, ids::next);
  }

  /** C65. */
  @Test
  void raiseTo_above_throwsAwayWhatIsBelow() {
    SegmentEngine ids = engine(steps(10));
    ids.next(9);
    store.raise(TERMS, 1_000_000);
    ids.raiseTo(1_000_000);
    assertEquals(1_000_000, ids.next());
    assertEquals(List.of("wasted 1"), told);
  }

  @Test
  void raiseTo_inTheMiddle_keepsWhatIsAbove() {
    SegmentEngine ids = engine(steps(100));
    ids.next(10);
    ids.raiseTo(51);
    assertEquals(51, ids.next());
    assertEquals(List.of("wasted 40"), told);
  }

  /** C65: a take that waits for the rest of its ids is given others for those below. */
  @Test
  void raiseTo_callersWaitWithIdsBelow_givesThemOthers() {
    SegmentEngine ids = engine(steps(10));
    ids.next(5);
    store.slow();
    CompletableFuture<IdBatch> waits = ids.nextAsync(8, SECOND).toCompletableFuture();
    ids.raiseTo(8);
    store.store.raise(TERMS, 8);
    store.answer();
    assertEquals(List.of(new IdRun(8, 3, 1), new IdRun(11, 5, 1)), waits.join().runs());
    assertEquals(List.of("wasted 2"), told);

    ids.next((int) ids.status().held() - 5);
    CompletableFuture<IdBatch> again = ids.nextAsync(8, SECOND).toCompletableFuture();
    store.store.raise(TERMS, 1_000);
    ids.raiseTo(1_000);
    while (store.pending() > 0) {
      store.answer();
      time.runDue();
    }
    assertEquals(List.of(new IdRun(1_000, 8, 1)), again.join().runs());
  }

  /** C64. */
  @Test
  void close_idsHeld_areToldAsWaste() {
    SegmentEngine ids = engine(steps(100));
    ids.next(10);
    ids.close();
    ids.close();
    assertEquals(List.of("wasted 90"), told);
    assertEquals(Reason.DRAINING, assertThrows(IdException.class, ids::next).reason());
    assertEquals(-1, ids.tryNext());
  }

  @Test
  void close_callersWait_areRefused() {
    store.slow();
    SegmentEngine ids = engine(steps(100));
    CompletableFuture<IdBatch> waits = ids.nextAsync(1, SECOND).toCompletableFuture();
    ids.close();
    assertEquals(Reason.DRAINING, refusal(waits).reason());
    store.answer();
  }

  /** C62. */
  @Test
  void next_manyThreads_areAllDifferentAndRise() throws Exception {
    int threads = 64;
    int each = 50_000;
    long[][] taken = new long[threads][each];
    Scheduler scheduler = Scheduler.daemon("test");
    SegmentEngine ids =
        new SegmentEngine(
            TERMS,
            SegmentOptions.defaults().withSteps(1_000, 1_000, 10_000),
            store,
            breaker,
            TimeSource.system(),
            scheduler,
            SegmentEvents.NONE);
    List<Thread> all = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      long[] mine = taken[t];
      int number = t;
      Thread thread =
          new Thread(
              () -> {
                for (int i = 0; i < mine.length; i++) {
                  if (number % 4 == 0 && i % 10 == 0) {
                    long[] ten = ids.next(10);
                    System.arraycopy(ten, 0, mine, i, 10);
                    i += 9;
                  } else {
                    mine[i] = ids.next();
                  }
                }
              });
      all.add(thread);
      thread.start();
    }
    for (Thread thread : all) {
      thread.join();
    }
    scheduler.close();
    for (long[] mine : taken) {
      for (int i = 1; i < mine.length; i++) {
        assertTrue(mine[i] > mine[i - 1], mine[i - 1] + " " + mine[i]);
      }
    }
    long[] sorted = Arrays.stream(taken).flatMapToLong(Arrays::stream).sorted().toArray();
    for (int i = 0; i < sorted.length; i++) {
      assertEquals(i + 1, sorted[i]);
    }
  }
}
