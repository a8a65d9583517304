package dev.idgen.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.IdBatch;
import dev.idgen.IdException;
import dev.idgen.IdRun;
import dev.idgen.Reason;
import dev.idgen.store.SegmentTerms;
import dev.idgen.store.SlowSegmentStore;
import dev.idgen.store.StoreBreaker;
import dev.idgen.text.Seed;
import dev.idgen.time.FakeTime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** Ids that have to follow one another. */
class ContiguousTest {
  private static final SegmentTerms TERMS = SegmentTerms.of("default", "order", 1_000);
  private static final long SECOND = 1_000_000_000L;

  private final FakeTime time = new FakeTime(1_800_000_000_000L);
  private final SlowSegmentStore store = new SlowSegmentStore();
  private long passedOver;
  private long wasted;

  private final SegmentEvents events =
      new SegmentEvents() {
        @Override
        public void passedOver(long ids) {
          passedOver += ids;
        }

        @Override
        public void wasted(long ids) {
          wasted += ids;
        }
      };

  private SegmentEngine engine(long step) {
    return engine(TERMS, SegmentOptions.defaults().withSteps(step, 1, 1_000));
  }

  private SegmentEngine engine(SegmentTerms terms, SegmentOptions options) {
    return new SegmentEngine(
        terms, options, store, new StoreBreaker(), time, time.scheduler(), events);
  }

  private static CompletableFuture<IdBatch> ask(SegmentEngine ids, int count) {
    return ids.nextContiguous(count, SECOND).toCompletableFuture();
  }

  private static List<IdRun> run(long first, int count) {
    return List.of(new IdRun(first, count, 1));
  }

  private static Reason reason(CompletableFuture<?> failed) {
    return assertInstanceOf(
            IdException.class, assertThrows(CompletionException.class, failed::join).getCause())
        .reason();
  }

  @Test
  void nextContiguous_nothingHeld_isFetchedAtOnce() {
    SegmentEngine ids = engine(10);
    assertEquals(run(1, 7), ask(ids, 7).join().runs());
    assertEquals(1, store.asked.size());
    assertEquals(8, ids.next());
  }

  @Test
  void nextContiguous_remainderTooSmall_isPassedOverAndTold() {
    SegmentEngine ids = engine(10);
    ids.next(7); // 8, 9, 10 are left
    assertEquals(run(11, 4), ask(ids, 4).join().runs());
    assertEquals(3, passedOver);
    assertEquals(15, ids.next());
    assertEquals(0, wasted);
  }

  @Test
  void nextContiguous_remainderJustEnough_isUsed() {
    SegmentEngine ids = engine(10);
    ids.next(7);
    assertEquals(run(8, 3), ask(ids, 3).join().runs());
    assertEquals(0, passedOver);
    assertEquals(11, ids.next());
  }

  @Test
  void nextContiguous_nextSegmentIsHeld_needsNoFetch() {
    SegmentEngine ids = engine(10);
    ids.next(9);
    time.runDue(); // the next one, of 20, is fetched
    assertEquals(2, store.asked.size());
    store.fail(Integer.MAX_VALUE);
    assertEquals(run(11, 20), ask(ids, 20).join().runs());
    assertEquals(1, passedOver);
  }

  @Test
  void nextContiguous_moreThanAStep_isOneFetchOfItsOwn() {
    SegmentEngine ids = engine(10);
    ids.next(2);
    assertEquals(run(11, 1_000), ask(ids, 1_000).join().runs());
    assertEquals(2, store.asked.size());
    assertEquals(1_000, store.asked.get(1).count());
    assertEquals(8, passedOver);
    assertEquals(1_011, ids.next());
  }

  @Test
  void nextContiguous_overTheLargestStep_isRefusedBeforeAnythingIsTaken() {
    SegmentEngine ids = engine(10);
    var e = assertThrows(IllegalArgumentException.class, () -> ids.nextContiguous(1_001, SECOND));
    assertEquals("count: 1001 (expected: 1..1000, the largest step)", e.getMessage());
    assertThrows(IllegalArgumentException.class, () -> ids.nextContiguous(0, SECOND));
    assertEquals(0, store.asked.size());
  }

  @Test
  void nextContiguous_severalDatabases_haveNoSuchIds() {
    SegmentTerms odd = new SegmentTerms("default", "order", 1, Long.MAX_VALUE, 2, 1, 0);
    SegmentEngine ids = engine(odd, SegmentOptions.defaults());
    var e = assertThrows(IllegalStateException.class, () -> ids.nextContiguous(2, SECOND));
    assertEquals("modulus: 2 (expected: 1, for ids that follow one another)", e.getMessage());
  }

  /** Until there are enough above it, what is held is not given up: the store may be away. */
  @Test
  void nextContiguous_storeIsAway_othersGetWhatIsHeld() {
    SegmentEngine ids = engine(10);
    ids.next(2);
    store.fail(Integer.MAX_VALUE);
    CompletableFuture<IdBatch> many = ask(ids, 500);
    for (long i = 3; i <= 9; i++) {
      assertEquals(i, ids.next());
    }
    CompletableFuture<IdBatch> two = ids.nextAsync(1, SECOND).toCompletableFuture();
    assertEquals(10, two.join().runs().get(0).first());
    time.advanceMillis(2_000);
    assertEquals(Reason.STORE_UNAVAILABLE, reason(many));
    assertEquals(0, passedOver);
  }

  /** A fetch for less may be under way: its answer is held for others, and another one is made. */
  @Test
  void nextContiguous_fetchForLessIsUnderWay_waitsForTheNext() {
    store.slow();
    SegmentEngine ids = engine(10);
    CompletableFuture<IdBatch> one = ids.nextAsync(1, SECOND).toCompletableFuture();
    CompletableFuture<IdBatch> many = ask(ids, 100);
    CompletableFuture<IdBatch> behind = ids.nextAsync(2, SECOND).toCompletableFuture();
    store.answer();
    assertEquals(run(1, 1), one.join().runs());
    assertEquals(run(2, 2), behind.join().runs()); // not held up
    assertFalse(many.isDone());
    time.runDue();
    assertEquals(4, ids.next());
    store.answer();
    assertEquals(run(11, 100), many.join().runs());
    assertEquals(6, passedOver);
    assertEquals(Reason.DEADLINE, reason(expired(ids)));
  }

  private CompletableFuture<IdBatch> expired(SegmentEngine ids) {
    CompletableFuture<IdBatch> late = ask(ids, 1_000);
    time.advanceMillis(1_000);
    return late;
  }

  @Test
  void nextContiguous_severalWait_areServedInOrder() {
    store.slow();
    SegmentEngine ids = engine(10);
    CompletableFuture<IdBatch> a = ask(ids, 600);
    CompletableFuture<IdBatch> b = ask(ids, 600);
    CompletableFuture<IdBatch> c = ask(ids, 10);
    for (int i = 0; i < 3 && store.pending() > 0; i++) {
      store.answer();
      time.runDue();
    }
    assertEquals(600, a.join().count());
    assertEquals(600, b.join().count());
    assertEquals(10, c.join().count());
    assertTrue(b.join().runs().get(0).first() > a.join().runs().get(0).lastInclusive());
  }

  /** Fewer are left of the tag than have to follow one another: what is left is for others. */
  @Test
  void nextContiguous_tagAtItsEnd_isExhaustedAndOthersGetTheRest() {
    SegmentTerms small = new SegmentTerms("default", "order", 1, 25, 1, 0, 0);
    SegmentEngine ids = engine(small, SegmentOptions.defaults().withSteps(10, 10, 100));
    ids.next(2);
    CompletableFuture<IdBatch> many = ask(ids, 50);
    time.advanceMillis(1);
    assertEquals(Reason.EXHAUSTED, reason(many));
    int asked = store.asked.size();
    assertEquals(Reason.EXHAUSTED, reason(ask(ids, 50)));
    assertEquals(asked, store.asked.size()); // spared for a while
    for (long i = 3; i <= 25; i++) {
      assertEquals(i, ids.next());
    }
  }

  @Test
  void nextContiguous_floorWasRaised_isAboveIt() {
    SegmentEngine ids = engine(10);
    ids.next(2);
    store.slow();
    CompletableFuture<IdBatch> many = ask(ids, 50);
    store.store.raise(TERMS, 40);
    ids.raiseTo(40);
    store.answer();
    time.runDue();
    assertEquals(run(40, 50), many.join().runs());
  }

  @Test
  void close_callerWaits_isRefused() {
    SegmentEngine ids = engine(10);
    ids.next(2);
    store.slow();
    CompletableFuture<IdBatch> many = ask(ids, 50);
    ids.close();
    assertEquals(Reason.DRAINING, reason(many));
    assertEquals(Reason.DRAINING, reason(ask(ids, 1)));
    assertEquals(8, wasted);
  }

  /**
   * All kinds of takes, a store that is slow, fails and is late, floors: no id twice; who asks
   * after another one was answered gets higher ids; and what has to follow one another does.
   */
  @Test
  void takes_ofAllKinds_areDifferentAndInOrder() {
    long seed = Seed.random("takes").nextLong();
    for (int round = 0; round < 200; round++) {
      new Walk(new Random(seed + round)).run();
    }
  }

  /** One random walk. */
  private static final class Walk {
    private final Random random;
    private final FakeTime time = new FakeTime(1_800_000_000_000L);
    private final SlowSegmentStore store = new SlowSegmentStore();
    private final SegmentEngine ids;
    private final List<Asked> open = new ArrayList<>();
    private final Set<Long> seen = new HashSet<>();
    private long highest = -1; // of all that were answered

    private record Asked(CompletableFuture<IdBatch> answer, long above, boolean whole, int count) {}

    Walk(Random random) {
      this.random = random;
      this.ids =
          new SegmentEngine(
              TERMS,
              SegmentOptions.defaults()
                  .withSteps(1 + random.nextInt(20), 1, 40)
                  .withLimits(2, 500, 300),
              store,
              new StoreBreaker(),
              time,
              time.scheduler(),
              SegmentEvents.NONE);
    }

    void run() {
      for (int i = 0; i < 300; i++) {
        step(random.nextInt(10));
        time.runDue();
        look();
      }
      store.fail(0);
      store.quick();
      for (int i = 0; i < 50 && !open.isEmpty(); i++) {
        answerAll();
        time.advanceMillis(100);
        look();
      }
      assertTrue(open.isEmpty(), open.size() + " wait");
    }

    private void step(int what) {
      switch (what) {
        case 0, 1, 2 -> ask(true, 1 + random.nextInt(40));
        case 3, 4 -> ask(false, 1 + random.nextInt(60));
        case 5 -> takeOne();
        case 6 -> store.slow();
        case 7 -> answerAll();
        case 8 -> store.fail(random.nextInt(3));
        default -> timeOrFloor();
      }
    }

    private void ask(boolean whole, int count) {
      var stage = whole ? ids.nextContiguous(count, SECOND / 2) : ids.nextAsync(count, SECOND / 2);
      open.add(new Asked(stage.toCompletableFuture(), highest, whole, count));
      look();
    }

    private void takeOne() {
      long id = ids.tryNext();
      if (id >= 0) {
        took(new IdBatch(List.of(new IdRun(id, 1, 1))), highest);
      }
    }

    private void answerAll() {
      while (store.pending() > 0) {
        store.answer();
      }
      if (random.nextBoolean()) {
        store.quick();
      }
    }

    private void timeOrFloor() {
      time.advanceMillis(random.nextInt(400));
      if (random.nextInt(10) == 0) {
        long floor = highest + random.nextInt(30);
        store.store.raise(TERMS, Math.max(0, floor));
        ids.raiseTo(Math.max(0, floor));
      }
    }

    private void look() {
      for (Asked asked : List.copyOf(open)) {
        if (asked.answer.isDone()) {
          open.remove(asked);
          if (!asked.answer.isCompletedExceptionally()) {
            IdBatch batch = asked.answer.join();
            assertEquals(asked.count, batch.count());
            assertTrue(!asked.whole || batch.runs().size() == 1, batch.toString());
            took(batch, asked.above);
          }
        }
      }
    }

    private void took(IdBatch batch, long above) {
      long last = above;
      for (long id : batch.toArray()) {
        assertTrue(id > last, id + " after " + last);
        assertTrue(seen.add(id), id + " twice");
        last = id;
      }
      highest = Math.max(highest, last);
    }
  }
}
