package dev.idgen.check.simulation;

import java.util.List;
import java.util.SplittableRandom;

/** Breaks a cluster of servers with tags in the ways that its plan allows. */
final class TagFaults {
  /** Longer than a server takes to ask again, however it was kept from that. */
  private static final long NOTICED_MS = 13_000;

  private final TagCluster cluster;
  private final World world;
  private final SplittableRandom random;
  private final TagPlan plan;
  private final TagErrands errands;
  private final Mishaps mishaps;
  private boolean tagsLost; // whether what administrators were told may be undone

  TagFaults(TagCluster cluster, TagPlan plan, TagErrands errands, List<Load> loads) {
    this.cluster = cluster;
    this.world = cluster.world();
    this.random = world.random();
    this.plan = plan;
    this.errands = errands;
    this.mishaps = new Mishaps(world, plan.faultGapMs, plan.faultsEndMs);
    double silent = random.nextDouble();
    for (Network network : List.of(cluster.network(), cluster.following(), cluster.steady())) {
      network.silent = network == cluster.steady() ? 0 : silent;
      network.fastNanos = world.scaled(100_000, 60 * World.MILLI);
      network.slowNanos = 3_000 * World.MILLI;
      network.lateNanos = network.slowNanos;
      if (plan.networkFaults) {
        network.loseRequest = random.nextDouble() * 0.05;
        network.loseReply = random.nextDouble() * 0.1;
        network.slow = random.nextDouble() * 0.1;
      }
    }
    cluster.network().repeat = plan.networkFaults ? random.nextDouble() * 0.1 : 0;
    enlist();
    mishaps.begin(() -> loads.forEach(Load::soon));
  }

  private void enlist() {
    mishaps.add(plan.failovers, this::failOver, this::failOver, this::failOverTags);
    mishaps.add(plan.restores, this::restore, this::fence, this::restoreTags, this::wipe);
    mishaps.add(plan.outages, this::outage, this::outage, this::outageOfTags);
    mishaps.add(plan.hangs, this::hang, this::hang);
    mishaps.add(plan.networkFaults, this::cutOff, this::cutOffTags, this::storm);
    mishaps.add(plan.pauses, this::pause, this::stall);
    mishaps.add(plan.crashes, this::kill, this::restart, this::restart);
  }

  private <T> T any(List<T> some) {
    return some.get(random.nextInt(some.size()));
  }

  private long someTime() {
    return world.scaled(1, 6_000);
  }

  // ---- databases of marks

  private void failOver() {
    SegmentHost host = someStandby();
    world.inMillis(someTime(), host::failOver);
  }

  private void restore() {
    SegmentHost host = someStandby();
    world.inMillis(someTime(), host::restoreAndFence);
  }

  private SegmentHost someStandby() {
    SegmentHost host = any(cluster.marks());
    if (random.nextBoolean()) {
      host.replicate();
    }
    return host;
  }

  private void wipe() {
    any(cluster.marks()).wipe(random.nextBoolean());
  }

  private void fence() {
    any(cluster.marks()).fence();
  }

  private void outage() {
    SegmentHost host = any(cluster.marks());
    host.down(true);
    mishaps.later(someTime(), () -> host.down(false));
  }

  private void hang() {
    SegmentHost host = any(cluster.marks());
    if (!host.hangs()) {
      host.hang(true);
      mishaps.later(someTime(), () -> host.hang(false));
    }
  }

  // ---- the store of tags

  private void failOverTags() {
    replicateTagsSometimes();
    world.inMillis(
        someTime(),
        () -> {
          tagsLost = true;
          cluster.tags().failOver();
        });
  }

  /** Only the last revision tells, so nobody writes before all have seen it. */
  private void restoreTags() {
    replicateTagsSometimes();
    world.inMillis(
        someTime(),
        () -> {
          boolean early = world.nowNanos() < plan.faultsEndMs * World.MILLI;
          if (early && errands.idle() && cluster.tags().standbyHasTheDefault()) {
            tagsLost = true;
            errands.rest(NOTICED_MS);
            cluster.tags().restoreUnnoticed();
          }
        });
  }

  private void replicateTagsSometimes() {
    if (random.nextBoolean()) {
      cluster.tags().replicate();
    }
  }

  private void outageOfTags() {
    cluster.tags().down(true);
    mishaps.later(someTime(), () -> cluster.tags().down(false));
  }

  // ---- the network

  private void cutOff() {
    TagServer server = cluster.any();
    if (server != null) {
      int database = random.nextInt(plan.databases);
      server.cutMarks(database, true);
      mishaps.later(someTime(), () -> server.cutMarks(database, false));
    }
  }

  private void cutOffTags() {
    TagServer server = cluster.any();
    if (server != null) {
      server.cutTags(true);
      mishaps.later(someTime(), () -> server.cutTags(false));
    }
  }

  private void storm() {
    Network network = cluster.network();
    double before = network.loseReply;
    world.note(-1, "storm", 0, 0);
    network.loseReply = 0.7;
    mishaps.later(someTime(), () -> network.loseReply = before);
  }

  // ---- servers

  private void pause() {
    TagServer server = cluster.any();
    if (server != null) {
      mishaps.pause(server, someTime());
    }
  }

  private void stall() {
    TagServer server = cluster.any();
    if (server != null) {
      mishaps.stall(server, someTime());
    }
  }

  private void kill() {
    TagNode node = any(cluster.nodes());
    TagServer server = node.server();
    if (server != null) {
      server.kill();
      mishaps.later(someTime(), node::start);
    }
  }

  private void restart() {
    TagNode node = any(cluster.nodes());
    TagServer server = node.server();
    if (server != null) {
      server.stop(random.nextLong(500));
      mishaps.later(someTime(), node::start);
    }
  }

  // ---- the end

  /** Repairs everything: from here on every server must come back by itself. */
  void heal() {
    world.note(-1, "heal", 0, 0);
    mishaps.repair();
    cluster.network().heal();
    cluster.following().heal();
    cluster.steady().heal();
  }

  /** Whether the store of tags has lost what it had acknowledged. */
  boolean tagsLost() {
    return tagsLost;
  }
}
