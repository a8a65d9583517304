package dev.idgen.check.simulation;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Nodes with engines of tags, databases of marks, and a network between them. */
final class SegmentCluster {
  private final World world;
  private final Network network;
  private final SimClock clock;
  private final List<SegmentTag> tags;
  private final Map<String, TagLedger> ledgers = new LinkedHashMap<>(); // by tag
  private final List<SegmentHost> hosts = new ArrayList<>();
  private final List<SegmentNode> nodes = new ArrayList<>();
  private final Set<SegmentProcess> processes = new LinkedHashSet<>(); // alive
  private final Set<Raise> raises = new LinkedHashSet<>(); // that somebody has not heard of
  private int started;

  SegmentCluster(SegmentPlan plan) {
    world = new World(plan.seed);
    network = new Network(world);
    clock = new SimClock(world, 0);
    tags = plan.tags;
    for (SegmentTag tag : tags) {
      ledgers.put(tag.any().tag(), new TagLedger(world, tag));
    }
    for (int i = 0; i < plan.databases; i++) {
      int database = i;
      hosts.add(
          new SegmentHost(world, i, tags.stream().map(tag -> tag.terms().get(database)).toList()));
    }
    for (int i = 0; i < plan.nodes; i++) {
      nodes.add(new SegmentNode(this, i));
    }
  }

  World world() {
    return world;
  }

  Network network() {
    return network;
  }

  SimClock clock() {
    return clock;
  }

  List<SegmentTag> tags() {
    return tags;
  }

  TagLedger ledger(String tag) {
    TagLedger ledger = ledgers.get(tag);
    if (ledger == null) {
      throw new IllegalArgumentException("tag: " + tag + " (expected: one of the plan's)");
    }
    return ledger;
  }

  Iterable<TagLedger> ledgers() {
    return ledgers.values();
  }

  /** By number, which is the residue of their ids. */
  List<SegmentHost> hosts() {
    return hosts;
  }

  List<SegmentNode> nodes() {
    return nodes;
  }

  Set<SegmentProcess> processes() {
    return processes;
  }

  // ---- processes

  SegmentProcess process(SegmentNode node) {
    SegmentProcess process = new SegmentProcess(this, node, started++);
    processes.add(process);
    return process;
  }

  void ended(SegmentProcess process) {
    processes.remove(process);
    raises.forEach(raise -> raise.ended(process));
  }

  /** Follows a raise until everybody has heard of it. */
  void raise(Raise more) {
    raises.removeIf(Raise::done);
    raises.add(more);
  }

  void run(long millis) {
    world.run(millis);
    world.requireSound();
  }
}
