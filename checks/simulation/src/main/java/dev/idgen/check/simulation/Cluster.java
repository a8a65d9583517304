package dev.idgen.check.simulation;

import dev.idgen.layout.Layout;
import dev.idgen.snowflake.EngineOptions;
import dev.idgen.snowflake.KeeperOptions;
import java.util.ArrayList;
import java.util.List;

/** Nodes, a store, and a network between them. */
final class Cluster {
  private final World world;
  private final Ledger ledger;
  private final Network network;
  private final StoreHost store;
  private final List<Node> nodes = new ArrayList<>();
  private final List<Load> loads = new ArrayList<>();
  private long calmSkewMs = -1;

  /**
   * A cluster without nodes.
   *
   * @param embedded one machine: all nodes and the store have one clock
   */
  Cluster(long seed, Layout layout, boolean embedded) {
    world = new World(seed);
    ledger = new Ledger(world, layout);
    network = new Network(world);
    store = new StoreHost(world, new SimClock(world, 0), embedded);
  }

  World world() {
    return world;
  }

  Ledger ledger() {
    return ledger;
  }

  Network network() {
    return network;
  }

  StoreHost store() {
    return store;
  }

  List<Node> nodes() {
    return nodes;
  }

  /** Whether an owner's process runs and knows that it holds a worker id. */
  boolean holds(String owner, int workerId) {
    for (Node node : nodes) {
      SimProcess process = node.process();
      if (process != null && process.owner().equals(owner)) {
        return process.keeper().status().workerIds().contains(workerId);
      }
    }
    return false;
  }

  List<Load> loads() {
    return loads;
  }

  /** From here on every clock is within half a skew of the truth, for good. */
  void calm(long skewMs) {
    calmSkewMs = skewMs;
  }

  /** The skew of clocks that are known to be healthy, or -1. */
  long calmSkewMs() {
    return calmSkewMs;
  }

  Node node(EngineOptions options, KeeperOptions terms) {
    SimClock clock = store.embedded() ? store.clock() : new SimClock(world, 0);
    return node(options, terms, clock);
  }

  /** A node on the machine that has this clock. */
  Node node(EngineOptions options, KeeperOptions terms, SimClock clock) {
    Node node = new Node(this, nodes.size(), clock, options, terms);
    nodes.add(node);
    return node;
  }

  void run(long millis) {
    world.run(millis);
    world.requireSound();
  }
}
