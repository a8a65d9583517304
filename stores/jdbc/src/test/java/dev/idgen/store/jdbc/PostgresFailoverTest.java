package dev.idgen.store.jdbc;

import static dev.idgen.store.jdbc.Holder.answered;
import static dev.idgen.store.jdbc.Holder.granted;
import static dev.idgen.store.jdbc.Holder.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.check.contract.SettableWall;
import dev.idgen.check.servers.CutProxy;
import dev.idgen.check.servers.PostgresReplica;
import dev.idgen.check.servers.PostgresServer;
import dev.idgen.entropy.Entropy;
import dev.idgen.store.Refusal;
import dev.idgen.store.SegmentReply;
import dev.idgen.store.SegmentRequest;
import dev.idgen.store.SegmentTerms;
import dev.idgen.store.StoreException;
import dev.idgen.store.WorkerRow;
import java.sql.Connection;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * C45, C89, C94 with real servers: a standby is promoted that lacks the last second of what its
 * primary acknowledged. One failover for all tests, each of which has its own namespace or tag.
 *
 * <p>Time stands still but where a test moves it: how long the failover takes decides nothing.
 */
class PostgresFailoverTest {
  private static final long START = 1_800_000_000_000L;
  private static final long GAP = 1_000;
  private static final long FLOOR_DELAY = Holder.TERMS.floorDelayMs();

  private static final SettableWall time = new SettableWall(START);
  private static final GrantedCells cells = new GrantedCells();
  private static final Deque<AutoCloseable> open = new ArrayDeque<>();
  private static final Map<String, Holder> holders = new HashMap<>();
  private static final Map<String, Long> lastIds = new HashMap<>();
  private static final List<IssuingNode> nodes = new ArrayList<>();

  private static String url = "";
  private static String lateUrl = "";
  private static JdbcWorkerStore store;
  private static JdbcSegmentStore tags;
  private static String formerIdentity = "";
  private static String standbyAnswer = "";
  private static String whileAway = "";
  private static long promotedMillis;

  @BeforeAll
  static void loseTheLastSecond() {
    PostgresServer primary = opened(PostgresServer.start());
    CutProxy link = opened(CutProxy.before(primary.port()));
    PostgresReplica standby = opened(PostgresReplica.copyOf(primary));
    standby.follow(link.port());
    String hosts = "127.0.0.1:" + primary.port() + ",127.0.0.1:" + standby.port();
    String place = "postgres://postgres:postgres@" + hosts + "/postgres?targetServerType=primary";
    String schema = primary.freshSchema();
    url = place + "&currentSchema=" + schema;
    lateUrl = place + "&currentSchema=" + primary.freshSchema();
    store = opened(JdbcWorkerStore.open(dialect(), Entropy.operatingSystem()));
    tags = opened(JdbcSegmentStore.open(url));

    acknowledgeOnBoth();
    standby.awaitWritesOf(primary);
    standbyAnswer = refusal(url.replaceFirst("127.0.0.1:\\d+,(.*)targetServerType=primary&", "$1"));
    link.cut();
    acknowledgeOnThePrimary(primary.schemaUrl(schema));
    nodes.forEach(IssuingNode::awaitMore);
    primary.kill();
    whileAway = failure() + "; " + failure();
    standby.promote();
    promotedMillis = time.wallMillis();
  }

  private static void acknowledgeOnBoth() {
    holder("asleep", "sleeper").begins(store, 7);
    holder("revoked", "revoked").begins(store, 9);
    answered(() -> store.revoke(Holder.terms("revoked"), 9));
    time.add(Holder.TERMS.windowMs() + Holder.TERMS.reuseDelayMs() + 1);

    holder("running", "renewed").begins(store, 0);
    holder("running", "idle").claims(store, 1);
    granted(holder("renewed").extend(store));
    holder("forgotten", "first").begins(store, 0);
    formerIdentity = answered(() -> store.list("running")).identity();

    nodes.add(opened(IssuingNode.start(url, true)));
    nodes.add(opened(IssuingNode.start(url, false)));

    allocate(tags, "lost", -1);
    allocate(tags, "known", -1);
    allocate(tags, "quiet", -1);
    JdbcWorkerStore.open(lateUrl).close(); // its tables are there; no tag was asked for yet
  }

  private static void acknowledgeOnThePrimary(String primaryUrl) {
    time.add(1_000);
    granted(holder("renewed").extend(store));
    holder("forgotten", "forgotten").claims(store, 2);
    holder("asleep", "successor").claims(store, 7);
    holder("revoked", "heir").claims(store, 9);
    holder("young", "pioneer").begins(store, 0);
    nodes.add(opened(IssuingNode.start(primaryUrl, false)));

    for (int i = 0; i < 3; i++) {
      allocate(tags, "lost", -1);
      allocate(tags, "known", -1);
    }
    allocate(tags, "new", -1);
    try (JdbcSegmentStore late = JdbcSegmentStore.open(lateUrl)) {
      allocate(late, "late", -1);
    }
  }

  private static String refusal(String address) {
    var e = assertThrows(StoreException.class, () -> JdbcWorkerStore.open(address).close());
    assertFalse(e.permanent());
    return String.valueOf(e.getMessage());
  }

  private static String failure() {
    var e =
        assertThrows(
            CompletionException.class, () -> store.list("running").toCompletableFuture().join());
    return assertInstanceOf(StoreException.class, e.getCause()).toString();
  }

  @AfterAll
  static void endAll() throws Exception {
    while (!open.isEmpty()) {
      open.pop().close();
    }
  }

  @BeforeEach
  void beginAtThePromotion() {
    time.set(promotedMillis);
  }

  private static <T extends AutoCloseable> T opened(T resource) {
    open.push(resource);
    return resource;
  }

  private static PostgresDialect dialect() {
    return new PostgresDialect(DatabaseUrl.parse(url), new Patience(2_000)) {
      @Override
      public long nowMillis(Connection connection) {
        return time.wallMillis();
      }
    };
  }

  private static Holder holder(String namespace, String name) {
    Holder holder = new Holder(namespace, time, cells);
    holders.put(name, holder);
    return holder;
  }

  private static Holder holder(String name) {
    return Objects.requireNonNull(holders.get(name), name);
  }

  private static SegmentReply.Granted allocate(JdbcSegmentStore from, String tag, long mark) {
    var request = new SegmentRequest(SegmentTerms.of("default", tag, GAP), 100, mark);
    SegmentReply reply = answered(() -> from.allocate(request));
    var granted = assertInstanceOf(SegmentReply.Granted.class, reply, reply.toString());
    assertTrue(granted.first() > lastIds.getOrDefault(tag, 0L), granted.toString());
    lastIds.put(tag, granted.lastInclusive());
    return granted;
  }

  /** Claims in vain until the floor, then with success: by then all that was lost has ended. */
  private static Holder claimAtTheFloor(String namespace, int workerId) {
    Holder later = new Holder(namespace, time, cells);
    var resting = refused(Refusal.FLOOR, later.claim(store, workerId, false));
    assertEquals(FLOOR_DELAY, resting.retryAfterMs());
    time.add(FLOOR_DELAY - Holder.MAX_WAIT_MS - 1);
    refused(Refusal.FLOOR, later.claim(store, workerId, false));
    time.add(1);
    later.claims(store, workerId);
    assertEquals(promotedMillis + FLOOR_DELAY, later.row().fromMillis());
    cells.assertDisjoint(namespace);
    return later;
  }

  // ---- the address of both servers

  @Test
  void open_replicaThatNobodyWaitsFor_isTold() {
    assertEquals(1, store.risks().size(), store.risks().toString());
    assertTrue(store.risks().get(0).startsWith("replicas acknowledge after the commit"));
  }

  @Test
  void open_standbyAlone_isRefused() {
    assertTrue(standbyAnswer.endsWith("a standby (expected: the primary)"), standbyAnswer);
  }

  @Test
  void list_betweenDeathAndPromotion_isRefused() {
    assertTrue(whileAway.contains("no answer: Could not find a server"), whileAway);
  }

  @Test
  void list_afterPromotion_isAnotherIdentity() {
    assertTrue(formerIdentity.endsWith("/00000001"), formerIdentity);
    assertEquals(
        formerIdentity.replaceFirst("1$", "2"), answered(() -> store.list("running")).identity());
  }

  // ---- leases

  /** C89: a failover that loses a renewal is no outage. */
  @Test
  void extend_runningLeases_goOn() {
    Holder renewed = holder("renewed");
    Holder idle = holder("idle");
    WorkerRow before = renewed.row();
    WorkerRow after = granted(renewed.extend(store));
    assertEquals(before.horizonMillis(), after.horizonMillis());
    assertNotEquals(before.identity(), after.identity());
    for (int i = 0; i < 10; i++) {
      granted(renewed.extend(store));
      granted(idle.extend(store));
      time.add(Holder.TERMS.windowMs() / 6);
    }
    granted(holder("running", "later").claim(store, 2, false));
    cells.assertDisjoint("running");
  }

  @Test
  void claim_workerIdOfALostClaim_beginsAboveTheFloor() {
    Holder forgotten = holder("forgotten");
    refused(Refusal.LOST, forgotten.extend(store));
    Holder later = claimAtTheFloor("forgotten", 2);
    assertTrue(later.row().fromMillis() >= forgotten.row().horizonMillis());
    assertEquals(forgotten.row().generation(), later.row().generation()); // the store forgot it
    refused(Refusal.FENCED, forgotten.extend(store));
  }

  /** C89: the failover loses the last claim, and the expired owner before it wakes up. */
  @Test
  void extend_expiredOwnerOfBeforeALostClaim_isRefused() {
    var no = refused(Refusal.LOST, holder("sleeper").extend(store));
    assertTrue(no.message().contains("has passed on another store"), no.message());
    refused(Refusal.LOST, holder("successor").extend(store));
    claimAtTheFloor("asleep", 7);
    refused(Refusal.LOST, holder("sleeper").extend(store));
    refused(Refusal.FENCED, holder("successor").extend(store));
  }

  /** C94: an administrator took the lease, and the failover loses the claim that came after. */
  @Test
  void extend_revokedOwnerOfBeforeALostClaim_isRefused() {
    refused(Refusal.FENCED, holder("revoked").extend(store));
    refused(Refusal.LOST, holder("heir").extend(store));
    claimAtTheFloor("revoked", 9);
    refused(Refusal.LOST, holder("revoked").extend(store));
    refused(Refusal.FENCED, holder("heir").extend(store));
  }

  @Test
  void claim_namespaceThatWasLost_beginsAboveTheFloor() {
    refused(Refusal.LOST, holder("pioneer").extend(store));
    claimAtTheFloor("young", 0);
  }

  /**
   * Engines and keepers with clocks as they are: two lose a renewal, one its claim, and it reaches
   * the promoted server no more; another gets that one's worker id.
   */
  @Test
  void next_overAFailover_neverTwice() throws InterruptedException {
    nodes.add(opened(IssuingNode.start(url, false)));
    for (IssuingNode node : List.of(nodes.get(0), nodes.get(1), nodes.get(3))) {
      node.awaitMore();
    }
    Set<Long> all = new HashSet<>();
    for (IssuingNode node : nodes) {
      for (Long id : node.ids()) {
        assertTrue(all.add(id), () -> "twice: " + id);
      }
    }
  }

  // ---- ranges

  @Test
  void allocate_rangesThatWereLost_areNotGivenAgain() {
    SegmentReply.Granted first = allocate(tags, "lost", -1);
    assertTrue(first.skipped());
    assertEquals(100 + GAP + 1, first.first());
    SegmentReply.Granted second = allocate(tags, "lost", -1);
    assertFalse(second.skipped());
    assertEquals(first.lastInclusive() + 1, second.first());
  }

  @Test
  void allocate_byWhoKnowsOfLostRanges_goesOnAboveThem() {
    SegmentReply.Granted first = allocate(tags, "known", 400);
    assertTrue(first.skipped());
    assertEquals(400 + GAP + 1, first.first());
    assertFalse(allocate(tags, "known", -1).skipped());
  }

  @Test
  void allocate_tagThatLostNothing_leavesAGapToo() {
    assertEquals(100 + GAP + 1, allocate(tags, "quiet", -1).first());
    assertFalse(allocate(tags, "quiet", -1).skipped());
  }

  @Test
  void allocate_tagThatWasLost_leavesAGap() {
    SegmentReply.Granted first = allocate(tags, "new", -1);
    assertTrue(first.skipped());
    assertEquals(GAP + 1, first.first());
  }

  /** The first allocation ever, of a database whose tables are older. */
  @Test
  void allocate_tagsThatBeganInTheLostSecond_leaveAGap() {
    try (JdbcSegmentStore late = JdbcSegmentStore.open(lateUrl)) {
      assertTrue(allocate(late, "late", -1).skipped());
    }
  }
}
