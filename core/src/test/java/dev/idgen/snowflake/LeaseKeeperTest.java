package dev.idgen.snowflake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.IdException;
import dev.idgen.Reason;
import dev.idgen.entropy.Entropy;
import dev.idgen.layout.Layout;
import dev.idgen.layout.Layouts;
import dev.idgen.store.ClaimRequest;
import dev.idgen.store.ExtendRequest;
import dev.idgen.store.LeaseReply;
import dev.idgen.store.LeaseTerms;
import dev.idgen.store.Refusal;
import dev.idgen.store.ReleaseRequest;
import dev.idgen.store.StoreException;
import dev.idgen.store.WorkerRow;
import dev.idgen.store.WorkerStore;
import dev.idgen.store.memory.MemoryWorkerStore;
import dev.idgen.time.FakeTime;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class LeaseKeeperTest {
  private static final long START = 1_790_000_000_000L;

  private final FakeTime time = new FakeTime(START);
  private final EventLog events = new EventLog();
  private final Entropy entropy = new Random(42)::nextBytes;
  private final Switchboard store = new Switchboard(new MemoryWorkerStore(time, entropy));
  private final Set<Long> seen = new HashSet<>();
  private int owners;

  /** An engine with its keeper. */
  private final class Node {
    final SnowflakeEngine engine;
    final LeaseKeeper keeper;
    final CompletableFuture<Void> started;

    Node(EngineOptions options, KeeperOptions terms, WorkerStore from) {
      engine = new SnowflakeEngine(options, time, time.scheduler(), events, from.embedded());
      keeper = new LeaseKeeper(engine, from, terms, "owner-" + owners++, entropy);
      started = keeper.start().toCompletableFuture();
      time.runDue();
    }

    long take() {
      long id = engine.next();
      assertTrue(seen.add(id), () -> "issued twice: " + id);
      return id;
    }

    int worker() {
      return engine.layout().workerOf(take());
    }

    long tick() {
      return engine.layout().tickOf(take());
    }

    void stop() {
      var stopped = keeper.stop().toCompletableFuture();
      time.runDue();
      assertTrue(stopped.isDone());
    }

    Reason refusal() {
      return assertThrows(IdException.class, engine::next).reason();
    }
  }

  private static KeeperOptions shared(EngineOptions options) {
    return KeeperOptions.leased(options, "test", false).withNewCluster(true);
  }

  private Node node() {
    EngineOptions options = EngineOptions.defaults();
    return new Node(options, shared(options), store);
  }

  private static KeeperOptions later(EngineOptions options) {
    return KeeperOptions.leased(options, "test", false);
  }

  private Node later() {
    EngineOptions options = EngineOptions.defaults();
    return new Node(options, later(options), store);
  }

  private Node fixed(int worker, boolean first) {
    EngineOptions options = EngineOptions.defaults();
    return new Node(options, shared(options).withNewCluster(first).withFixed(worker, 1023), store);
  }

  private WorkerRow row(int worker) {
    return store.list("test").toCompletableFuture().join().workers().stream()
        .filter(row -> row.workerId() == worker)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void start_emptyStore_holdsAWorkerIdAndIssues() {
    Node node = node();
    assertTrue(node.started.isDone());
    int worker = node.worker();
    assertEquals(List.of(worker), node.keeper.status().workerIds());
    assertEquals(START + 60_000, node.keeper.status().horizonMillis());
    assertEquals("", node.keeper.status().problem());
    assertEquals(List.of("gained " + worker + "/1"), events.lines);
  }

  @Test
  void start_namespaceNeverSeen_waitsOutTheFirstWindow() {
    Node node = later();
    assertFalse(node.started.isDone());
    assertEquals(
        "claims: rest for 63000 ms (expected: a namespace in use, on the store it was last seen on)",
        node.keeper.status().problem());
    time.advanceMillis(60_000);
    assertFalse(node.started.isDone());
    time.advanceMillis(4_000);
    assertTrue(node.started.isDone());
    assertTrue(node.tick() >= node.engine.layout().tickAt(START + 63_000));
  }

  @Test
  void renew_storeAnswers_horizonStaysAheadForHours() {
    Node node = node();
    for (int i = 0; i < 1_000; i++) {
      time.advanceMillis(10_000);
      node.take();
      assertTrue(node.keeper.status().horizonMillis() >= time.wallMillis() + 50_000);
    }
    assertEquals(0, node.keeper.status().renewFailures());
  }

  @Test
  void renew_storeAway_issuesToTheHorizonThenRefusesThenComesBack() {
    Node node = node();
    store.away = true;
    time.advanceMillis(59_000);
    node.take();
    assertTrue(node.keeper.status().renewFailures() > 3, "early alarm");
    assertEquals("store: away", node.keeper.status().problem());
    time.advanceMillis(1_000);
    assertEquals(Reason.NO_LEASE, node.refusal());
    time.advanceMillis(300_000);
    assertEquals(Reason.NO_LEASE, node.refusal());
    assertFalse(node.engine.status().ready());
    store.away = false;
    time.advanceMillis(2_500);
    node.take();
    assertTrue(node.engine.status().ready());
  }

  @Test
  void renew_everySecondReplyLost_loosesNothing() {
    Node node = node();
    store.loseEverySecondReply = true;
    for (int i = 0; i < 500; i++) {
      time.advanceMillis(7_000);
      node.take();
    }
    assertEquals(1, row(node.worker()).generation());
    assertTrue(node.keeper.status().renewFailures() > 100);
  }

  @Test
  void renew_noAnswerAtAll_countsAsFailedAndIsRepeated() {
    Node node = node();
    store.silent = true;
    time.advanceMillis(30_000);
    assertEquals("no answer within 2000 ms", node.keeper.status().problem());
    store.silent = false;
    time.advanceMillis(5_000);
    assertEquals("", node.keeper.status().problem());
    assertTrue(node.keeper.status().horizonMillis() > time.wallMillis() + 50_000);
  }

  @Test
  void renew_storeThrows_countsAsFailed() {
    Node node = node();
    store.throwing = true;
    time.advanceMillis(15_000);
    assertEquals("store: broken", node.keeper.status().problem());
    store.throwing = false;
    time.advanceMillis(5_000);
    assertEquals("", node.keeper.status().problem());
  }

  /** Descriptors run out, so no token can be read: a turn is lost, never the keeping. */
  @Test
  void renew_noRandomNumbersForAWhile_comesBackByItself() {
    boolean[] broken = new boolean[1];
    Entropy moody =
        bytes -> {
          if (broken[0]) {
            throw new IllegalStateException("urandom: too many open files");
          }
          entropy.fill(bytes);
        };
    EngineOptions options = EngineOptions.defaults();
    var engine = new SnowflakeEngine(options, time, time.scheduler(), events, false);
    LeaseKeeper keeper = new LeaseKeeper(engine, store, shared(options), "moody", moody);
    keeper.start();
    time.runDue();
    engine.next();
    broken[0] = true;
    time.advanceMillis(100_000);
    assertEquals(
        "fault: java.lang.IllegalStateException: urandom: too many open files",
        keeper.status().problem());
    assertThrows(IdException.class, engine::next);
    broken[0] = false;
    time.advanceMillis(1_000);
    engine.next();
    assertEquals("", keeper.status().problem());
    broken[0] = true;
    var stopped = keeper.stop().toCompletableFuture();
    time.runDue();
    assertTrue(stopped.isDone(), "a release needs no random number");
  }

  @Test
  void start_claimAppliedButReplyLost_adoptsItsOwnRow() {
    store.loseNextReply = true;
    Node node = node();
    assertFalse(node.started.isDone());
    time.advanceMillis(500);
    assertTrue(node.started.isDone());
    assertEquals(1, store.list("test").toCompletableFuture().join().workers().size());
    assertEquals(1, row(node.worker()).generation());
  }

  @Test
  void renew_leaseTakenOver_claimsAnotherWithoutAFailedTake() {
    Node node = node();
    int worker = node.worker();
    store.inner.revoke(shared(EngineOptions.defaults()).terms(), worker);
    for (int i = 0; i < 20; i++) {
      time.advanceMillis(1_000);
      node.take();
    }
    int next = node.worker();
    assertTrue(next != worker);
    assertEquals(1, events.count("lost " + worker + "/1"));
    assertEquals(1, events.count("gained " + next + "/1"));
  }

  @Test
  void stop_orderly_handsTheWorkerIdOnAtOnce() {
    Node first = fixed(7, true);
    long last = first.tick();
    first.stop();
    assertEquals(Reason.DRAINING, first.refusal());
    assertEquals(null, row(7).owner());
    assertEquals(first.engine.layout().startMillis(last + 1), row(7).horizonMillis());
    Node second = fixed(7, false);
    assertTrue(second.started.isDone());
    assertTrue(second.tick() > last);
    assertEquals(2, row(7).generation());
  }

  @Test
  void stop_neverStarted_completes() {
    EngineOptions options = EngineOptions.defaults();
    var engine = new SnowflakeEngine(options, time, time.scheduler(), events, false);
    LeaseKeeper keeper = new LeaseKeeper(engine, store, shared(options), "owner", entropy);
    var stopped = keeper.stop().toCompletableFuture();
    time.runDue();
    assertTrue(stopped.isDone());
  }

  @Test
  void stop_storeAway_completesAfterSomeTries() {
    Node node = node();
    store.away = true;
    var stopped = node.keeper.stop().toCompletableFuture();
    time.runDue();
    assertTrue(stopped.isDone());
  }

  @Test
  void start_fixedAndHeldByALiveOwner_refusesNamingIt() {
    Node first = fixed(7, true);
    Node second = fixed(7, false);
    for (int i = 0; i < 30 && !second.started.isDone(); i++) {
      time.advanceMillis(1_000);
      first.take();
    }
    var e = assertThrows(CompletionException.class, second.started::join);
    StartException why = assertInstanceOf(StartException.class, e.getCause());
    assertEquals(Refusal.HELD, why.refusal());
    assertTrue(
        String.valueOf(why.getMessage())
            .startsWith("workerId: 7 is held by owner-0 (expected: a free one;"));
    first.take();
  }

  @Test
  void start_fixedAfterAnUncleanEnd_waitsForHorizonAndReuseDelay() {
    Node first = fixed(7, true);
    long last = first.tick();
    time.scheduler().close(); // it is gone
    Node second = fixed(7, false);
    time.advanceMillis(64_000);
    assertFalse(second.started.isDone());
    time.advanceMillis(3_000);
    assertTrue(second.started.isDone());
    assertTrue(second.tick() > last);
  }

  /** C10. */
  @Test
  void start_anotherEpochThanTheStores_isRefused() {
    node();
    Layout other = Layout.builder().time(41).worker(10).sequence(12).epochMillis(5).build();
    EngineOptions options = EngineOptions.defaults().withLayout(other);
    Node node = new Node(options, KeeperOptions.leased(options, "test", false), store);
    var e = assertThrows(CompletionException.class, node.started::join);
    StartException why = assertInstanceOf(StartException.class, e.getCause());
    assertEquals(Refusal.LAYOUT_MISMATCH, why.refusal());
  }

  /** C23. */
  @Test
  void start_oneMoreThanTheLayoutHolds_isExhausted() {
    Layout four = Layout.builder().time(41).worker(2).sequence(20).build();
    EngineOptions options = EngineOptions.defaults().withLayout(four);
    KeeperOptions terms = shared(options);
    Set<Integer> workers = new HashSet<>();
    for (int i = 0; i < 4; i++) {
      workers.add(new Node(options, terms, store).worker());
    }
    assertEquals(4, workers.size());
    Node fifth = new Node(options, terms, store);
    assertFalse(fifth.started.isDone());
    assertEquals("workerIds: 4 of 4 held (expected: a free one)", fifth.keeper.status().problem());
    assertEquals(Reason.NO_LEASE, fifth.refusal());
  }

  /** C24. */
  @Test
  void withFixed_outsideTheLayout_isRefused() {
    KeeperOptions terms = shared(EngineOptions.defaults());
    var e = assertThrows(IllegalArgumentException.class, () -> terms.withFixed(1024, 1023));
    assertEquals("workerId: 1024 (expected: 0..1023)", e.getMessage());
    e = assertThrows(IllegalArgumentException.class, () -> terms.withFixed(-1, 1023));
    assertEquals("workerId: -1 (expected: 0..1023)", e.getMessage());
  }

  /** C28: two namespaces in one process do not know each other. */
  @Test
  void start_twoNamespaces_areIndependent() {
    EngineOptions options = EngineOptions.defaults();
    KeeperOptions a = KeeperOptions.leased(options, "a.b-c", false).withNewCluster(true);
    KeeperOptions b = KeeperOptions.leased(options, "d", false).withNewCluster(true);
    Node one = new Node(options, a.withFixed(7, 1023), store);
    Node two = new Node(options, b.withFixed(7, 1023), store);
    assertTrue(one.started.isDone() && two.started.isDone());
  }

  @Test
  void new_severalWorkerIdsInALayoutWithoutOrder_throws() {
    for (Layout layout : List.of(Layouts.SONYFLAKE_V2, Layouts.SEATA)) {
      EngineOptions options = EngineOptions.defaults().withLayout(layout);
      KeeperOptions two = shared(options).withWorkers(2);
      var e = assertThrows(IllegalArgumentException.class, () -> new Node(options, two, store));
      assertEquals(
          "workers: 2 (expected: 1, since ids of layout "
              + layout.name()
              + " do not rise over several worker ids)",
          e.getMessage());
    }
  }

  /** C21: on one store, whoever has the same address gets another worker id, or is refused. */
  @Test
  void start_sameAddressTwiceOnOneStore_isNeverShared() {
    EngineOptions options = EngineOptions.defaults();
    Node first = new Node(options, shared(options).withPreferred(7), store);
    Node second = new Node(options, later(options).withPreferred(7), store);
    assertEquals(7, first.worker());
    assertNotEquals(7, second.worker());

    Node third = new Node(options, later(options).withFixed(7, 1023), store);
    for (int i = 0; i < 30 && !third.started.isDone(); i++) {
      time.advanceMillis(1_000);
      first.take();
      second.take();
    }
    StartException why =
        assertInstanceOf(
            StartException.class,
            assertThrows(CompletionException.class, third.started::join).getCause());
    assertEquals(Refusal.HELD, why.refusal());
    assertTrue(String.valueOf(why.getMessage()).contains("owner-0"), why.getMessage());
  }

  /** C21: clusters that are to be strangers have a namespace each; ids are unique within one. */
  @Test
  void start_sameAddressInTwoNamespaces_areTwoRows() {
    EngineOptions options = EngineOptions.defaults();
    KeeperOptions other = KeeperOptions.leased(options, "other", false).withNewCluster(true);
    Node one = new Node(options, shared(options).withPreferred(7), store);
    Node two = new Node(options, other.withPreferred(7), store);
    assertTrue(one.started.isDone() && two.started.isDone());
    assertEquals(List.of(7), one.keeper.status().workerIds());
    assertEquals(List.of(7), two.keeper.status().workerIds());
    assertEquals("owner-0", row(7).owner());
    WorkerRow apart = store.list("other").toCompletableFuture().join().workers().get(0);
    assertEquals("owner-1", apart.owner());
  }

  /** C30. */
  @Test
  void start_tenWorkerIdsInOneProcess_allAreRenewed() {
    EngineOptions options = EngineOptions.defaults();
    Node node = new Node(options, shared(options).withWorkers(10), store);
    Set<Integer> workers = new HashSet<>();
    for (int round = 0; round < 50; round++) {
      time.advanceMillis(10_000);
      for (long id : node.engine.next(41_000)) {
        assertTrue(seen.add(id));
        workers.add(node.engine.layout().workerOf(id));
      }
    }
    assertEquals(10, workers.size());
    for (int worker : workers) {
      assertTrue(row(worker).horizonMillis() > time.wallMillis() + 45_000);
    }
  }

  @Test
  void renew_oneOfSeveralLost_goesOnWithTheOthersAndReplacesIt() {
    EngineOptions options = EngineOptions.defaults();
    Node node = new Node(options, shared(options).withWorkers(3), store);
    int lost = node.keeper.status().workerIds().get(1);
    store.inner.revoke(shared(options).terms(), lost);
    for (int i = 0; i < 30; i++) {
      time.advanceMillis(1_000);
      for (long id : node.engine.next(100)) {
        assertTrue(seen.add(id));
      }
    }
    assertEquals(3, node.keeper.status().workerIds().size());
    assertFalse(node.keeper.status().workerIds().contains(lost));
  }

  /** Somebody keeps one row locked: the others are renewed, and it is replaced in time. */
  @Test
  void renew_oneOfSeveralCannotBeRenewed_goesOnWithTheOthersAndReplacesIt() {
    EngineOptions options = EngineOptions.defaults();
    Node node = new Node(options, shared(options).withWorkers(3), store);
    for (int turn = 0; turn < 3; turn++) {
      store.lockedWorker = node.keeper.status().workerIds().get(turn);
      for (int i = 0; i < 120; i++) {
        time.advanceMillis(1_000);
        for (long id : node.engine.next(100)) {
          assertTrue(seen.add(id));
        }
      }
      assertEquals(3, node.keeper.status().workerIds().size());
      assertFalse(node.keeper.status().workerIds().contains(store.lockedWorker));
    }
  }

  /**
   * A clock that runs away too slowly for a leap: it stops where it last agreed, and comes back.
   */
  @Test
  void renew_clockDriftsFromTheStores_isUsedUpToTheAgreedHorizon() {
    for (int direction : new int[] {1, -1}) {
      FakeTime storeTime = new FakeTime(time.wallMillis());
      MemoryWorkerStore apart = new MemoryWorkerStore(storeTime, entropy);
      EngineOptions options = EngineOptions.defaults();
      Node node = new Node(options, shared(options), apart);
      int turns = 0;
      while (events.count("apart") < 2) {
        time.stepWall(direction * 5L); // within the rollback that is waited out
        time.advanceMillis(100);
        storeTime.advanceMillis(100);
        turns++;
      }
      assertTrue(turns < 1_000, "drift of a second: " + turns);
      node.take();
      long horizon = node.keeper.status().horizonMillis();
      assertTrue(node.keeper.status().problem().startsWith("clock: "));
      for (int i = 0; i < 800; i++) {
        time.advanceMillis(100);
        storeTime.advanceMillis(100);
      }
      assertEquals(horizon, node.keeper.status().horizonMillis());
      assertEquals(Reason.NO_LEASE, node.refusal());

      storeTime.stepWall(time.wallMillis() - storeTime.wallMillis());
      for (int i = 0; i < 200; i++) {
        time.advanceMillis(100);
        storeTime.advanceMillis(100);
      }
      node.take();
      assertEquals("", node.keeper.status().problem());
      node.stop();
      events.lines.clear();
    }
  }

  @Test
  void renew_storeHasAnotherIdentity_isTold() {
    MemoryWorkerStore first = new MemoryWorkerStore("a", time, entropy, false, Runnable::run);
    Switchboard board = new Switchboard(first);
    EngineOptions options = EngineOptions.defaults();
    Node node = new Node(options, shared(options), board);
    board.inner = first.replica("b", time);
    time.advanceMillis(30_000);
    node.take();
    assertEquals(1, events.count("store a -> b"));
  }

  /** C4, C12: another machine, and a clock a minute behind: refused until it has caught up. */
  @Test
  void start_clockAMinuteBehindTheStore_isRefused() {
    node();
    FakeTime slow = new FakeTime(START - 60_000);
    EngineOptions options = EngineOptions.defaults();
    var engine = new SnowflakeEngine(options, slow, slow.scheduler(), events, false);
    LeaseKeeper keeper =
        new LeaseKeeper(
            engine, store, KeeperOptions.leased(options, "test", false), "slow", entropy);
    keeper.start();
    slow.advanceMillis(5_000);
    assertEquals(
        "clock: -55000 ms from the store's (expected: at most 1000)", keeper.status().problem());
    assertEquals(Reason.NO_LEASE, assertThrows(IdException.class, engine::next).reason());
    assertTrue(store.claims < 30, "it does not hammer the store");
  }

  /** C3, C4: one machine, killed and started again with the clock back. */
  @Test
  void start_embeddedWithTheClockAnHourBack_isRefusedUntilItHasCaughtUp() {
    MemoryWorkerStore local = new MemoryWorkerStore("local", time, entropy, true, Runnable::run);
    EngineOptions options = EngineOptions.defaults();
    KeeperOptions terms = KeeperOptions.leased(options, "test", true);
    Node first = new Node(options, terms, local);
    long last = first.tick();
    time.scheduler().close();
    local.ownerEnded("owner-0");
    time.stepWall(-3_600_000);

    Node second = new Node(options, terms, local);
    assertFalse(second.started.isDone());
    assertTrue(
        second.keeper.status().problem().startsWith("clock: " + (START - 3_600_000)),
        second.keeper.status().problem());
    assertEquals(Reason.NO_LEASE, second.refusal());
    time.advanceMillis(3_600_000);
    time.advanceMillis(4_000);
    assertTrue(second.started.isDone());
    assertTrue(second.tick() > last);
  }

  /** C4: the policy goes above what was given out. */
  @Test
  void start_embeddedWithTheClockAnHourBackPolicyLogical_goesOnAbove() {
    MemoryWorkerStore local = new MemoryWorkerStore("local", time, entropy, true, Runnable::run);
    EngineOptions options = EngineOptions.defaults().withRollback(RollbackPolicy.LOGICAL, 10);
    KeeperOptions terms = KeeperOptions.leased(options, "test", true);
    Node first = new Node(options, terms, local);
    long last = first.tick();
    time.scheduler().close();
    local.ownerEnded("owner-0");
    time.stepWall(-3_600_000);

    Node second = new Node(options, terms, local);
    assertTrue(second.started.isDone());
    for (int i = 0; i < 20; i++) {
      long tick = second.tick();
      assertTrue(tick > last);
      last = tick;
      time.advanceMillis(1_000);
    }
    assertTrue(second.engine.status().ready());
  }

  /**
   * C3: killed after the horizon was set, started again at once: above all it could have issued.
   */
  @Test
  void start_embeddedAfterAKill_waitsAtMostTheWindow() {
    MemoryWorkerStore local = new MemoryWorkerStore("local", time, entropy, true, Runnable::run);
    EngineOptions options = EngineOptions.defaults();
    KeeperOptions terms = KeeperOptions.leased(options, "test", true);
    Node first = new Node(options, terms, local);
    first.take();
    long horizon = first.keeper.status().horizonMillis();
    time.scheduler().close();
    local.ownerEnded("owner-0");
    Node second = new Node(options, terms, local);
    time.advanceMillis(3_000);
    assertTrue(second.tick() >= second.engine.layout().tickAt(horizon));
  }

  /** C93. */
  @Test
  void renew_storeClockStepsBackOrAhead_healthyNodesKeepIssuing() {
    FakeTime storeTime = new FakeTime(START);
    MemoryWorkerStore skewed = new MemoryWorkerStore(storeTime, entropy);
    EngineOptions options = EngineOptions.defaults();
    Node node = new Node(options, shared(options), skewed);
    for (long step : new long[] {-3_600_000, 3_600_000, 120_000, 3_600_000, -1, -START}) {
      storeTime.stepWall(step);
      for (int i = 0; i < 30; i++) {
        time.advanceMillis(10_000);
        storeTime.advanceMillis(10_000);
        node.take();
      }
    }
    assertTrue(events.count("store jumped") >= 2);
    assertEquals(0, node.keeper.status().renewFailures());
  }

  /** C40: what the store says of time never extends a horizon. */
  @Test
  void renew_absurdStoreClock_horizonIsTheNodesClockAndWindow() {
    for (long absurd : new long[] {0, -1, 9_223_372_036L, Long.MAX_VALUE - 1_000_000_000_000L}) {
      FakeTime storeTime = new FakeTime(START);
      MemoryWorkerStore store = new MemoryWorkerStore(storeTime, entropy);
      EngineOptions options = EngineOptions.defaults();
      time.setWall(START);
      Node node = new Node(options, shared(options), store);
      storeTime.setWall(Math.min(absurd, 9_000_000_000_000L));
      time.advanceMillis(25_000);
      long horizon = node.keeper.status().horizonMillis();
      assertTrue(
          horizon <= START + 85_000 && horizon >= START + 75_000, () -> "horizon " + horizon);
    }
  }

  @Test
  void renew_clockLeapsAndTheStoreAgrees_servesAgainAtOnce() {
    Node node = node();
    node.take();
    time.stepWall(3_600_000); // a machine that was suspended: the store's clock is the same
    assertEquals(Reason.CLOCK_AHEAD, node.refusal());
    time.advanceMillis(1);
    node.take();
    assertTrue(node.engine.status().ready());
    assertEquals(1, events.count("leap"));
  }

  /** C8: nothing is persisted from a wild reading. */
  @Test
  void renew_clockLeapsAndTheStoreDisagrees_persistsNothing() {
    FakeTime storeTime = new FakeTime(START);
    MemoryWorkerStore other = new MemoryWorkerStore(storeTime, entropy);
    EngineOptions options = EngineOptions.defaults();
    Node node = new Node(options, shared(options), other);
    node.take();
    time.stepWall(10L * 365 * 24 * 3_600_000);
    assertEquals(Reason.CLOCK_AHEAD, node.refusal());
    time.advanceMillis(30_000);
    storeTime.advanceMillis(30_000);
    assertEquals(Reason.CLOCK_AHEAD, node.refusal());
    assertTrue(node.keeper.status().horizonMillis() <= START + 95_000);
    time.stepWall(-10L * 365 * 24 * 3_600_000);
    node.take();
  }

  @Test
  void new_termsThatCannotBeKept_areRefused() {
    LeaseTerms terms = shared(EngineOptions.defaults()).terms();
    var e =
        assertThrows(
            IllegalArgumentException.class,
            () -> shared(EngineOptions.defaults()).withTerms(terms, 30_001));
    assertEquals("renewEveryMs: 30001 (expected: 1..30000, half the window)", e.getMessage());
    e =
        assertThrows(
            IllegalArgumentException.class,
            () -> shared(EngineOptions.defaults()).withWorkers(1025));
    assertEquals("workers: 1025 (expected: 1..1024)", e.getMessage());
    e =
        assertThrows(
            IllegalArgumentException.class, () -> new LeaseTerms("n", "l", 60_000, 1_999, 1_000));
    assertEquals("reuseDelayMs: 1999 (expected: 2000..31622400000)", e.getMessage());
  }

  /** A store whose line can be cut. */
  private static final class Switchboard implements WorkerStore {
    MemoryWorkerStore inner;
    boolean away;
    boolean silent;
    boolean throwing;
    boolean loseNextReply;
    boolean loseEverySecondReply;
    int lockedWorker = -1; // whose row somebody keeps
    int claims;
    private int calls;

    Switchboard(MemoryWorkerStore inner) {
      this.inner = inner;
    }

    private CompletionStage<LeaseReply> through(Supplier<CompletionStage<LeaseReply>> request) {
      if (throwing) {
        throw new IllegalStateException("store: broken");
      }
      if (silent) {
        return new CompletableFuture<>();
      }
      if (away) {
        return CompletableFuture.failedFuture(
            StoreException.refused("store: away", new java.io.IOException()));
      }
      CompletionStage<LeaseReply> reply = request.get();
      if (loseNextReply || (loseEverySecondReply && ++calls % 2 == 0)) {
        loseNextReply = false;
        return CompletableFuture.failedFuture(
            StoreException.unknown("store: reply lost", new java.io.IOException()));
      }
      return reply;
    }

    @Override
    public String kind() {
      return inner.kind();
    }

    @Override
    public boolean embedded() {
      return inner.embedded();
    }

    @Override
    public CompletionStage<LeaseReply> claim(ClaimRequest request) {
      claims++;
      return through(() -> inner.claim(request));
    }

    @Override
    public CompletionStage<LeaseReply> extend(ExtendRequest request) {
      if (request.workerId() == lockedWorker) {
        return CompletableFuture.failedFuture(StoreException.refused("store: row locked"));
      }
      return through(() -> inner.extend(request));
    }

    @Override
    public CompletionStage<LeaseReply> release(ReleaseRequest request) {
      return through(() -> inner.release(request));
    }

    @Override
    public CompletionStage<LeaseReply> revoke(LeaseTerms terms, int workerId) {
      return through(() -> inner.revoke(terms, workerId));
    }

    @Override
    public CompletionStage<LeaseReply> fence(LeaseTerms terms, long wallMillis) {
      return through(() -> inner.fence(terms, wallMillis));
    }

    @Override
    public CompletionStage<Listing> list(String namespace) {
      return inner.list(namespace);
    }

    @Override
    public void close() {
      inner.close();
    }
  }
}
