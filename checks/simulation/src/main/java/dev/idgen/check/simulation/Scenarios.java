package dev.idgen.check.simulation;

import dev.idgen.layout.Layouts;
import dev.idgen.snowflake.EngineOptions;
import dev.idgen.snowflake.KeeperOptions;

/**
 * Courses of events that chance meets too seldom: each ends by itself, and throws a {@link
 * Violation} when an id comes twice.
 */
public final class Scenarios {
  private static final int WORKER = 7;
  private static final EngineOptions OPTIONS = EngineOptions.defaults();

  private final Cluster cluster = new Cluster(89, Layouts.IDGEN, false);
  private final KeeperOptions terms = KeeperOptions.leased(OPTIONS, Plan.NAMESPACE, false);

  private Scenarios() {}

  /**
   * An owner sleeps past its horizon, another one takes over and issues, a failover loses that
   * claim, and the first one wakes: its lease has gone to somebody whom the store has forgotten.
   */
  public static void formerOwnerWakesAfterALostClaim() {
    Scenarios s = new Scenarios();
    Node old = s.fixed(true);
    s.issue(old);
    s.cluster.store().replicate();
    old.running().pause();
    s.cluster.run(70_000);
    Node next = s.fixed(false);
    s.issue(next);
    s.cluster.store().failOver();
    next.running().link().cut(true); // it issues to its horizon, and hears of nothing
    old.running().resume();
    for (int i = 0; i < 60; i++) {
      s.issue(old);
      s.issue(next);
      s.cluster.run(1_000);
    }
  }

  /**
   * A failover loses a claim whose owner sleeps, and another owner is given the same worker id with
   * the same generation: only their tokens differ when the first one wakes.
   */
  public static void twoLeasesOfOneGeneration() {
    Scenarios s = new Scenarios();
    Node first = s.cluster.node(OPTIONS, s.terms.withRange(0, 0).withNewCluster(true));
    first.start();
    s.cluster.run(100);
    s.cluster.store().replicate();
    Node old = s.fixed(false);
    s.issue(old);
    old.running().pause();
    s.cluster.store().failOver();
    s.cluster.run(90_000); // a renewal sets the floor, and a window passes after it
    Node next = s.fixed(false);
    s.issue(next);
    old.running().resume();
    for (int i = 0; i < 60; i++) {
      s.issue(old);
      s.issue(next);
      s.cluster.run(1_000);
    }
  }

  private Node fixed(boolean newCluster) {
    Node node =
        cluster.node(
            OPTIONS,
            terms.withFixed(WORKER, OPTIONS.layout().maxWorker()).withNewCluster(newCluster));
    node.start();
    cluster.run(100);
    return node;
  }

  /** Two ask at once, so that two engines on one worker id would answer alike. */
  private void issue(Node node) {
    if (node.process() != null) {
      node.running().tryTake();
      cluster.run(0);
    }
  }
}
