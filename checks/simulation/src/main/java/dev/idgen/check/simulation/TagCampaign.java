package dev.idgen.check.simulation;

import dev.idgen.store.SegmentTerms;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Runs clusters of servers that follow tags, one per seed: {@link Campaign} for what administrators
 * change, and for marks over several databases.
 */
public final class TagCampaign {

  private TagCampaign() {}

  /** As {@link Campaign#firstFailure}. */
  public static @Nullable String firstFailure(long firstSeed, int seeds) {
    return Seeds.firstFailure(firstSeed, seeds, TagCampaign::failure);
  }

  /** As {@link Campaign#failure}. */
  public static String failure(long seed) {
    return Seeds.failure(() -> run(seed));
  }

  /** As {@link Campaign#run}. */
  public static Campaign.Outcome run(long seed) {
    TagPlan plan = new TagPlan(seed);
    TagCluster cluster = new TagCluster(plan);
    Seeds.drive(seed, plan, cluster.world(), () -> drive(cluster, plan));
    Trace trace = cluster.world().trace();
    TagJudge judge = cluster.judge();
    return new Campaign.Outcome(trace.hash(), judge.issued(), judge.refusals(), trace.count());
  }

  private static void drive(TagCluster cluster, TagPlan plan) {
    World world = cluster.world();
    List<Load> loads = new ArrayList<>();
    for (TagNode node : cluster.nodes()) {
      world.inMillis(world.random().nextLong(1_000), node::start);
      loads.add(new Load(world, plan.burstMs * World.MILLI, () -> call(cluster, plan, node)));
    }
    TagErrands errands = new TagErrands(cluster, plan);
    TagFaults faults = new TagFaults(cluster, plan, errands, loads);
    cluster.run(plan.faultsEndMs);
    faults.heal();
    cluster.nodes().forEach(TagNode::start);
    loads.forEach(Load::end);
    cluster.run(plan.recoveryMs());
    errands.requireAnswers();
    requireService(cluster, plan, errands, faults);
    cluster.run(plan.options.waitMs() + 100);
    cluster.servers().forEach(TagServer::requireAnswers);
  }

  private static void call(TagCluster cluster, TagPlan plan, TagNode node) {
    TagServer server = node.server();
    if (server != null) {
      World world = cluster.world();
      String tag = plan.tags.get(world.random().nextInt(plan.tags.size())).tag();
      int most = (int) Math.min(100, 2 * plan.options.stepMax());
      int count = world.chance(0.7) ? 1 : 1 + world.random().nextInt(most);
      server.call(tag, count);
    }
  }

  /**
   * Every server knows all tags, and issues those that are in use. Where the store of tags has lost
   * a removal, its mark is still removed: such a tag is made again first.
   */
  private static void requireService(
      TagCluster cluster, TagPlan plan, TagErrands errands, TagFaults faults) {
    if (faults.tagsLost()) {
      errands.inUse().forEach(errands::make);
      cluster.run(5_000);
      errands.requireAnswers();
    }
    for (TagServer server : cluster.servers()) {
      server.requireUpToDate();
    }
    ask(cluster, plan, errands); // where nobody came for long, one tag tries the store for all
    Map<String, Long> before = answers(cluster, errands);
    ask(cluster, plan, errands);
    Map<String, Long> after = answers(cluster, errands);
    for (TagServer server : cluster.servers()) {
      for (SegmentTerms tag : errands.inUse()) {
        String key = key(server, tag);
        if (!server.swapped() && after.getOrDefault(key, 0L) <= before.getOrDefault(key, 0L)) {
          throw server.wrong(tag.tag(), "issues nothing", "service, all faults being over");
        }
      }
    }
  }

  private static String key(TagServer server, SegmentTerms tag) {
    return server.number() + "/" + tag.tag();
  }

  private static Map<String, Long> answers(TagCluster cluster, TagErrands errands) {
    Map<String, Long> answers = new HashMap<>();
    for (TagServer server : cluster.servers()) {
      errands.inUse().forEach(tag -> answers.put(key(server, tag), server.answers(tag.tag())));
    }
    return answers;
  }

  private static void ask(TagCluster cluster, TagPlan plan, TagErrands errands) {
    for (TagServer server : cluster.servers()) {
      errands.inUse().forEach(tag -> server.call(tag.tag(), 1));
    }
    cluster.run(2 * plan.options.callMs() + 2_000);
  }
}
