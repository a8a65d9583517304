package dev.idgen.segment;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.IdBatch;
import dev.idgen.IdException;
import dev.idgen.store.SegmentTerms;
import dev.idgen.store.SlowSegmentStore;
import dev.idgen.store.StoreBreaker;
import dev.idgen.time.Scheduler;
import dev.idgen.time.TimeSource;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

/**
 * C61: what waiting for a store that stalls costs the processor, on threads that really wait. Only
 * what they used is judged, against the time that it took, so a busy machine makes no difference.
 */
class WaitCostTest {
  private static final long WAIT_MS = 1_500;
  private static final int WAITERS = 4;
  private static final int ASYNC = 200;
  private static final double MOST_OF_A_CORE = 0.05;
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private static SegmentEngine engine(SlowSegmentStore store, Scheduler timers, long waitMs) {
    return new SegmentEngine(
        SegmentTerms.of("default", "order", 0),
        SegmentOptions.defaults().withLimits(100, waitMs, 200),
        store,
        new StoreBreaker(),
        TimeSource.system(),
        timers,
        SegmentEvents.NONE);
  }

  @Test
  void next_storeStalls_costsNextToNothing() throws Exception {
    try (Scheduler timers = Scheduler.daemon("wait-cost-timers")) {
      FutureTask<Long> found = new FutureTask<>(() -> Thread.currentThread().getId());
      timers.schedule(0, found);
      long timerThread = found.get();
      cost(engine(new SlowSegmentStore().slow(), timers, 20), 20, timerThread); // loads classes
      SegmentEngine ids = engine(new SlowSegmentStore().slow(), timers, WAIT_MS);
      double cost = cost(ids, WAIT_MS, timerThread);
      assertTrue(cost < MOST_OF_A_CORE, () -> "of a core, for all that wait: " + cost);
    }
  }

  /** Of a core, for all that wait, until each was refused. */
  private static double cost(SegmentEngine ids, long waitMs, long timerThread) throws Exception {
    long timerBefore = THREADS.getThreadCpuTime(timerThread);
    long begun = System.nanoTime();
    List<FutureTask<Long>> costs = new ArrayList<>();
    for (int i = 0; i < WAITERS; i++) {
      FutureTask<Long> task = new FutureTask<>(() -> costOfRefusal(ids));
      Thread thread = new Thread(task, "wait-cost");
      thread.setDaemon(true);
      costs.add(task);
      thread.start();
    }
    List<CompletableFuture<IdBatch>> later = new ArrayList<>();
    for (int i = 0; i < ASYNC; i++) {
      later.add(ids.nextAsync(1, waitMs * 1_000_000).toCompletableFuture());
    }
    long used = 0;
    for (FutureTask<Long> task : costs) {
      used += task.get();
    }
    later.forEach(stage -> assertThrows(CompletionException.class, stage::join));
    used += THREADS.getThreadCpuTime(timerThread) - timerBefore;
    return (double) used / (System.nanoTime() - begun);
  }

  private static long costOfRefusal(SegmentEngine ids) {
    long before = THREADS.getCurrentThreadCpuTime();
    assertThrows(IdException.class, ids::next);
    return THREADS.getCurrentThreadCpuTime() - before;
  }
}
