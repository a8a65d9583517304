package dev.idgen.check.simulation;

import java.util.ArrayDeque;
import java.util.Queue;

/** Where work waits while a process, or one thread of it, gets no time. Order is kept. */
final class Gate {
  private final World world;
  private final Queue<Runnable> waiting = new ArrayDeque<>();
  private int shut;

  Gate(World world) {
    this.world = world;
  }

  void pass(Runnable work) {
    if (shut > 0) {
      waiting.add(work);
    } else {
      work.run();
    }
  }

  void shut() {
    shut++;
  }

  void open() {
    shut--;
    int due = waiting.size();
    for (int i = 0; i < due; i++) {
      Runnable work = waiting.remove();
      world.in(0, () -> pass(work));
    }
  }
}
