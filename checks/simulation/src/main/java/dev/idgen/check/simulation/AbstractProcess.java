package dev.idgen.check.simulation;

import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** One process of a node: it gets time or gets none, and what is due in it waits meanwhile. */
abstract class AbstractProcess {
  private static final long SLACK_NANOS = 100_000;

  private final World world;
  private final int number;
  private final Gate callers; // and whatever brings answers from the network
  private final Gate timers;
  private boolean alive = true;
  private long shutSince = -1;
  private int shut;
  private long stalledNanos;

  AbstractProcess(World world, int number) {
    this.world = world;
    this.number = number;
    this.callers = new Gate(world);
    this.timers = new Gate(world);
  }

  /** Looks at the process after each piece of its work. */
  abstract void look();

  /** How messages call it. */
  abstract String name();

  int number() {
    return number;
  }

  boolean alive() {
    return alive;
  }

  /** Nothing of it runs any more. */
  void dead() {
    alive = false;
  }

  // ---- time that it gets

  /** As SIGSTOP: nothing runs until {@link #resume}. */
  void pause() {
    world.note(number, "pause", 0, 0);
    callers.shut();
    stall();
  }

  void resume() {
    world.note(number, "resume", 0, 0);
    if (world.random().nextBoolean()) { // who runs first is anybody's guess
      callers.open();
      unstall();
    } else {
      unstall();
      callers.open();
    }
  }

  /** The thread of the timers gets no time, while callers do. */
  void stall() {
    timers.shut();
    if (shut++ == 0) {
      shutSince = world.nowNanos();
    }
  }

  void unstall() {
    timers.open();
    if (--shut == 0) {
      stalledNanos += world.nowNanos() - shutSince;
    }
  }

  /** How long its timers have had no time. */
  long stalledNanos() {
    return shut > 0 ? stalledNanos + world.nowNanos() - shutSince : stalledNanos;
  }

  // ---- work

  /** Work of a caller or of the network. */
  void enter(Runnable work) {
    enter(callers, work);
  }

  /** Work of a timer. */
  void enterTimer(Runnable work) {
    enter(timers, work);
  }

  private void enter(Gate gate, Runnable work) {
    gate.pass(
        () -> {
          if (alive) {
            work.run();
            look();
          }
        });
  }

  /**
   * Callers wait no longer than they said.
   *
   * @param begunNanos when the caller came
   * @param stalled {@link #stalledNanos} at that time
   */
  void requireInTime(long begunNanos, long stalled, long waitNanos) {
    long took = world.nowNanos() - begunNanos - (stalledNanos() - stalled);
    if (took > waitNanos + SLACK_NANOS) {
      throw world.fail(
          "answer of process "
              + name()
              + " after "
              + took / 1e6
              + " ms (expected: within "
              + waitNanos / 1e6
              + ")");
    }
  }

  /** What a call of the engine ended with. */
  static @Nullable Throwable cause(@Nullable Throwable failure) {
    return failure instanceof CompletionException && failure.getCause() != null
        ? failure.getCause()
        : failure;
  }
}
