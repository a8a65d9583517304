package dev.idgen.check.simulation;

import dev.idgen.store.StoreException;

/** Breaks a cluster in the ways that its plan allows, until the plan says that it is enough. */
final class Faults {
  private static final long YEAR_MS = 31_557_600_000L;

  private final Cluster cluster;
  private final World world;
  private final Plan plan;
  private final Mishaps mishaps;

  Faults(Cluster cluster, Plan plan) {
    this.cluster = cluster;
    this.world = cluster.world();
    this.plan = plan;
    this.mishaps = new Mishaps(world, plan.faultGapMs, plan.faultsEndMs);
    Network network = cluster.network();
    network.silent = world.random().nextDouble();
    network.fastNanos = world.scaled(100_000, plan.callMs * World.MILLI / 4);
    network.slowNanos = plan.callMs * 2 * World.MILLI;
    network.lateNanos = plan.terms.windowMs() * 2 * World.MILLI;
    if (plan.networkFaults) {
      network.loseRequest = world.random().nextDouble() * 0.1;
      network.loseReply = world.random().nextDouble() * 0.2;
      network.repeat = world.random().nextDouble() * 0.3;
      network.slow = world.random().nextDouble() * 0.1;
    }
    enlist();
    mishaps.begin(() -> cluster.loads().forEach(Load::soon));
  }

  private void enlist() {
    mishaps.add(
        plan.clockFaults, this::stepClock, this::stepClock, this::freezeClock, this::driftClock);
    mishaps.add(plan.clockFaults, this::wildReading);
    mishaps.add(
        plan.storeClockFaults, this::stepStoreClock, this::stepEverything, this::freezeStoreClock);
    mishaps.add(plan.failovers, this::failOver, this::failOver, this::wipe, this::restore);
    mishaps.add(plan.networkFaults, this::cutOff, this::outage, this::storm);
    mishaps.add(plan.pauses, this::pause, this::pause, this::stall, this::stall);
    mishaps.add(plan.crashes, this::kill, this::restart, this::restart, this::killAll);
    mishaps.add(plan.admin, this::revoke, this::fence);
  }

  private Node anyNode() {
    return cluster.nodes().get(world.random().nextInt(cluster.nodes().size()));
  }

  private long someWindows() {
    return world.scaled(1, 6 * plan.terms.windowMs());
  }

  // ---- clocks

  private long someStep() {
    long by =
        world.scaled(
            1, world.chance(0.5) ? 2 * plan.terms.maxSkewMs() : 100 * plan.terms.windowMs());
    return world.random().nextBoolean() ? by : -by;
  }

  private void stepClock() {
    Node node = anyNode();
    long by = someStep();
    world.note(-1, "step clock of node", node.number(), by);
    node.clock().step(by);
  }

  private void freezeClock() {
    SimClock clock = anyNode().clock();
    world.note(-1, "freeze a clock", 0, 0);
    clock.freeze();
    mishaps.later(someWindows(), clock::thaw);
  }

  private void driftClock() {
    Node node = anyNode();
    long ppm = world.random().nextLong(-200_000, 200_000);
    world.note(-1, "drift of node", node.number(), ppm);
    node.clock().drift(ppm);
  }

  private void wildReading() {
    Node node = anyNode();
    long[] wild = {0, -1, Long.MAX_VALUE / 2_000_000, node.clock().sane() + 10 * YEAR_MS, 1};
    long millis = wild[world.random().nextInt(wild.length)];
    world.note(-1, "wild reading of node", node.number(), millis);
    node.clock().wild(1 + world.random().nextInt(2), millis);
  }

  private void stepStoreClock() {
    long by = someStep();
    world.note(-1, "step clock of store", by, 0);
    cluster.store().clock().step(by);
  }

  private void freezeStoreClock() {
    SimClock clock = cluster.store().clock();
    world.note(-1, "freeze clock of store", 0, 0);
    clock.freeze();
    mishaps.later(someWindows(), clock::thaw);
  }

  private void stepEverything() {
    long by = someStep();
    world.note(-1, "step all clocks", by, 0);
    cluster.store().clock().step(by);
    for (Node node : cluster.nodes()) {
      node.clock().step(by);
    }
  }

  // ---- the store

  private void failOver() {
    if (young()) {
      return;
    }
    cluster.store().replicate();
    world.inMillis(world.scaled(1, 3 * plan.terms.windowMs()), cluster.store()::failOver);
  }

  /** An operator who swears that a cluster is new must not lose its store just then. */
  private boolean young() {
    return world.nowNanos() / World.MILLI < 4 * plan.terms.windowMs();
  }

  private void wipe() {
    if (young()) {
      return;
    }
    cluster.store().wipe(world.random().nextBoolean());
  }

  private void restore() {
    if (young()) {
      return;
    }
    String identity = cluster.store().list(Plan.NAMESPACE).identity();
    cluster.store().replicate();
    world.inMillis(
        world.scaled(1, 3 * plan.terms.windowMs()),
        () -> cluster.store().restoreAndFence(plan.terms, identity));
  }

  private void outage() {
    cluster.store().down(true);
    mishaps.later(someWindows(), () -> cluster.store().down(false));
  }

  private void revoke() {
    int workerId = world.random().nextInt(plan.lastWorkerId + 1);
    world.note(-1, "revoke", workerId, 0);
    require(() -> cluster.store().apply(store -> store.revoke(plan.terms, workerId)));
  }

  private void fence() {
    world.note(-1, "fence", 0, 0);
    require(() -> cluster.store().apply(store -> store.fence(plan.terms, world.trueMillis())));
  }

  private static void require(Runnable operation) {
    try {
      operation.run();
    } catch (StoreException e) {
      throw new Violation("an administrator's request failed: " + e.getMessage(), e);
    }
  }

  // ---- the network

  private void cutOff() {
    SimProcess process = anyNode().process();
    if (process != null) {
      process.link().cut(true);
      mishaps.later(someWindows(), () -> process.link().cut(false));
    }
  }

  private void storm() {
    Network network = cluster.network();
    double before = network.loseReply;
    world.note(-1, "storm", 0, 0);
    network.loseReply = 0.7;
    network.repeat = 0.7;
    mishaps.later(someWindows(), () -> network.loseReply = before);
  }

  // ---- processes

  private void pause() {
    SimProcess process = anyNode().process();
    if (process != null) {
      mishaps.pause(process, someWindows());
    }
  }

  private void stall() {
    SimProcess process = anyNode().process();
    if (process != null) {
      mishaps.stall(process, world.scaled(1, plan.terms.windowMs()));
    }
  }

  private void kill() {
    kill(anyNode());
  }

  private void killAll() {
    if (world.chance(0.3)) {
      cluster.nodes().forEach(this::kill);
    }
  }

  private void kill(Node node) {
    if (node.process() != null) {
      node.kill();
      startAgain(node);
    }
  }

  private void restart() {
    Node node = anyNode();
    if (node.process() != null && !node.process().stopping()) {
      node.stop();
      startAgain(node);
    }
  }

  private void startAgain(Node node) {
    mishaps.later(
        world.scaled(2, 2 * plan.terms.windowMs()),
        () -> {
          if (node.process() == null || node.process().stopping()) {
            node.start();
          }
        });
  }

  // ---- the end

  /** Repairs everything: from here on the cluster must come back by itself. */
  void heal() {
    world.note(-1, "heal", 0, 0);
    mishaps.repair();
    cluster.network().heal();
    if (!plan.embedded) {
      cluster.store().clock().set(0);
    }
    for (Node node : cluster.nodes()) {
      healClock(node);
    }
  }

  /**
   * On one machine nobody can say what the time truly is: the clock runs on from where it stands.
   */
  private void healClock(Node node) {
    if (plan.embedded) {
      node.clock().drift(0);
      node.clock().wild(0, 0);
    } else {
      node.clock().set(plan.healthyOffset(world.random()));
    }
  }
}
