package dev.idgen.check.simulation;

import dev.idgen.store.SegmentTerms;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Servers that follow tags, the store of those, databases of marks, and a network between them. */
final class TagCluster {
  private static final long LOOK_MS = 1_000;

  private final World world;
  private final TagPlan plan;
  private final Network network;
  private final Network following;
  private final Network steady;
  private final SimClock clock;
  private final TagJudge judge;
  private final TagHost tags;
  private final List<SegmentHost> marks = new ArrayList<>();
  private final List<TagNode> nodes = new ArrayList<>();
  private final Set<TagServer> servers = new LinkedHashSet<>(); // alive
  private int started;

  TagCluster(TagPlan plan) {
    this.plan = plan;
    this.world = new World(plan.seed);
    this.network = new Network(world);
    this.following = new Network(world);
    this.steady = new Network(world);
    this.clock = new SimClock(world, 0);
    this.judge = new TagJudge(world, plan);
    this.tags = new TagHost(world);
    for (int i = 0; i < plan.databases; i++) {
      int database = i;
      marks.add(
          new SegmentHost(world, i, plan.tags.stream().map(tag -> in(database, tag)).toList()));
    }
    if (plan.swapped || plan.failovers || plan.restores) { // else whoever comes first says so
      marks.forEach(SegmentHost::bind);
    }
    for (int i = 0; i < plan.nodes; i++) {
      nodes.add(new TagNode(this, i));
    }
    world.inMillis(LOOK_MS, this::look);
  }

  private static SegmentTerms in(int database, SegmentTerms tag) {
    return new SegmentTerms(
        tag.namespace(), tag.tag(), tag.start(), tag.maximum(), tag.modulus(), database, tag.gap());
  }

  private void look() {
    servers.forEach(TagServer::requireUpToDate);
    world.inMillis(LOOK_MS, this::look);
  }

  World world() {
    return world;
  }

  TagPlan plan() {
    return plan;
  }

  /** Between servers and marks, where ids are fetched. */
  Network network() {
    return network;
  }

  /** Between servers and tags, where they ask for changes. Nothing arrives twice. */
  Network following() {
    return following;
  }

  /** Where something is ordered. Nothing arrives twice, and every failure is told. */
  Network steady() {
    return steady;
  }

  SimClock clock() {
    return clock;
  }

  TagJudge judge() {
    return judge;
  }

  TagHost tags() {
    return tags;
  }

  /** By number, which is the residue of their ids. */
  List<SegmentHost> marks() {
    return marks;
  }

  List<TagNode> nodes() {
    return nodes;
  }

  Set<TagServer> servers() {
    return servers;
  }

  // ---- servers

  TagServer server(TagNode node) {
    TagServer server = new TagServer(this, node, started++);
    servers.add(server);
    server.begin();
    return server;
  }

  void ended(TagServer server) {
    servers.remove(server);
  }

  /** One that takes orders now; null: none does. */
  @Nullable TagServer any() {
    List<TagServer> open =
        servers.stream().filter(server -> !server.stopping() && !server.swapped()).toList();
    return open.isEmpty() ? null : open.get(world.random().nextInt(open.size()));
  }

  void run(long millis) {
    world.run(millis);
    world.requireSound();
  }
}
