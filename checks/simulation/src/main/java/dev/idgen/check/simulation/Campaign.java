package dev.idgen.check.simulation;

import dev.idgen.store.WorkerRow;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Runs clusters, one per seed, and says what it takes to see a failure again. */
public final class Campaign {

  private Campaign() {}

  /**
   * What a run came to.
   *
   * @param traceHash over everything that happened
   * @param issued how many ids callers got
   * @param refusals how many calls were refused
   * @param events how many things were noted
   */
  public record Outcome(long traceHash, long issued, long refusals, long events) {}

  /**
   * Runs many seeds.
   *
   * @return null when all held; else what the lowest failing seed says
   */
  public static @Nullable String firstFailure(long firstSeed, int seeds) {
    return Seeds.firstFailure(firstSeed, seeds, Campaign::failure);
  }

  /**
   * Runs one seed.
   *
   * @return empty when it held
   */
  public static String failure(long seed) {
    return Seeds.failure(() -> run(seed));
  }

  /**
   * Runs one seed.
   *
   * @throws Violation with the seed, the plan and the last events
   */
  public static Outcome run(long seed) {
    Plan plan = new Plan(seed);
    Cluster cluster = new Cluster(seed, plan.layout, plan.embedded);
    Seeds.drive(seed, plan, cluster.world(), () -> drive(cluster, plan));
    Trace trace = cluster.world().trace();
    Ledger ledger = cluster.ledger();
    return new Outcome(trace.hash(), ledger.issued(), ledger.refusals(), trace.count());
  }

  private static void drive(Cluster cluster, Plan plan) {
    World world = cluster.world();
    if (plan.calm()) {
      cluster.calm(plan.terms.maxSkewMs());
    }
    if (plan.calm() && !plan.failovers) {
      cluster.ledger().grants().calm(plan.layout);
    }
    for (int i = 0; i < plan.engines.size(); i++) {
      Node node = cluster.node(plan.engines.get(i), plan.keeper(i));
      if (!plan.embedded) {
        node.clock().set(plan.healthyOffset(world.random()));
      }
      world.inMillis(world.random().nextLong(1 + plan.terms.windowMs() / 2), () -> startOnce(node));
      cluster.loads().add(new Load(world, plan.meanNanos(), new SnowflakeCall(world, plan, node)));
    }
    Faults faults = new Faults(cluster, plan);
    cluster.run(plan.faultsEndMs);
    faults.heal();
    cluster.nodes().forEach(Campaign::startOnce);
    cluster.run(plan.recoveryMs());
    cluster.loads().forEach(Load::end);
    requireService(cluster, plan);
    cluster.nodes().forEach(Node::stop);
    cluster.run(2 * plan.callMs + 1_000);
  }

  private static void startOnce(Node node) {
    if (node.process() == null || node.process().stopping()) {
      node.start();
    }
  }

  /** Every node issues again, unless it may not. */
  private static void requireService(Cluster cluster, Plan plan) {
    long waitMs = 1_000 + 4 * plan.layout.tickMillis();
    List<Long> answers = new ArrayList<>();
    List<Boolean> excused = new ArrayList<>();
    for (Node node : cluster.nodes()) {
      excused.add(mayRefuse(cluster, plan, node, node.running()));
      answers.add(node.running().answers());
      node.running().take(1, waitMs * World.MILLI);
    }
    cluster.run(waitMs + 100);
    for (Node node : cluster.nodes()) {
      SimProcess process = node.running();
      boolean served = process.answers() > answers.get(node.number());
      boolean may = excused.get(node.number()) || mayRefuse(cluster, plan, node, process);
      if (!served && !may) {
        throw new Violation(
            "process "
                + cluster.ledger().owner(process.number())
                + " of node "
                + node.number()
                + " refuses: "
                + process.lastRefusal()
                + "; "
                + process.engine().status()
                + "; "
                + process.keeper().status()
                + "; clock "
                + node.clock().sane()
                + "; "
                + cluster.store().list(Plan.NAMESPACE)
                + " (expected: service, all faults being over)");
      }
    }
  }

  /** What only time can mend: a clock or a horizon that lies ahead, or too few worker ids. */
  private static boolean mayRefuse(Cluster cluster, Plan plan, Node node, SimProcess process) {
    long wall = node.clock().sane();
    boolean behindItself = process.time().highestMillis() > wall;
    long newest = 0;
    int blocked = 0; // by processes that do not hold them any more, whose horizons have not passed
    boolean future = false; // on one machine a lease may begin a window above the clock
    for (WorkerRow row : cluster.store().list(Plan.NAMESPACE).workers()) {
      newest = Math.max(newest, row.horizonMillis());
      future |= plan.embedded && row.fromMillis() > wall;
      boolean passed = row.horizonMillis() + plan.recoveryMs() / 3 < wall;
      blocked +=
          row.owner() == null || passed || cluster.holds(row.owner(), row.workerId()) ? 0 : 1;
    }
    boolean behindOthers = newest > wall + plan.terms.windowMs() + 2 * plan.terms.maxSkewMs();
    int demand = cluster.nodes().size() * plan.workers;
    boolean outOfSlots = !plan.fixed && plan.lastWorkerId + 1 - blocked < demand;
    return future || behindItself || behindOthers || outOfSlots;
  }
}
