package dev.idgen.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.store.SegmentTerms;
import dev.idgen.store.StoreBreaker;
import dev.idgen.store.memory.MemorySegmentStore;
import dev.idgen.text.Seed;
import dev.idgen.time.Scheduler;
import dev.idgen.time.TimeSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Threads that come and go take in every way, while floors are raised: no id twice, each thread's
 * rise, and none is below a floor that was raised before it was asked for. What each of them does
 * comes from a seed; how they meet does not.
 */
class ThreadBlocksStressTest {
  private static final SegmentTerms TERMS = SegmentTerms.of("default", "order", 1_000);
  private static final int WAVES = 4;
  private static final int THREADS = 70; // more than have a place of their own
  private static final int TAKES = 400;
  private static final int RAISES = 40;

  private final MemorySegmentStore store = new MemorySegmentStore("s");
  private volatile long floor; // raised already

  @Test
  void takes_threadsAndFloorsChange_areAllDifferentAndRise() throws Exception {
    SplittableRandom random = new SplittableRandom(Seed.random("takes").nextLong());
    try (Scheduler scheduler = Scheduler.daemon("test");
        ThreadBlocks ids = new ThreadBlocks(engine(scheduler))) {
      List<long[]> all = new ArrayList<>();
      for (int wave = 0; wave < WAVES; wave++) {
        List<FutureTask<long[]>> takers = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
          takers.add(begin(taker(ids, random.split())));
        }
        FutureTask<Boolean> raiser = begin(raiser(ids, random.split()));
        for (FutureTask<long[]> taker : takers) {
          all.add(taker.get(60, TimeUnit.SECONDS));
        }
        assertFalse(raiser.get(60, TimeUnit.SECONDS));
      }
      assertDifferent(all);
    }
  }

  private SegmentEngine engine(Scheduler scheduler) {
    return new SegmentEngine(
        TERMS,
        SegmentOptions.defaults().withSteps(50, 50, 5_000).withLimits(3, 30_000, 30_000),
        store,
        new StoreBreaker(),
        TimeSource.system(),
        scheduler,
        SegmentEvents.NONE);
  }

  private static <T> FutureTask<T> begin(Callable<T> work) {
    FutureTask<T> task = new FutureTask<>(work);
    new Thread(task).start();
    return task;
  }

  private Callable<long[]> taker(ThreadBlocks ids, SplittableRandom random) {
    return () -> {
      long[] taken = new long[TAKES * 100];
      int count = 0;
      long last = -1;
      for (int i = 0; i < TAKES; i++) {
        long above = Math.max(last, floor - 1); // read before the take
        for (long id : take(ids, random)) {
          assertTrue(id > above, () -> id + " (expected: above " + above + ")");
          assertTrue(count == 0 || id > taken[count - 1], () -> id + " after a higher one");
          taken[count] = id;
          count++;
        }
        last = taken[count - 1];
      }
      return Arrays.copyOf(taken, count);
    };
  }

  private static long[] take(ThreadBlocks ids, SplittableRandom random) {
    return switch (random.nextInt(10)) {
      case 0 -> ids.next(1 + random.nextInt(99));
      case 1 -> ids.nextBatch(1 + random.nextInt(99)).toArray();
      default -> new long[] {ids.next()};
    };
  }

  private Callable<Boolean> raiser(ThreadBlocks ids, SplittableRandom random) {
    return () -> {
      for (int i = 0; i < RAISES; i++) {
        ids.next(random.nextInt(5_000)); // time for the others
        long next = Math.max(floor, ids.next()) + random.nextInt(300);
        store.raise(TERMS, next).toCompletableFuture().get(10, TimeUnit.SECONDS);
        ids.raiseTo(next);
        floor = next;
      }
      return false;
    };
  }

  private void assertDifferent(List<long[]> all) {
    long[] sorted = all.stream().flatMapToLong(Arrays::stream).sorted().toArray();
    assertEquals(sorted.length, Arrays.stream(sorted).distinct().count());
  }
}
