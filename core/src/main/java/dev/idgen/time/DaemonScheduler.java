package dev.idgen.time;

import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** One daemon thread that runs timers. */
final class DaemonScheduler implements Scheduler {
  private final ScheduledThreadPoolExecutor executor;

  DaemonScheduler(String threadName) {
    executor =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread thread = new Thread(task, threadName);
              thread.setDaemon(true);
              return thread;
            },
            new ThreadPoolExecutor.DiscardPolicy());
    executor.setRemoveOnCancelPolicy(true);
    executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  @Override
  public Timer schedule(long delayNanos, Runnable task) {
    var future =
        executor.schedule(() -> runLoudly(task), Math.max(0, delayNanos), TimeUnit.NANOSECONDS);
    return () -> future.cancel(false);
  }

  /** A task that throws has a fault: the executor would keep it to itself. */
  private static void runLoudly(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | Error e) {
      Thread thread = Thread.currentThread();
      thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
      throw e;
    }
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }
}
