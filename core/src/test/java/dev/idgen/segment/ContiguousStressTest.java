package dev.idgen.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.IdBatch;
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
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * Threads take single ids, batches, and ids that follow one another, at the same time: no id twice,
 * and whoever asks after another one was answered gets higher ones. What each of them does comes
 * from a seed; how they meet does not.
 */
class ContiguousStressTest {
  private static final SegmentTerms TERMS = SegmentTerms.of("default", "order", 1_000);
  private static final int THREADS = 8;
  private static final int TAKES = 20_000;
  private static final int MOST = 60;
  private static final long WAIT_NANOS = 30_000_000_000L;

  private final MemorySegmentStore store = new MemorySegmentStore("s");
  private final AtomicLong highest = new AtomicLong(-1); // of all that were answered

  @Test
  void takes_ofAllKindsAtOnce_areDifferentAndInOrder() throws Exception {
    SplittableRandom random = new SplittableRandom(Seed.random("takes").nextLong());
    AtomicLong passedOver = new AtomicLong();
    try (Scheduler scheduler = Scheduler.daemon("test");
        SegmentEngine ids = engine(scheduler, passedOver)) {
      List<FutureTask<long[]>> takers = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        FutureTask<long[]> taker = new FutureTask<>(taker(ids, random.split()));
        takers.add(taker);
        new Thread(taker).start();
      }
      List<long[]> all = new ArrayList<>();
      for (FutureTask<long[]> taker : takers) {
        all.add(taker.get(120, TimeUnit.SECONDS));
      }
      long[] sorted = all.stream().flatMapToLong(Arrays::stream).sorted().toArray();
      for (int i = 1; i < sorted.length; i++) {
        assertTrue(sorted[i] > sorted[i - 1], sorted[i] + " twice");
      }
      long gaps = sorted[sorted.length - 1] - sorted.length; // from 1 on
      awaitTold(passedOver, gaps);
      assertTrue(gaps > 0, "nothing was ever passed over: the test is too tame");
    }
  }

  /** Callers are answered first, and listeners told then. */
  private static void awaitTold(AtomicLong told, long expected) {
    long end = System.nanoTime() + WAIT_NANOS;
    while (told.get() != expected && System.nanoTime() < end) {
      Thread.onSpinWait();
    }
    assertEquals(expected, told.get());
  }

  private SegmentEngine engine(Scheduler scheduler, AtomicLong passedOver) {
    return new SegmentEngine(
        TERMS,
        SegmentOptions.defaults().withSteps(50, 50, 200).withLimits(3, 30_000, 30_000),
        store,
        new StoreBreaker(),
        TimeSource.system(),
        scheduler,
        new SegmentEvents() {
          @Override
          public void passedOver(long ids) {
            passedOver.addAndGet(ids);
          }
        });
  }

  private Callable<long[]> taker(SegmentEngine ids, SplittableRandom random) {
    return () -> {
      long[] taken = new long[TAKES * MOST];
      int count = 0;
      for (int i = 0; i < TAKES; i++) {
        long above = highest.get();
        long[] some = take(ids, random);
        assertTrue(some[0] > above, some[0] + " after " + above);
        long last = some[some.length - 1];
        highest.accumulateAndGet(last, Math::max);
        System.arraycopy(some, 0, taken, count, some.length);
        count += some.length;
      }
      return Arrays.copyOf(taken, count);
    };
  }

  private static long[] take(SegmentEngine ids, SplittableRandom random) {
    int many = 1 + random.nextInt(MOST);
    return switch (random.nextInt(4)) {
      case 0 -> ids.next(many);
      case 1 -> whole(ids, many);
      default -> new long[] {ids.next()};
    };
  }

  private static long[] whole(SegmentEngine ids, int many) {
    IdBatch batch = ids.nextContiguous(many, WAIT_NANOS).toCompletableFuture().join();
    assertEquals(1, batch.runs().size());
    assertEquals(1, batch.runs().get(0).stride());
    return batch.toArray();
  }
}
