package dev.idgen.layout;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/** Layouts that hold, of any order, widths, tick, epoch and size. */
final class RandomLayouts {
  private static final int[] SIZES = {53, 63, 64};
  private static final long[] TICKS = {1, 10, 1000};
  private static final int[] MIN_TIME_BITS = {35, 32, 25};

  private RandomLayouts() {}

  /** The seed of this run: given, or new and printed so that the run can be replayed. */
  static long seed() {
    long seed = Long.getLong("idgen.seed", new Random().nextLong());
    System.out.println("-Didgen.seed=" + seed);
    return seed;
  }

  static Layout next(Random random) {
    int size = SIZES[random.nextInt(3)];
    int tick = random.nextInt(3);
    int version = random.nextInt(3) == 0 ? 1 + random.nextInt(3) : 0;
    int left = size - version;
    int leastTime = Math.max(MIN_TIME_BITS[tick], left - 62);
    int time = leastTime + random.nextInt(Math.min(52, left) - leastTime + 1);
    left -= time;
    int worker =
        Math.max(0, left - 31) + random.nextInt(Math.min(31, left) - Math.max(0, left - 31) + 1);
    int sequence = left - worker;
    int region = worker == 0 ? 0 : random.nextInt(worker + 1);

    List<Consumer<Layout.Builder>> fields = new ArrayList<>();
    fields.add(builder -> builder.time(time));
    fields.add(builder -> builder.worker(region, worker - region));
    fields.add(builder -> builder.sequence(sequence));
    Collections.shuffle(fields, random);
    Layout.Builder builder = Layout.builder();
    if (version > 0) {
      builder.version(version, random.nextInt(1 << version));
    }
    fields.forEach(field -> field.accept(builder));
    builder.tickMillis(TICKS[tick]).epochMillis(random.nextLong(4_000_000_000_000L));
    if (size == 53) {
      builder.javascriptSafe();
    } else if (size == 64) {
      builder.unsigned();
    }
    return builder.build();
  }
}
