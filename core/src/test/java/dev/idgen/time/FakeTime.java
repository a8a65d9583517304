package dev.idgen.time;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Time that moves only when a test says so, or when somebody rests: a pause moves it on by just its
 * length. Runs timers as it passes them. For one thread.
 */
public final class FakeTime implements TimeSource {
  private static final long NANOS = 1_000_000;

  private final FakeScheduler scheduler = new FakeScheduler();
  private long nanos;
  private long wallOffsetNanos; // wall minus monotonic
  private boolean frozen;
  private long frozenWallMillis;
  private int pauses;

  /** Starts at a wall time. */
  public FakeTime(long wallMillis) {
    nanos = 5_000_000_000L;
    setWall(wallMillis);
  }

  @Override
  public long wallMillis() {
    return frozen ? frozenWallMillis : Math.floorDiv(nanos + wallOffsetNanos, NANOS);
  }

  @Override
  public long monotonicNanos() {
    return nanos;
  }

  @Override
  public void pause(long forNanos) {
    pauses++;
    advanceNanos(Math.max(0, forNanos));
  }

  /** How often somebody rested. */
  public int pauses() {
    return pauses;
  }

  /** Steps the wall clock; monotonic time goes on. */
  public void setWall(long millis) {
    wallOffsetNanos = millis * NANOS - nanos;
    frozenWallMillis = millis;
  }

  /** Steps the wall clock by a difference. */
  public void stepWall(long millis) {
    setWall(wallMillis() + millis);
  }

  /** Stops the wall clock, or lets it go on from where it stands; monotonic time goes on. */
  public void freezeWall(boolean stop) {
    long now = wallMillis();
    frozen = stop;
    setWall(now);
  }

  /** Lets time pass, running the timers on the way. */
  public void advanceMillis(long millis) {
    advanceNanos(millis * NANOS);
  }

  private void advanceNanos(long by) {
    long end = nanos + by;
    while (!scheduler.running && scheduler.firstAt() <= end) {
      FakeScheduler.Task task = scheduler.takeFirst();
      nanos = Math.max(nanos, task.atNanos);
      scheduler.run(task);
    }
    nanos = Math.max(nanos, end);
  }

  /** Runs what is due without letting time pass. */
  public void runDue() {
    advanceNanos(0);
  }

  /** Timers of this time. */
  public Scheduler scheduler() {
    return scheduler;
  }

  private final class FakeScheduler implements Scheduler {
    private final List<Task> tasks = new ArrayList<>();
    private long order;
    private boolean running;

    private final class Task {
      final long atNanos;
      final long number;
      final Runnable work;

      Task(long atNanos, Runnable work) {
        this.atNanos = atNanos;
        this.number = order++;
        this.work = work;
      }
    }

    @Override
    public Timer schedule(long delayNanos, Runnable work) {
      Task task = new Task(nanos + Math.max(0, delayNanos), work);
      tasks.add(task);
      tasks.sort(Comparator.<Task>comparingLong(t -> t.atNanos).thenComparingLong(t -> t.number));
      return () -> tasks.remove(task);
    }

    private long firstAt() {
      return tasks.isEmpty() ? Long.MAX_VALUE : tasks.get(0).atNanos;
    }

    private Task takeFirst() {
      return tasks.remove(0);
    }

    private void run(Task task) {
      running = true;
      try {
        task.work.run();
      } finally {
        running = false;
      }
    }

    @Override
    public void close() {
      tasks.clear();
    }
  }
}
