package dev.idgen.snowflake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.DeadlineException;
import dev.idgen.IdBatch;
import dev.idgen.IdException;
import dev.idgen.layout.Layout;
import dev.idgen.time.Scheduler;
import dev.idgen.time.TimeSource;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * C11: what waiting costs the processor, on threads that really wait. Only what they used is
 * judged, against the time that it took, so a busy machine makes no difference.
 */
class WaitCostTest {
  private static final long START = 1_790_000_000_000L;
  private static final long WAIT_MS = 2_000;
  private static final long NANOS = 1_000_000;
  private static final int WAITERS = 4;
  private static final double MOST_OF_A_CORE = 0.05;
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final StoppedWall time = new StoppedWall();
  private final Scheduler timers = Scheduler.daemon("wait-cost-timers");
  private long timerThread;

  /** Its wall clock stands where a test puts it; all else is real. */
  private static final class StoppedWall implements TimeSource {
    private volatile long wall = START;

    @Override
    public long wallMillis() {
      return wall;
    }

    @Override
    public long monotonicNanos() {
      return TimeSource.system().monotonicNanos();
    }

    @Override
    public void pause(long nanos) {
      TimeSource.system().pause(nanos);
    }
  }

  @BeforeEach
  void findTimerThread() throws Exception {
    FutureTask<Long> id = new FutureTask<>(() -> Thread.currentThread().getId());
    timers.schedule(0, id);
    timerThread = id.get();
  }

  @AfterEach
  void stop() {
    timers.close();
  }

  private SnowflakeEngine engine(long waitMs) {
    EngineOptions options =
        EngineOptions.defaults()
            .withLayout(Layout.builder().time(49).worker(10).sequence(4).build())
            .withWaitMs(waitMs);
    SnowflakeEngine engine = new SnowflakeEngine(options, time, timers, EngineEvents.NONE, false);
    engine.switchTo(new int[] {7}, 0, Long.MAX_VALUE);
    return engine;
  }

  /**
   * The tick is used up, everybody waits for the next one, and the clock falls as far back as is
   * waited out, and stays there: whoever waits looks at it once in that distance until the wait is
   * over, and is refused.
   */
  @Test
  void next_rollbackWhileWaitingForATick_costsNextToNothing() throws Exception {
    rehearse();
    SnowflakeEngine engine = engine(WAIT_MS);
    usedUp(engine);
    long timerBefore = THREADS.getThreadCpuTime(timerThread);
    long begun = System.nanoTime();
    List<FutureTask<Long>> costs = new ArrayList<>();
    for (int i = 0; i < WAITERS; i++) {
      costs.add(started(() -> costOfRefusal(engine)));
    }
    CompletionStage<IdBatch> later = engine.nextAsync(1, WAIT_MS * NANOS);
    time.wall = START - engine.options().rollbackWaitMs();
    long used = 0;
    for (FutureTask<Long> cost : costs) {
      used += cost.get();
    }
    refused(later);
    used += THREADS.getThreadCpuTime(timerThread) - timerBefore;
    double cost = (double) used / (WAITERS + 1) / (System.nanoTime() - begun);
    assertTrue(cost < MOST_OF_A_CORE, () -> "of a core, for each that waits: " + cost);
  }

  /** Classes are loaded once. */
  private void rehearse() {
    SnowflakeEngine engine = engine(20);
    usedUp(engine);
    assertThrows(DeadlineException.class, engine::next);
    time.wall = START - 1;
    assertThrows(DeadlineException.class, engine::next);
    refused(engine.nextAsync(1, 20 * NANOS));
    time.wall = START;
  }

  private static FutureTask<Long> started(Callable<Long> body) {
    FutureTask<Long> task = new FutureTask<>(body);
    Thread thread = new Thread(task, "wait-cost");
    thread.setDaemon(true);
    thread.start();
    return task;
  }

  private static long costOfRefusal(SnowflakeEngine engine) {
    long before = THREADS.getCurrentThreadCpuTime();
    assertThrows(DeadlineException.class, engine::next);
    return THREADS.getCurrentThreadCpuTime() - before;
  }

  private static void usedUp(SnowflakeEngine engine) {
    long[] tick = new long[Math.toIntExact(engine.current().places())];
    engine.fill(tick);
    assertEquals(START, engine.layout().timeOf(tick[0]).toEpochMilli());
  }

  private static void refused(CompletionStage<IdBatch> stage) {
    var e = assertThrows(CompletionException.class, () -> stage.toCompletableFuture().join());
    assertInstanceOf(IdException.class, e.getCause());
  }
}
