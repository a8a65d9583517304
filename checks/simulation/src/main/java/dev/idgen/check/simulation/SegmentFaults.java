package dev.idgen.check.simulation;

import dev.idgen.store.SegmentReply;
import dev.idgen.store.SegmentRow;
import dev.idgen.store.SegmentStore;
import dev.idgen.store.SegmentTerms;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** Breaks a cluster of segment engines in the ways that its plan allows. */
final class SegmentFaults {
  private final SegmentCluster cluster;
  private final World world;
  private final SplittableRandom random;
  private final SegmentPlan plan;
  private final Mishaps mishaps;

  SegmentFaults(SegmentCluster cluster, SegmentPlan plan, List<Load> loads) {
    this.cluster = cluster;
    this.world = cluster.world();
    this.random = world.random();
    this.plan = plan;
    this.mishaps = new Mishaps(world, plan.faultGapMs, plan.faultsEndMs);
    Network network = cluster.network();
    network.silent = random.nextDouble();
    network.fastNanos = world.scaled(100_000, plan.callMs * World.MILLI / 4);
    network.slowNanos = plan.callMs * 3 * World.MILLI;
    network.lateNanos = network.slowNanos;
    if (plan.networkFaults) {
      network.loseRequest = random.nextDouble() * 0.1;
      network.loseReply = random.nextDouble() * 0.2;
      network.repeat = random.nextDouble() * 0.1;
      network.slow = random.nextDouble() * 0.4;
    }
    enlist();
    if ((plan.failovers || plan.restores) && world.chance(0.5)) { // later there is too much to lose
      world.inMillis(world.scaled(50, 4_000), () -> wipe(plan.restores));
    }
    mishaps.begin(() -> loads.forEach(Load::soon));
  }

  private void enlist() {
    mishaps.add(plan.failovers, this::failOver, this::failOver, () -> wipe(false));
    mishaps.add(plan.restores, this::restore, this::restore, () -> wipe(true), this::fence);
    mishaps.add(plan.unnoticed, this::restoreUnnoticed);
    mishaps.add(plan.networkFaults, this::cutOff, this::outage, this::storm);
    mishaps.add(plan.pauses, this::pause, this::stall);
    mishaps.add(plan.crashes, this::kill, this::restart, this::restart, this::killAll);
    mishaps.add(plan.raises, this::raise, this::raise, this::raise);
    mishaps.add(plan.removals, this::remove);
  }

  private <T> T any(List<T> some) {
    return some.get(random.nextInt(some.size()));
  }

  private long someTime() {
    return world.scaled(1, 5_000);
  }

  // ---- databases

  private void failOver() {
    SegmentHost host = someStandby();
    world.inMillis(someTime(), host::failOver);
  }

  private void restore() {
    SegmentHost host = someStandby();
    world.inMillis(someTime(), host::restoreAndFence);
  }

  /** Of whatever age: up to now, or as far behind as it may be. */
  private SegmentHost someStandby() {
    SegmentHost host = any(cluster.hosts());
    if (random.nextBoolean()) {
      host.replicate();
    }
    return host;
  }

  private void wipe(boolean fenced) {
    any(cluster.hosts()).wipe(fenced);
  }

  private void fence() {
    any(cluster.hosts()).fence();
  }

  private void restoreUnnoticed() {
    SegmentHost host = someStandby();
    world.inMillis(
        someTime(),
        () -> {
          cluster.ledgers().forEach(TagLedger::unnoticed);
          host.restoreUnnoticed();
        });
  }

  private void outage() {
    SegmentHost host = any(cluster.hosts());
    host.down(true);
    mishaps.later(someTime(), () -> host.down(false));
  }

  // ---- administrators

  /** A floor above what was given, or, to no effect, below. */
  private void raise() {
    SegmentTag tag = any(plan.tags);
    long used = 0;
    for (int i = 0; i < plan.databases; i++) {
      used = Math.max(used, cluster.hosts().get(i).used(tag.terms().get(i)));
    }
    long by = world.scaled(1, 4L * plan.databases * (tag.any().gap() + tag.options().stepMax()));
    long room = tag.any().maximum() - used;
    long floor = world.chance(0.2) ? Math.max(0, used - by) : used + Math.min(room, by);
    boolean raised = true;
    for (int i = 0; i < plan.databases; i++) {
      SegmentTerms terms = tag.terms().get(i);
      raised &= ask(i, store -> store.raise(terms, floor)) instanceof SegmentReply.Changed;
    }
    if (raised) {
      cluster.raise(new Raise(cluster, tag, floor));
    }
  }

  /** Seldom, since nothing is asked of the tag afterwards. */
  private void remove() {
    SegmentTag tag = any(plan.tags);
    if (world.chance(0.7)) {
      return;
    }
    for (int i = 0; i < plan.databases; i++) {
      SegmentTerms terms = tag.terms().get(i);
      SegmentReply reply = ask(i, store -> store.remove(terms));
      SegmentRow tombstone = reply instanceof SegmentReply.Changed changed ? changed.row() : null;
      if (tombstone != null) {
        cluster.ledger(terms.tag()).removed(i, tombstone);
      }
    }
  }

  private SegmentReply ask(
      int database, Function<SegmentStore, CompletionStage<SegmentReply>> request) {
    return cluster.hosts().get(database).apply(request).toCompletableFuture().join();
  }

  // ---- the network

  private void cutOff() {
    SegmentProcess process = any(cluster.nodes()).process();
    if (process != null) {
      int database = random.nextInt(plan.databases);
      process.cut(database, true);
      mishaps.later(someTime(), () -> process.cut(database, false));
    }
  }

  private void storm() {
    Network network = cluster.network();
    double before = network.loseReply;
    world.note(-1, "storm", 0, 0);
    network.loseReply = 0.7;
    mishaps.later(someTime(), () -> network.loseReply = before);
  }

  // ---- processes

  private void pause() {
    SegmentProcess process = any(cluster.nodes()).process();
    if (process != null) {
      mishaps.pause(process, someTime());
    }
  }

  private void stall() {
    SegmentProcess process = any(cluster.nodes()).process();
    if (process != null) {
      mishaps.stall(process, someTime());
    }
  }

  private void kill() {
    kill(any(cluster.nodes()));
  }

  private void killAll() {
    if (world.chance(0.3)) {
      cluster.nodes().forEach(this::kill);
    }
  }

  private void kill(SegmentNode node) {
    SegmentProcess process = node.process();
    if (process != null) {
      process.kill();
      mishaps.later(someTime(), node::start);
    }
  }

  private void restart() {
    SegmentNode node = any(cluster.nodes());
    SegmentProcess process = node.process();
    if (process != null) {
      process.stop(random.nextLong(500));
      mishaps.later(someTime(), node::start);
    }
  }

  // ---- the end

  /** Repairs everything: from here on every engine must come back by itself. */
  void heal() {
    world.note(-1, "heal", 0, 0);
    mishaps.repair();
    cluster.network().heal();
  }
}
