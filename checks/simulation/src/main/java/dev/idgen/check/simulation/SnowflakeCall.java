package dev.idgen.check.simulation;

/** One call to the engine of a node: for one id or many, patient or not. */
final class SnowflakeCall implements Runnable {
  private final World world;
  private final Plan plan;
  private final Node node;

  SnowflakeCall(World world, Plan plan, Node node) {
    this.world = world;
    this.plan = plan;
    this.node = node;
  }

  @Override
  public void run() {
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
