package dev.idgen.segment;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.ExhaustedException;
import dev.idgen.IdException;
import dev.idgen.IdRun;
import dev.idgen.Reason;
import dev.idgen.store.SegmentTerms;
import dev.idgen.store.SlowSegmentStore;
import dev.idgen.store.StoreBreaker;
import dev.idgen.text.Seed;
import dev.idgen.time.FakeTime;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ThreadBlocksTest {
  private static final SegmentTerms TERMS = SegmentTerms.of("default", "order", 1_000);

  private final FakeTime time = new FakeTime(1_800_000_000_000L);
  private final SlowSegmentStore store = new SlowSegmentStore();
  private final List<Long> wasted = new ArrayList<>();
  private final ExecutorService other = Executors.newSingleThreadExecutor();

  private final SegmentEvents events =
      new SegmentEvents() {
        @Override
        public void wasted(long ids) {
          wasted.add(ids);
        }
      };

  @AfterEach
  void end() {
    other.shutdown();
  }

  private SegmentEngine engine(SegmentTerms terms, long step) {
    return new SegmentEngine(
        terms,
        SegmentOptions.defaults().withSteps(step, 1, 1_000_000),
        store,
        new StoreBreaker(),
        time,
        time.scheduler(),
        events);
  }

  private ThreadBlocks blocks(long step) {
    return new ThreadBlocks(engine(TERMS, step));
  }

  /** By a thread that stays. */
  private long elsewhere(LongSupplier work) throws Exception {
    return other.submit(work::getAsLong).get(10, TimeUnit.SECONDS);
  }

  /** By a thread that ends. */
  private static long passing(LongSupplier work) throws Exception {
    FutureTask<Long> task = new FutureTask<>(work::getAsLong);
    Thread thread = new Thread(task);
    thread.start();
    thread.join(10_000);
    return task.get(10, TimeUnit.SECONDS);
  }

  // ---- takes

  @Test
  void next_twoThreads_countThroughBlocksOfTheirOwn() throws Exception {
    ThreadBlocks ids = blocks(1_000);
    ids.next(); // waits for the first fetch, and gets that one alone
    assertEquals(2, ids.next());
    assertEquals(66, elsewhere(ids::next));
    assertEquals(3, ids.next());
    assertEquals(67, elsewhere(ids::next));
    ids.next(62);
    assertEquals(130, ids.next());
    assertEquals(68, elsewhere(ids::next));
  }

  @Test
  void next_oneThread_leavesNothingOut() {
    ThreadBlocks ids = blocks(10); // ends of segments lie within blocks, and steps grow
    for (long i = 1; i <= 5_000; i++) {
      assertEquals(i, ids.next());
      time.runDue();
    }
  }

  @Test
  void takesOfAllSizes_oneThread_leaveNothingOut() {
    Random random = Seed.random("takesOfAllSizes");
    ThreadBlocks ids = blocks(100);
    long last = 0;
    for (int i = 0; i < 1_000; i++) {
      int count = 1 + random.nextInt(200);
      long[] taken =
          switch (random.nextInt(3)) {
            case 0 -> new long[] {ids.next()};
            case 1 -> ids.next(count);
            default -> ids.nextBatch(count).toArray();
          };
      for (long id : taken) {
        last++;
        assertEquals(last, id);
      }
      time.runDue();
    }
  }

  @Test
  void fill_moreThanItsBlockHas_takesTheRestFromTheEngine() throws Exception {
    ThreadBlocks ids = blocks(1_000);
    ids.next(2);
    assertEquals(66, elsewhere(ids::next));
    long[] many = ids.next(162);
    assertEquals(3, many[0]);
    assertEquals(65, many[62]);
    assertEquals(130, many[63]);
    assertEquals(228, many[161]);
    assertEquals(229, ids.next());
    assertArrayEquals(new long[0], ids.next(0));
  }

  @Test
  void nextBatch_overTheEndOfItsBlock_isTwoRuns() throws Exception {
    ThreadBlocks ids = blocks(1_000);
    ids.next(2);
    assertEquals(66, elsewhere(ids::next));
    assertEquals(List.of(new IdRun(3, 63, 1), new IdRun(130, 100, 1)), ids.nextBatch(163).runs());
    assertEquals(List.of(new IdRun(230, 10, 1)), ids.nextBatch(10).runs());
    assertEquals(240, ids.next());
    assertThrows(IllegalArgumentException.class, () -> ids.nextBatch(0));
  }

  @Test
  void next_blockReachesTheShare_fetchesAhead() {
    ThreadBlocks ids = blocks(100);
    ids.next(65);
    assertEquals(1, store.asked.size());
    ids.next(); // and 34 more that it holds: past 80
    assertEquals(2, store.asked.size());
  }

  @Test
  void next_residue_keepsIt() {
    SegmentTerms odd = new SegmentTerms("default", "order", 1, Long.MAX_VALUE, 2, 1, 0);
    ThreadBlocks ids = new ThreadBlocks(engine(odd, 30));
    for (long i = 1; i < 200; i += 2) {
      assertEquals(i, ids.next());
    }
    ids.raiseTo(206);
    assertEquals(207, ids.next());
    ids.raiseTo(400);
    assertEquals(401, ids.next());
  }

  @Test
  void next_atTheEndOfAllNumbers_isExhaustedAfterTheLast() {
    long start = Long.MAX_VALUE - 99;
    SegmentTerms last = new SegmentTerms("default", "order", start, Long.MAX_VALUE, 1, 0, 0);
    ThreadBlocks ids = new ThreadBlocks(engine(last, 1_000));
    for (long i = 0; i < 100; i++) {
      assertEquals(start + i, ids.next());
    }
    assertThrows(ExhaustedException.class, ids::next);
  }

  // ---- floors

  /** C65, where threads hold some of the ids that it is about. */
  @Test
  void raiseTo_aboveAllBlocks_reachesEachOfThem() throws Exception {
    ThreadBlocks ids = blocks(1_000);
    ids.next(2);
    assertEquals(66, elsewhere(ids::next));
    ids.raiseTo(500);
    assertEquals(List.of(370L), wasted); // of the engine: from 130 on
    assertEquals(500, ids.next());
    assertEquals(564, elsewhere(ids::next));
    assertEquals(List.of(370L, 63L, 63L), wasted);
  }

  @Test
  void raiseTo_withinABlock_keepsWhatIsAbove() {
    SegmentEngine engine = engine(TERMS, 1_000);
    ThreadBlocks ids = new ThreadBlocks(engine);
    ids.next(2);
    engine.raiseTo(40); // whoever raises need not know of blocks
    assertEquals(40, ids.next());
    engine.raiseTo(41);
    assertEquals(41, ids.nextBatch(1).runs().get(0).first());
    engine.raiseTo(60);
    assertArrayEquals(new long[] {60, 61}, ids.next(2));
    engine.raiseTo(7);
    assertEquals(62, ids.next());
    assertEquals(List.of(37L, 18L), wasted);
  }

  /** What it had from its block before it waited for the rest. */
  @Test
  void takes_floorIsRaisedWhileTheyWait_giveNothingBelow() throws Exception {
    assertNothingBelow(ids -> ids.next(150));
    assertNothingBelow(ids -> ids.nextBatch(150).toArray());
  }

  private void assertNothingBelow(Function<ThreadBlocks, long[]> take) throws Exception {
    ThreadBlocks ids = blocks(100);
    ids.next();
    elsewhere(ids::next);
    wasted.clear();
    store.slow();
    Future<long[]> waits = other.submit(() -> take.apply(ids));
    for (int i = 0; i < 1_000_000_000 && store.pending() == 0; i++) {
      Thread.onSpinWait();
    }
    long floor = store.asked.get(store.asked.size() - 1).above() - 10;
    ids.raiseTo(floor);
    store.quick();
    store.answer();
    long[] taken = waits.get(10, TimeUnit.SECONDS);
    assertEquals(150, taken.length);
    assertTrue(wasted.contains(150L), wasted.toString());
    for (int i = 0; i < taken.length; i++) {
      assertTrue(taken[i] >= (i == 0 ? floor : taken[i - 1] + 1), Arrays.toString(taken));
    }
  }

  // ---- ends

  @Test
  void close_idsHeldInBlocks_areToldAsWaste() throws Exception {
    ThreadBlocks ids = blocks(1_000);
    ids.next(10);
    elsewhere(() -> ids.next(3)[2]);
    passing(() -> ids.next(5)[4]);
    ids.close();
    ids.close();
    assertEquals(1_000 - 18, wasted.stream().mapToLong(Long::longValue).sum());
    assertEquals(Reason.DRAINING, assertThrows(IdException.class, ids::next).reason());
    assertEquals(Reason.DRAINING, other.submit(() -> refusal(ids)).get(10, TimeUnit.SECONDS));
    assertThrows(IdException.class, () -> ids.next(5));
    assertThrows(IdException.class, () -> ids.nextBatch(5));
    assertEquals(1_000 - 18, wasted.stream().mapToLong(Long::longValue).sum());
  }

  private static Reason refusal(ThreadBlocks ids) {
    return assertThrows(IdException.class, ids::next).reason();
  }

  @Test
  void close_ofTheEngine_endsTheBlocks() {
    SegmentEngine engine = engine(TERMS, 1_000);
    ThreadBlocks ids = new ThreadBlocks(engine);
    ids.next(2);
    engine.close();
    assertEquals(Reason.DRAINING, refusal(ids));
    assertEquals(List.of(935L, 63L), wasted);
  }

  // ---- threads that end

  @Test
  void next_threadsComeAndGo_goOnWithWhatIsLeft() throws Exception {
    ThreadBlocks ids = blocks(1_000);
    for (long i = 1; i <= 300; i++) {
      assertEquals(i, passing(ids::next));
    }
  }

  @Test
  void next_threadEnds_isNotHeld() throws Exception {
    ThreadBlocks ids = blocks(1_000);
    Thread[] thread = {new Thread(ids::next)};
    WeakReference<Thread> seen = new WeakReference<>(thread[0]);
    thread[0].start();
    thread[0].join(10_000);
    thread[0] = null;
    assertGone(seen);
    assertEquals(2, ids.next());
  }

  @Test
  void next_generatorIsDropped_isNotHeldByThreads() {
    WeakReference<ThreadBlocks> seen = dropped();
    assertGone(seen);
  }

  private WeakReference<ThreadBlocks> dropped() {
    ThreadBlocks ids = blocks(1_000);
    ids.next();
    return new WeakReference<>(ids);
  }

  private static void assertGone(WeakReference<?> seen) {
    for (int i = 0; i < 100 && seen.get() != null; i++) {
      System.gc();
    }
    assertNull(seen.get());
  }

  /** More than find their blocks at once: some share a place. */
  @Test
  void next_manyThreadsThatStay_keepTheirBlocks() throws Exception {
    ThreadBlocks ids = blocks(100_000);
    ExecutorService many = Executors.newFixedThreadPool(150);
    try {
      for (int round = 0; round < 3; round++) {
        List<Callable<long[]>> work = new ArrayList<>();
        for (int i = 0; i < 150; i++) {
          work.add(() -> new long[] {ids.next(), ids.next(), ids.next()});
        }
        for (var taken : many.invokeAll(work, 10, TimeUnit.SECONDS)) {
          long[] three = taken.get();
          assertTrue(three[0] < three[1] && three[1] < three[2]);
        }
      }
    } finally {
      many.shutdown();
    }
  }
}
