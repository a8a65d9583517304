package dev.idgen.check.simulation;

/** Callers of one node: alone, in bursts, and in heaps; patient and not. */
final class Load {
  private final World world;
  private final Plan plan;
  private final Node node;
  private boolean on = true;

  Load(World world, Plan plan, Node node) {
    this.world = world;
    this.plan = plan;
    this.node = node;
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
    double mean = (double) (plan.terms.windowMs() * World.MILLI) / plan.burstsPerWindow;
    long gap = Math.round(-Math.log(1 - world.random().nextDouble()) * mean);
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
        call();
      }
    }
  }

  /** Calls for a few ticks without a rest. */
  private void rush(int left) {
    for (int i = 0; i < 5; i++) {
      call();
    }
    if (left > 0 && on) {
      world.in(world.random().nextLong(1, World.MILLI), () -> rush(left - 1));
    }
  }

  private void call() {
    SimProcess process = node.process();
    if (process == null) {
      return;
    }
    int kind = world.random().nextInt(100);
    if (kind < 60) {
      process.tryTake();
    } else if (kind < 92) {
      process.take(1, waitNanos());
    } else {
      long tick = plan.layout.maxSequence() + 1;
      int most = (int) Math.min(60, 4 * tick * plan.workers + 1);
      process.take(1 + world.random().nextInt(most), waitNanos());
    }
  }

  private long waitNanos() {
    int kind = world.random().nextInt(100);
    long tick = plan.layout.tickMillis();
    long millis =
        kind < 20 ? 0 : kind < 60 ? world.random().nextLong(5 * tick) : kind < 98 ? 20 : 2_000;
    return millis * World.MILLI;
  }
}
