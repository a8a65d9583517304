package dev.idgen.check.simulation;

/** Callers of one node, who come alone, in bursts, and in heaps. */
final class Load {
  private final World world;
  private final double meanNanos;
  private final Runnable call;
  private boolean on = true;

  /**
   * Begins.
   *
   * @param meanNanos from one burst to the next
   * @param call makes one call
   */
  Load(World world, double meanNanos, Runnable call) {
    this.world = world;
    this.meanNanos = meanNanos;
    this.call = call;
    next();
  }

  void end() {
    on = false;
  }

  /** Callers come just now, while something is wrong. */
  void soon() {
    if (on) {
      world.in(world.scaled(1, 20 * World.MILLI), this::burst);
    }
  }

  private void next() {
    long gap = Math.round(-Math.log(1 - world.random().nextDouble()) * meanNanos);
    world.in(
        gap,
        () -> {
          if (on) {
            burst();
            next();
          }
        });
  }

  private void burst() {
    int kind = world.random().nextInt(100);
    if (kind < 3) {
      rush(12);
    } else {
      int calls = kind < 80 ? 1 + world.random().nextInt(4) : 1 + world.random().nextInt(20);
      for (int i = 0; i < calls; i++) {
        call.run();
      }
    }
  }

  /** Calls for a few milliseconds without a rest. */
  private void rush(int left) {
    for (int i = 0; i < 5; i++) {
      call.run();
    }
    if (left > 0 && on) {
      world.in(world.random().nextLong(1, World.MILLI), () -> rush(left - 1));
    }
  }
}
