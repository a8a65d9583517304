package dev.idgen.check.simulation;

import dev.idgen.snowflake.EngineOptions;
import dev.idgen.snowflake.KeeperOptions;
import org.jspecify.annotations.Nullable;

/** A place where one process after another runs, by the clock of its machine. */
final class Node {
  private static final long START_AGAIN_MS = 1_000;

  private final Cluster cluster;
  private final int number;
  private final SimClock clock;
  private final EngineOptions options;
  private KeeperOptions terms;
  private @Nullable SimProcess process;
  private boolean wanted;

  Node(Cluster cluster, int number, SimClock clock, EngineOptions options, KeeperOptions terms) {
    this.cluster = cluster;
    this.number = number;
    this.clock = clock;
    this.options = options;
    this.terms = terms;
  }

  int number() {
    return number;
  }

  SimClock clock() {
    return clock;
  }

  EngineOptions options() {
    return options;
  }

  KeeperOptions terms() {
    return terms;
  }

  /** The process that runs now. */
  @Nullable SimProcess process() {
    return process;
  }

  /** The process that runs now; a test knows that there is one. */
  SimProcess running() {
    SimProcess now = process;
    if (now == null) {
      throw new IllegalStateException("node " + number + ": nothing runs (expected: a process)");
    }
    return now;
  }

  SimProcess start() {
    return start("host/7/" + cluster.ledger().enterCount());
  }

  SimProcess start(String owner) {
    wanted = true;
    SimProcess next = new SimProcess(this, cluster, options, terms, owner);
    process = next;
    terms = terms.withNewCluster(false); // an operator swears it once
    next.start();
    return next;
  }

  void kill() {
    wanted = false;
    if (process != null) {
      process.kill();
    }
  }

  void stop() {
    wanted = false;
    if (process != null) {
      process.stop();
    }
  }

  /** The process is gone. */
  void ended(SimProcess which) {
    cluster.store().ownerEnded(which.owner());
    if (process == which) {
      process = null;
    }
  }

  /**
   * The process says that it cannot start like this: it is ended, and started again a little later.
   */
  void refused(SimProcess which) {
    cluster
        .world()
        .inMillis(
            START_AGAIN_MS,
            () -> {
              boolean again = wanted && process == which;
              which.kill();
              if (again) {
                start();
              }
            });
  }
}
