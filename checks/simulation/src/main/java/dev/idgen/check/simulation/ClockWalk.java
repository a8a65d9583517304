package dev.idgen.check.simulation;

import dev.idgen.IdException;
import dev.idgen.layout.Layout;
import dev.idgen.snowflake.ClockMode;
import dev.idgen.snowflake.EngineEvents;
import dev.idgen.snowflake.EngineOptions;
import dev.idgen.snowflake.LeaseHand;
import dev.idgen.snowflake.RollbackPolicy;
import dev.idgen.snowflake.SequenceStart;
import dev.idgen.snowflake.SnowflakeEngine;
import dev.idgen.time.Scheduler;
import dev.idgen.time.TimeSource;

/**
 * One engine and a clock that goes forward, back, nowhere and wild, at random: ids of every form
 * must differ and rise, over every change of lease, and every call must end in time.
 */
public final class ClockWalk {
  private static final int STEPS = 400;
  private static final long SLACK_NANOS = World.MILLI;
  private static final int REFUSALS_MAX = 3;
  private static final String[] LAYOUTS = {"41/10/12", "52/9/2", "52/11/0", "52/8/3", "51/7/5"};

  private final World world;
  private final SimClock clock;
  private final Layout layout;
  private final EngineOptions options;
  private final SnowflakeEngine engine;
  private final LeaseHand lease;
  private final Ledger ledger;
  private final int process;
  private long last = -1;
  private long above = -1;
  private long horizonMillis;
  private int firstWorker;
  private int workers;
  private int issued;

  private ClockWalk(long seed) {
    world = new World(seed);
    clock = new SimClock(world, 0);
    layout =
        Layout.builder()
            .fields(LAYOUTS[world.random().nextInt(LAYOUTS.length)])
            .tickMillis(new long[] {1, 1, 1, 10, 1000}[world.random().nextInt(5)])
            .build();
    RollbackPolicy[] policies = RollbackPolicy.values();
    options =
        EngineOptions.defaults()
            .withLayout(layout)
            .withRollback(
                policies[world.random().nextInt(policies.length)], world.random().nextInt(20))
            .withMaxSkewMs(1 + world.random().nextInt(1_000))
            .withClock(world.random().nextBoolean() ? ClockMode.PRECISE : ClockMode.CACHED)
            .withSequenceStart(
                world.random().nextBoolean() ? SequenceStart.ZERO : SequenceStart.SPREAD)
            .withWaitMs(world.random().nextInt(50));
    ledger = new Ledger(world, layout);
    process = ledger.enter("walker");
    WalkTime time = new WalkTime();
    engine =
        new SnowflakeEngine(
            options, time, new WalkScheduler(), EngineEvents.NONE, world.random().nextBoolean());
    lease = new LeaseHand(engine);
  }

  /**
   * Walks once.
   *
   * @return how many ids were issued
   * @throws Violation with what it takes to see it again
   */
  public static int run(long seed) {
    ClockWalk walk = new ClockWalk(seed);
    try {
      walk.walk();
    } catch (RuntimeException | AssertionError e) {
      throw new Violation(
          e.getMessage()
              + String.format("%nwalk of seed %d: %s%nlast events:", seed, walk.options)
              + walk.world.trace().last()
              + String.format("%nreplay: -Didgen.seed=%d", seed),
          e);
    }
    return walk.issued;
  }

  private void walk() {
    give();
    for (int i = 0; i < STEPS; i++) {
      int kind = world.random().nextInt(100);
      if (kind < 55) {
        take();
      } else if (kind < 75) {
        world.runNanos(world.scaled(1, 30 * World.MILLI));
      } else if (kind < 92) {
        disturbClock();
      } else {
        disturbLease();
      }
      world.requireSound();
    }
    world.run(100);
    world.requireSound();
  }

  // ---- takes

  private void take() {
    int kind = world.random().nextInt(6);
    int count = 1 + world.random().nextInt(1 + (int) Math.min(300, 3 * layout.maxSequence() + 3));
    int calls = kind == 1 ? count : 1; // in a row, so that they meet a tick that is open, then full
    for (int i = 0, refusals = 0; i < calls && refusals < REFUSALS_MAX; i++) {
      refusals += call(kind, count) ? 0 : 1;
    }
  }

  /** One call; says whether it was answered. */
  private boolean call(int kind, int count) {
    long begun = world.nowNanos();
    above = last; // what ids of earlier calls that end meanwhile may not be compared with
    boolean answered = true;
    try {
      switch (kind) {
        case 0, 1 -> got(engine.next());
        case 2 -> got(engine.tryNext());
        case 3 -> got(engine.next(count), count);
        case 4 -> got(engine.nextBatch(count).toArray(), count);
        default -> takeLater(count);
      }
    } catch (IdException e) {
      world.note(process, "refused: " + e.getMessage(), kind, count);
      answered = false;
    }
    long limit = kind == 2 || kind > 4 ? 0 : options.waitMs() * World.MILLI;
    if (world.nowNanos() - begun > limit + SLACK_NANOS) {
      throw world.fail(
          "call: took " + (world.nowNanos() - begun) + " ns (expected: at most " + limit + ")");
    }
    return answered;
  }

  private void takeLater(int count) {
    long before = last;
    var unused =
        engine
            .nextAsync(count, world.scaled(1, 50 * World.MILLI))
            .whenComplete(
                (batch, failure) -> {
                  if (failure == null) {
                    ledger.issued(process, batch, before);
                    long[] ids = batch.toArray();
                    last = Math.max(last, ids[ids.length - 1]);
                    issued += ids.length;
                    world.note(process, "later", ids[0], ids.length);
                  } else if (!(failure instanceof IdException)) {
                    throw world.fail("refusal: " + failure + " (expected: an IdException)");
                  }
                });
  }

  private void got(long[] ids, int count) {
    if (ids.length != count) {
      throw world.fail("ids: " + ids.length + " (expected: " + count + ")");
    }
    for (long id : ids) {
      got(id);
    }
  }

  private void got(long id) {
    if (id < 0) {
      return; // tryNext had none
    }
    issued++;
    world.note(process, "issued", id, above);
    above = ledger.issued(process, id, above);
    last = Math.max(last, id);
    long begins = layout.startMillis(layout.tickOf(id));
    if (begins >= horizonMillis) {
      throw world.fail(
          "id: " + id + " of " + begins + " (expected: < " + horizonMillis + ", the horizon)");
    }
    int worker = layout.workerOf(id);
    if (worker < firstWorker || worker >= firstWorker + workers) {
      throw world.fail("id: " + id + " of worker id " + worker + " (expected: one of the lease's)");
    }
    boolean strict =
        options.rollbackPolicy() == RollbackPolicy.REFUSE && options.clock() == ClockMode.PRECISE;
    if (strict && begins > clock.sane()) {
      throw world.fail("id: " + id + " of " + begins + " (expected: <= " + clock.sane() + ")");
    }
  }

  // ---- what goes wrong

  private void disturbClock() {
    int kind = world.random().nextInt(8);
    long by = world.scaled(1, 100_000);
    world.note(process, "clock", kind, by);
    switch (kind) {
      case 0 -> clock.step(-world.scaled(1, 20));
      case 1 -> clock.step(world.scaled(1, 20));
      case 2 -> clock.step(-by);
      case 3 -> clock.step(by);
      case 4 -> clock.freeze();
      case 5 -> clock.thaw();
      case 6 -> clock.wild(1, world.random().nextBoolean() ? clock.sane() + 300_000_000_000L : by);
      default -> lease.confirm(clock.sane());
    }
  }

  private void disturbLease() {
    int kind = world.random().nextInt(4);
    long horizon = Math.max(horizonMillis, clock.sane()) + world.scaled(1, 60_000);
    world.note(process, "lease", kind, horizon);
    switch (kind) {
      case 0 -> lease.end();
      case 1 -> give();
      default -> {
        horizonMillis = horizon;
        lease.raise(horizon);
      }
    }
  }

  /** Worker ids of a lease are always others: what the same ones may do is the store's affair. */
  private void give() {
    int count = 1 + world.random().nextInt(3);
    int[] ids = new int[count];
    int first = world.random().nextInt(layout.maxWorker() - count + 1);
    for (int i = 0; i < count; i++) {
      ids[i] = first + i;
    }
    horizonMillis = clock.sane() + world.scaled(1, 60_000);
    firstWorker = first;
    workers = count;
    world.note(process, "give", first, horizonMillis);
    lease.give(ids, clock.sane() - 1_000, horizonMillis);
  }

  /** Time that passes when somebody rests. */
  private final class WalkTime implements TimeSource {
    @Override
    public long wallMillis() {
      return clock.millis();
    }

    @Override
    public long monotonicNanos() {
      return world.nowNanos() - (1L << 61);
    }

    @Override
    public void pause(long nanos) {
      world.runNanos(Math.max(0, nanos));
    }

    @Override
    public long nanosUntil(long wallMillis) {
      return wallMillis * World.MILLI - clock.nanos();
    }
  }

  private final class WalkScheduler implements Scheduler {
    @Override
    public Timer schedule(long delayNanos, Runnable task) {
      boolean[] cancelled = {false};
      world.in(
          delayNanos,
          () -> {
            if (!cancelled[0]) {
              task.run();
            }
          });
      return () -> cancelled[0] = true;
    }

    @Override
    public void close() {}
  }
}
