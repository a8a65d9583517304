package dev.idgen.check.simulation;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Runs clusters of segment engines, one per seed: {@link Campaign} for ids without a clock. */
public final class SegmentCampaign {

  private SegmentCampaign() {}

  /** As {@link Campaign#firstFailure}. */
  public static @Nullable String firstFailure(long firstSeed, int seeds) {
    return Seeds.firstFailure(firstSeed, seeds, SegmentCampaign::failure);
  }

  /** As {@link Campaign#failure}. */
  public static String failure(long seed) {
    return Seeds.failure(() -> run(seed));
  }

  /** As {@link Campaign#run}. */
  public static Campaign.Outcome run(long seed) {
    SegmentPlan plan = new SegmentPlan(seed);
    SegmentCluster cluster = new SegmentCluster(plan);
    Seeds.drive(seed, plan, cluster.world(), () -> drive(cluster, plan));
    long issued = 0;
    long refusals = 0;
    for (TagLedger ledger : cluster.ledgers()) {
      issued += ledger.issued();
      refusals += ledger.refusals();
    }
    Trace trace = cluster.world().trace();
    return new Campaign.Outcome(trace.hash(), issued, refusals, trace.count());
  }

  private static void drive(SegmentCluster cluster, SegmentPlan plan) {
    World world = cluster.world();
    List<Load> loads = new ArrayList<>();
    for (SegmentNode node : cluster.nodes()) {
      world.inMillis(world.random().nextLong(2_000), node::start);
      loads.add(new Load(world, plan.burstMs * World.MILLI, new SegmentCall(world, node)));
    }
    SegmentFaults faults = new SegmentFaults(cluster, plan, loads);
    cluster.run(plan.faultsEndMs);
    faults.heal();
    cluster.nodes().forEach(SegmentNode::start);
    cluster.run(plan.recoveryMs());
    loads.forEach(Load::end);
    requireService(cluster, plan);
    cluster.processes().forEach(process -> process.stop(1));
    cluster.run(1_000);
  }

  /** Every engine issues again, unless its tag has ended; and nobody was forgotten. */
  private static void requireService(SegmentCluster cluster, SegmentPlan plan) {
    List<TagEngine> engines = new ArrayList<>();
    for (SegmentNode node : cluster.nodes()) {
      engines.addAll(node.running().engines());
    }
    ask(cluster, plan, engines); // where nobody came for long, one tag tries the store for all
    List<Long> before = engines.stream().map(TagEngine::answers).toList();
    ask(cluster, plan, engines);
    for (int i = 0; i < engines.size(); i++) {
      engines.get(i).requireAnswers();
      engines.get(i).requireAnswersSince(before.get(i));
    }
  }

  private static void ask(SegmentCluster cluster, SegmentPlan plan, List<TagEngine> engines) {
    for (TagEngine engine : engines) {
      engine.take(1, plan.recoveryMs() * World.MILLI);
    }
    cluster.run(plan.recoveryMs() + 100);
  }
}
