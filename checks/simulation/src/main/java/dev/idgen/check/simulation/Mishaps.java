package dev.idgen.check.simulation;

import java.util.ArrayList;
import java.util.List;

/** What goes wrong, one thing after another, until it is enough; and what repairs it. */
final class Mishaps {
  private final World world;
  private final long gapMs;
  private final long endMs;
  private final List<Runnable> kinds = new ArrayList<>();
  private final List<Runnable> repairs = new ArrayList<>();

  /**
   * None yet.
   *
   * @param gapMs half of the longest time between two
   * @param endMs none after this time
   */
  Mishaps(World world, long gapMs, long endMs) {
    this.world = world;
    this.gapMs = gapMs;
    this.endMs = endMs;
  }

  void add(boolean allowed, Runnable... some) {
    if (allowed) {
      kinds.addAll(List.of(some));
    }
  }

  /**
   * Lets the first one happen some time from now, and so on.
   *
   * @param after each of them
   */
  void begin(Runnable after) {
    if (kinds.isEmpty()) {
      return;
    }
    long gap = world.scaled(1, 2 * gapMs);
    if (world.nowNanos() / World.MILLI + gap < endMs) {
      world.inMillis(
          gap,
          () -> {
            kinds.get(world.random().nextInt(kinds.size())).run();
            after.run();
            begin(after);
          });
    }
  }

  /** Repairs some time from now, and at the latest in {@link #repair}. */
  void later(long millis, Runnable repair) {
    Runnable once =
        new Runnable() {
          private boolean done;

          @Override
          public void run() {
            if (!done) {
              done = true;
              repair.run();
            }
          }
        };
    repairs.add(once);
    world.inMillis(millis, once);
  }

  void pause(AbstractProcess process, long millis) {
    process.pause();
    later(millis, process::resume);
  }

  void stall(AbstractProcess process, long millis) {
    world.note(process.number(), "stall", 0, 0);
    process.stall();
    later(millis, process::unstall);
  }

  /** Repairs all that was to be repaired later. */
  void repair() {
    repairs.forEach(Runnable::run);
  }
}
