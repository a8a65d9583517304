package dev.idgen.server.engine;

import dev.idgen.time.Scheduler;
import dev.idgen.time.TimeSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Time that moves when a test says so, and runs timers on its way. For one thread. */
public final class StillTime implements TimeSource {
  private static final long NANOS = 1_000_000;

  private final List<Task> tasks = new ArrayList<>();
  private long wallMillis;
  private long nanos;
  private long order;

  private record Task(long atNanos, long number, Runnable work) {}

  /** Stands at a wall time. */
  public StillTime(long wallMillis) {
    this.wallMillis = wallMillis;
  }

  /** Lets time pass. */
  public void advance(long millis) {
    long end = nanos + millis * NANOS;
    for (Task next = due(end); next != null; next = due(end)) {
      moveTo(Math.max(nanos, next.atNanos));
      next.work.run();
    }
    moveTo(end);
  }

  private @Nullable Task due(long end) {
    Task first =
        tasks.stream()
            .min(Comparator.comparingLong(Task::atNanos).thenComparingLong(Task::number))
            .orElse(null);
    if (first == null || first.atNanos > end) {
      return null;
    }
    tasks.remove(first);
    return first;
  }

  private void moveTo(long at) {
    wallMillis += (at - nanos) / NANOS;
    nanos = at;
  }

  /** Timers of this time. */
  public Scheduler scheduler() {
    return new Scheduler() {
      @Override
      public Timer schedule(long delayNanos, Runnable work) {
        Task task = new Task(nanos + Math.max(0, delayNanos), order++, work);
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
    advance(forNanos / NANOS);
  }
}
