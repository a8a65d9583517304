package dev.idgen.check.simulation;

import dev.idgen.segment.SegmentOptions;
import java.util.List;

/** One call to an engine of a node: for one id or many, patient or not. */
final class SegmentCall implements Runnable {
  private final World world;
  private final SegmentNode node;

  SegmentCall(World world, SegmentNode node) {
    this.world = world;
    this.node = node;
  }

  @Override
  public void run() {
    SegmentProcess process = node.process();
    if (process == null) {
      return;
    }
    List<TagEngine> engines = process.engines();
    TagEngine engine = engines.get(world.random().nextInt(engines.size()));
    if (engine.tag().beginMs() * World.MILLI > world.nowNanos()) {
      return;
    }
    SegmentOptions options = engine.tag().options();
    int kind = world.random().nextInt(100);
    if (kind < 50) {
      engine.tryTake();
    } else if (kind < 80) {
      engine.take(1, waitNanos(options.callMs()));
    } else {
      int most = (int) Math.min(200, 2 * options.stepMax() + 1);
      engine.take(1 + world.random().nextInt(most), waitNanos(options.callMs()));
    }
  }

  private long waitNanos(long callMs) {
    int kind = world.random().nextInt(100);
    long millis =
        kind < 15
            ? 0
            : kind < 60 ? world.random().nextLong(callMs) : world.random().nextLong(4 * callMs);
    return millis * World.MILLI;
  }
}
