package dev.idgen.time;

/**
 * Runs tasks later, one at a time and in order of their times. A simulation runs them in simulated
 * time.
 */
public interface Scheduler extends AutoCloseable {

  /**
   * Runs a task once.
   *
   * @param delayNanos monotonic nanoseconds from now; 0 or less: as soon as may be
   * @param task must not block for long, since other tasks wait for it
   * @return a handle that takes the task back
   */
  Timer schedule(long delayNanos, Runnable task);

  /** Ends the scheduler. Tasks that have not begun are dropped. Closing twice does nothing. */
  @Override
  void close();

  /** A task that may still be taken back. */
  @FunctionalInterface
  interface Timer {
    /** Takes the task back if it has not begun. Calling it twice does nothing. */
    void cancel();
  }

  /**
   * A scheduler with a daemon thread of its own.
   *
   * @param threadName name of the thread
   */
  static Scheduler daemon(String threadName) {
    return new DaemonScheduler(threadName);
  }
}
