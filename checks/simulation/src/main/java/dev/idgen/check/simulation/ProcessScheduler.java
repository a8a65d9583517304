package dev.idgen.check.simulation;

import dev.idgen.time.Scheduler;

/**
 * The timers of one process, in simulated time. They wait while the process or its timer thread
 * gets no time.
 */
final class ProcessScheduler implements Scheduler {
  private final World world;
  private final AbstractProcess process;

  ProcessScheduler(World world, AbstractProcess process) {
    this.world = world;
    this.process = process;
  }

  @Override
  public Timer schedule(long delayNanos, Runnable task) {
    Task waiting = new Task(task);
    world.in(delayNanos, () -> process.enterTimer(waiting));
    return () -> waiting.cancelled = true;
  }

  @Override
  public void close() {}

  private static final class Task implements Runnable {
    private final Runnable task;
    private boolean cancelled;

    Task(Runnable task) {
      this.task = task;
    }

    @Override
    public void run() {
      if (!cancelled) {
        task.run();
      }
    }
  }
}
