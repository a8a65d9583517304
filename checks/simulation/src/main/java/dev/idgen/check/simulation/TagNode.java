package dev.idgen.check.simulation;

import org.jspecify.annotations.Nullable;

/** A place where one server after another runs. */
final class TagNode {
  private final TagCluster cluster;
  private final int number;
  private @Nullable TagServer server;

  TagNode(TagCluster cluster, int number) {
    this.cluster = cluster;
    this.number = number;
  }

  int number() {
    return number;
  }

  /** Whether its servers name the databases in another order than the others. */
  boolean swapped() {
    return cluster.plan().swapped && number == 0;
  }

  /** The server that runs now, be it stopping. */
  @Nullable TagServer server() {
    return server;
  }

  /** A server that serves runs from now on. */
  void start() {
    if (server == null || server.stopping()) {
      server = cluster.server(this);
    }
  }

  void ended(TagServer which) {
    if (server == which) {
      server = null;
    }
  }
}
