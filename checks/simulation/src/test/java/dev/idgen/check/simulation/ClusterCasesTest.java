package dev.idgen.check.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.entropy.Entropy;
import dev.idgen.layout.Layout;
import dev.idgen.layout.Layouts;
import dev.idgen.snowflake.EngineOptions;
import dev.idgen.snowflake.KeeperOptions;
import dev.idgen.snowflake.Owners;
import dev.idgen.snowflake.RollbackPolicy;
import dev.idgen.store.WorkerRow;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Faults that hit others, played through with whole clusters. That no id comes twice and that ids
 * of a process rise is checked in each of them by the ledger.
 */
class ClusterCasesTest {
  private static final long HOUR = 3_600_000;
  private static final long SECOND = 1_000 * World.MILLI;

  private final EngineOptions refusing = EngineOptions.defaults();
  private final EngineOptions logical = refusing.withRollback(RollbackPolicy.LOGICAL, 10);
  private Cluster cluster = shared(1);

  private static Cluster shared(long seed) {
    return new Cluster(seed, Layouts.IDGEN, false);
  }

  private static Cluster machine(long seed) {
    return new Cluster(seed, Layouts.IDGEN, true);
  }

  private KeeperOptions terms(EngineOptions options) {
    return KeeperOptions.leased(options, Plan.NAMESPACE, cluster.store().embedded())
        .withNewCluster(true);
  }

  private Node node(EngineOptions options) {
    return cluster.node(options, terms(options));
  }

  private Node started(EngineOptions options) {
    Node node = node(options);
    node.start();
    cluster.run(20);
    return node;
  }

  /** Asks for one id, and lets some time pass. */
  private boolean serves(Node node) {
    long before = node.running().answers();
    node.running().take(1, SECOND);
    cluster.run(5);
    return node.running().answers() > before;
  }

  private long lastTick(Node node) {
    return cluster.ledger().layout().tickOf(node.running().maxIssued());
  }

  private int worker(Node node) {
    return cluster.ledger().layout().workerOf(node.running().maxIssued());
  }

  private List<WorkerRow> rows() {
    return cluster.store().list(Plan.NAMESPACE).workers();
  }

  private WorkerRow row(int worker) {
    return rows().stream().filter(row -> row.workerId() == worker).findFirst().orElseThrow();
  }

  private long heldRows() {
    return rows().stream().filter(row -> row.owner() != null).count();
  }

  /** C2: refuse. */
  @Test
  void clock_anHourBackWhileServing_refusesUntilItHasCaughtUp() {
    Node node = started(refusing);
    assertTrue(serves(node));
    node.clock().step(-HOUR);
    assertFalse(serves(node));
    assertTrue(node.running().lastRefusal().contains("behind its own past"));
    assertFalse(node.running().engine().status().ready());
    cluster.run(HOUR / 2);
    assertFalse(serves(node));
    cluster.run(HOUR / 2 + 1_000);
    assertTrue(serves(node));
    assertTrue(node.running().engine().status().ready());
  }

  /** C2: go on. The store's clock is right, so the horizon goes on as well. */
  @Test
  void clock_anHourBackWhileServingPolicyLogical_goesOnInOrder() {
    Node node = started(logical);
    assertTrue(serves(node));
    node.clock().step(-HOUR);
    for (int i = 0; i < 100; i++) {
      assertTrue(serves(node), "after " + i);
      cluster.run(5_000);
    }
  }

  /** C3: at once after a kill, with the clock a second back. */
  @Test
  void restart_killedAndClockASecondBack_startsAboveAllThatWasIssued() {
    cluster = machine(3);
    Node node = started(refusing);
    cluster.run(2_000);
    assertTrue(serves(node));
    long last = lastTick(node);
    node.kill();
    node.clock().step(-1_000);
    node.start();
    for (int i = 0; i < 100 && node.running().answers() == 0; i++) {
      node.running().take(1, SECOND);
      cluster.run(100);
    }
    assertTrue(lastTick(node) > last);
  }

  /** C4: the same machine. */
  @Test
  void restart_killedAndClockAMinuteBack_refusesOrGoesAbove() {
    for (EngineOptions options : List.of(refusing, logical)) {
      cluster = machine(4);
      Node node = started(options);
      assertTrue(serves(node));
      long last = lastTick(node);
      node.kill();
      node.clock().step(-60_000);
      node.start();
      cluster.run(1_000);
      boolean above = options.rollbackPolicy() == RollbackPolicy.LOGICAL;
      assertEquals(above, serves(node));
      cluster.run(64_000); // a minute, and the window that the killed process had ahead
      assertTrue(serves(node));
      assertTrue(lastTick(node) > last);
    }
  }

  /** C4: another machine. */
  @Test
  void start_anotherMachineAMinuteBehind_isRefusedByTheStore() {
    Node first = started(refusing);
    assertTrue(serves(first));
    first.kill();
    Node second = node(refusing);
    second.clock().step(-60_000);
    second.start();
    cluster.run(2_000);
    assertFalse(serves(second));
    assertTrue(
        second.running().keeper().status().problem().contains("ms from the store's"),
        second.running().keeper().status().problem());
    second.clock().set(0);
    cluster.run(2_000);
    assertTrue(serves(second));
    assertTrue(second.running().keeper().status().problem().isEmpty());
  }

  /** C8. */
  @Test
  void clock_oneReadingTenYearsAhead_isNeitherIssuedNorPersisted() {
    Node node = started(refusing);
    long tenYears = 10 * 365 * 24 * HOUR;
    for (int i = 0; i < 500; i++) {
      node.clock().wild(1, node.clock().sane() + tenYears);
      serves(node);
      cluster.run(i % 40);
    }
    assertTrue(
        row(node.running().engine().status().workerIds().get(0)).horizonMillis()
            <= cluster.world().trueMillis() + 61_000);
    cluster.run(1_000);
    assertTrue(serves(node));
    long apart = cluster.ledger().layout().startMillis(lastTick(node)) - node.clock().sane();
    assertTrue(Math.abs(apart) < 10, "apart " + apart);
  }

  /** C12. */
  @Test
  void ids_oneAMinuteOverRestarts_riseAndTellTheirTime() {
    cluster = machine(12);
    Node node = started(refusing);
    long last = -1;
    for (int i = 0; i < 50; i++) {
      assertTrue(serves(node));
      long tick = lastTick(node);
      assertTrue(tick > last);
      last = tick;
      long apart = node.clock().sane() - 5 - cluster.ledger().layout().startMillis(tick);
      assertTrue(Math.abs(apart) <= 2, "apart " + apart);
      if (i % 2 == 0) {
        node.stop();
      } else {
        node.kill();
      }
      cluster.run(60_000);
      node.start();
      cluster.run(20);
    }
  }

  /** C20: names differ by their random end alone, and nothing is derived from them. */
  @Test
  void start_fiftyProcessesOfOneHostAndPid_haveFiftyWorkerIds() {
    Entropy entropy = new Random(20)::nextBytes;
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      Node node = node(refusing);
      node.start(Owners.fresh(entropy));
      nodes.add(node);
    }
    cluster.run(2_000);
    Set<Integer> workers = new HashSet<>();
    for (Node node : nodes) {
      assertTrue(serves(node));
      workers.add(worker(node));
    }
    assertEquals(50, workers.size());
  }

  /** C23. */
  @Test
  void start_oneMoreThanTheLayoutHolds_isExhausted() {
    for (int i = 0; i < 1_024; i++) {
      node(refusing).start();
    }
    cluster.run(5_000);
    Node late = started(refusing);
    assertEquals(
        "workerIds: 1024 of 1024 held (expected: a free one)",
        late.running().keeper().status().problem());
    assertFalse(serves(late));
    cluster.nodes().get(17).stop();
    cluster.run(3_000);
    assertTrue(serves(late));
  }

  /** C23. */
  @Test
  void restart_tenThousandTimesInOrder_keepsNoSlotBack() {
    for (int i = 0; i < 10; i++) {
      started(refusing);
    }
    for (int i = 0; i < 10_000; i++) {
      Node node = cluster.nodes().get(i % 10);
      node.stop();
      cluster.run(40);
      assertTrue(heldRows() <= 9);
      node.start();
      cluster.run(20);
      assertTrue(heldRows() <= 10);
    }
    for (Node node : cluster.nodes()) {
      assertTrue(serves(node));
    }
  }

  /** C25. */
  @Test
  void start_thirtyTwoAtOnceOnAnEmptyStore_allDiffer() {
    for (int round = 0; round < 1_000; round++) {
      cluster = shared(round);
      cluster.network().fastNanos = 20 * World.MILLI;
      KeeperOptions terms = terms(refusing).withRange(0, round % 2 == 0 ? 31 : 1_023);
      for (int i = 0; i < 32; i++) {
        cluster.node(refusing, terms).start();
      }
      cluster.run(100);
      assertEquals(32, heldRows(), "round " + round);
      assertEquals(32, rows().stream().map(WorkerRow::owner).distinct().count());
    }
  }

  /** C26. */
  @Test
  void restart_twoThousandTimesUnderNewNames_losesNoSlot() {
    KeeperOptions terms = terms(refusing).withRange(0, 31);
    for (int i = 0; i < 10; i++) {
      cluster.node(refusing, terms).start("host-0-" + i + "/1/0");
    }
    for (int i = 0; i < 2_000; i++) {
      Node node = cluster.nodes().get(i % 10);
      if (i % 3 == 0) {
        node.kill();
      } else {
        node.stop();
      }
      cluster.run(6_000);
      node.start("host-" + i + "/1/0");
      cluster.run(500);
      assertEquals(
          1,
          node.running().keeper().status().workerIds().size(),
          node.running().keeper().status()::problem);
    }
    cluster.run(70_000);
    long now = cluster.world().trueMillis();
    long blocked =
        rows().stream()
            .filter(row -> row.owner() != null && row.horizonMillis() + 5_000 > now)
            .count();
    assertEquals(10, blocked);
  }

  /** C27. */
  @Test
  void twin_behindACut_stopsAtItsHorizonAndTheNewOneStartsAbove() {
    KeeperOptions terms = terms(refusing).withFixed(7, 1_023);
    Node old = cluster.node(refusing, terms);
    old.start();
    cluster.run(20);
    assertTrue(serves(old));
    old.running().link().cut(true);
    long horizon = row(7).horizonMillis();
    Node twin = cluster.node(refusing, terms);
    twin.start();
    for (int i = 0; i < 80; i++) {
      boolean covered = cluster.world().trueMillis() + 10 < horizon;
      boolean served = serves(old);
      assertTrue(served || !covered, "serves below its horizon");
      if (cluster.world().trueMillis() > horizon + 10) {
        assertFalse(serves(old));
      }
      twin.running().tryTake();
      cluster.run(1_000);
    }
    assertTrue(serves(twin));
    assertTrue(cluster.ledger().layout().startMillis(lastTick(twin)) >= horizon);
    old.running().link().cut(false);
    cluster.run(20_000);
    assertFalse(serves(old));
    assertEquals(2, row(7).generation());
  }

  /** C29. */
  @Test
  void kill_allNodesAThousandTimes_everySlotComesBack() {
    KeeperOptions terms = terms(refusing).withRange(0, 2);
    for (int i = 0; i < 3; i++) {
      cluster.node(refusing, terms).start();
    }
    cluster.run(1_000);
    for (int round = 0; round < 1_000; round++) {
      cluster.nodes().forEach(Node::kill);
      cluster.nodes().forEach(Node::start);
      cluster.run(60_000 + 5_000 + 2_000);
      for (Node node : cluster.nodes()) {
        assertTrue(serves(node), "round " + round);
      }
    }
  }

  /** C30. */
  @Test
  void renew_tenLeasesInOneProcessOverABadNetwork_allAreRenewed() {
    cluster.network().loseReply = 0.2;
    cluster.network().loseRequest = 0.1;
    Node node = cluster.node(refusing, terms(refusing).withWorkers(10));
    node.start();
    cluster.run(60_000);
    for (int i = 0; i < 100; i++) {
      node.running().take(41_000, SECOND);
      cluster.run(10_000);
      assertTrue(serves(node));
    }
    List<Integer> held = node.running().keeper().status().workerIds();
    assertEquals(10, held.size());
    for (int worker : held) {
      assertTrue(row(worker).horizonMillis() > cluster.world().trueMillis() + 10_000);
    }
  }

  /** C88: what arrives late lowers no horizon. */
  @Test
  void extend_everyRequestRepeatedLate_horizonOnlyRises() {
    cluster.network().repeat = 1;
    cluster.network().lateNanos = 100 * SECOND;
    Node node = started(refusing);
    assertTrue(serves(node));
    int worker = worker(node);
    long horizon = 0;
    for (int i = 0; i < 2_000; i++) {
      cluster.run(300);
      assertTrue(row(worker).horizonMillis() >= horizon);
      horizon = row(worker).horizonMillis();
    }
    assertTrue(serves(node));
    assertEquals(worker, worker(node));
  }

  /** C88: the last tick used is not handed on. */
  @Test
  void release_justAfterATake_nextOwnerStartsAboveTheLastTick() {
    KeeperOptions terms = terms(refusing).withFixed(7, 1_023);
    Node node = cluster.node(refusing, terms);
    node.start();
    cluster.run(20);
    for (int i = 0; i < 300; i++) {
      node.running().take(1 + i, SECOND);
      cluster.run(1);
      long last = lastTick(node);
      node.stop();
      cluster.run(30);
      assertEquals(cluster.ledger().layout().startMillis(last + 1), row(7).horizonMillis());
      node.start();
      cluster.run(20);
    }
  }

  /** C89: the failover loses the last claim, and the owner before it, long expired, wakes. */
  @Test
  void extend_formerOwnerWakesAfterAFailoverThatLostTheClaim_isRefused() {
    KeeperOptions terms = terms(refusing).withFixed(7, 1_023);
    Node old = cluster.node(refusing, terms);
    old.start();
    cluster.run(20);
    assertTrue(serves(old));
    cluster.store().replicate();
    old.running().pause();
    cluster.run(70_000);
    Node next = cluster.node(refusing, terms.withNewCluster(false));
    next.start();
    cluster.run(100);
    assertTrue(serves(next));
    cluster.store().failOver();
    old.running().resume();
    old.running().tryTake();
    cluster.run(15_000);
    assertTrue(old.running().keeper().status().workerIds().isEmpty());
    assertTrue(serves(next) || next.running().keeper().status().workerIds().isEmpty());
    cluster.run(80_000);
    boolean one = serves(old);
    assertTrue(one ^ serves(next), "one of them, and above the floor");
  }

  /** C89: a failover that loses a renewal is no outage, and new claims wait out a window. */
  @Test
  void failover_losesARenewal_isNoOutageButNewClaimsRest() {
    Node node = started(refusing);
    cluster.run(15_000);
    cluster.store().replicate();
    cluster.run(12_000);
    cluster.store().failOver();
    Node late = node(refusing);
    late.start();
    for (int i = 0; i < 62; i++) {
      assertTrue(serves(node), "after " + i + " s");
      assertFalse(serves(late), "after " + i + " s");
      cluster.run(990);
    }
    cluster.run(5_000);
    assertTrue(serves(late));
    assertEquals(0, node.running().keeper().status().claimFailures());
  }

  /** C90. */
  @Test
  void take_reservedAtTheHorizonAndLeaseLost_returnsNothing() {
    Layout one = Layout.of("52/11/0"); // one id a tick: overflow is the rule
    cluster = new Cluster(90, one, false);
    EngineOptions options = refusing.withLayout(one);
    KeeperOptions terms =
        KeeperOptions.leased(options, Plan.NAMESPACE, false).withNewCluster(true).withRange(0, 0);
    Node node = cluster.node(options, terms);
    node.start();
    cluster.run(20);
    node.running().link().cut(true);
    long horizon = row(0).horizonMillis();
    cluster.run(horizon - cluster.world().trueMillis() - 3);
    for (int i = 0; i < 8; i++) {
      node.running().take(1, SECOND);
    }
    cluster.run(2_000);
    assertEquals(3, node.running().answers());
    assertTrue(one.startMillis(lastTick(node)) < horizon);
  }

  /** C91. */
  @Test
  void take_aMillionAndThenOne_isNoRollbackAndBounded() {
    Node node = started(refusing);
    node.running().take(1_000_000, 2 * SECOND);
    node.running().take(1, SECOND);
    cluster.run(300);
    assertEquals(2, node.running().answers());
    assertEquals(0, node.running().engine().status().rollbacks());
    assertTrue(node.running().engine().status().ready());
  }

  /** C93. */
  @Test
  void storeClock_stepsBackOrAhead_healthyNodesKeepIssuing() {
    Node node = started(refusing);
    for (long step : new long[] {-HOUR, HOUR, 2 * 60_000, -2 * 60_000, 10 * HOUR}) {
      cluster.store().clock().step(step);
      for (int i = 0; i < 150; i++) {
        assertTrue(serves(node), "step " + step);
        cluster.run(1_000);
      }
    }
  }

  /** C93: refused, and not in a loop. */
  @Test
  void start_clockAWindowBehind_isRefusedAndRests() {
    started(refusing);
    Node late = node(refusing);
    late.clock().step(-60_000);
    late.start();
    cluster.run(60_000);
    assertTrue(late.running().keeper().status().workerIds().isEmpty());
    assertTrue(late.running().keeper().status().claimFailures() <= 250);
  }

  /** C94. */
  @Test
  void revoke_liveSlotAndTheLaterClaimLostInAFailover_giveNoCellTwice() {
    KeeperOptions terms = terms(refusing).withFixed(7, 1_023);
    Node old = cluster.node(refusing, terms);
    old.start();
    cluster.run(20);
    assertTrue(serves(old));
    cluster.store().replicate(); // before the administrator came
    old.running().pause();
    var unused = cluster.store().apply(store -> store.revoke(terms.terms(), 7));
    cluster.run(70_000);
    Node next = cluster.node(refusing, terms.withNewCluster(false));
    next.start();
    cluster.run(100);
    assertTrue(serves(next));
    cluster.store().failOver();
    old.running().resume();
    for (int i = 0; i < 100; i++) {
      old.running().tryTake();
      next.running().tryTake();
      cluster.run(1_000);
    }
  }
}
