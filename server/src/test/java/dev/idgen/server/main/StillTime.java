package dev.idgen.server.main;

import dev.idgen.time.Scheduler;
import dev.idgen.time.TimeSource;
import java.util.ArrayList;
import java.util.List;

/** Time that moves when a test says so. For one thread. */
final class StillTime implements TimeSource {
  private static final long NANOS = 1_000_000;

  private final List<Runnable> tasks = new ArrayList<>();
  private long wallMillis;
  private long nanos;

  StillTime(long wallMillis) {
    this.wallMillis = wallMillis;
  }

  void advance(long millis) {
    wallMillis += millis;
    nanos += millis * NANOS;
  }

  /** Runs the tasks that were scheduled until now. */
  void runScheduled() {
    List<Runnable> due = List.copyOf(tasks);
    tasks.clear();
    due.forEach(Runnable::run);
  }

  Scheduler scheduler() {
    return new Scheduler() {
      @Override
      public Timer schedule(long delayNanos, Runnable task) {
        tasks.add(task);
        return () -> tasks.remove(task);
      }

      @Override
      public void close() {
        tasks.clear();
      }
    };
  }

  @Override
  public long wallMillis() {
    return wallMillis;
  }

  @Override
  public long monotonicNanos() {
    return nanos;
  }

  @Override
  public void pause(long forNanos) {
    nanos += forNanos;
    wallMillis += forNanos / NANOS;
  }
}
