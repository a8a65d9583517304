package dev.idgen.store.zookeeper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.check.servers.CutProxy;
import dev.idgen.check.servers.TestCertificate;
import dev.idgen.check.servers.ZooKeeperServers;
import dev.idgen.entropy.Entropy;
import dev.idgen.store.BehindPolicy;
import dev.idgen.store.ClaimRequest;
import dev.idgen.store.ExtendRequest;
import dev.idgen.store.LeaseReply;
import dev.idgen.store.LeaseTerms;
import dev.idgen.store.StoreException;
import dev.idgen.store.WorkerRow;
import dev.idgen.time.TimeSource;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The store on real servers, by their own clock. */
class ZooKeeperServerTest {
  private static final LeaseTerms TERMS =
      new LeaseTerms("orders", "41/10/12", 60_000, 5_000, 2_000);
  private static final int OPENINGS = 10;
  private static final int MOST_TRIES = 600;
  private static final long PAUSE_NANOS = 50_000_000;

  private static ZooKeeperServers server;

  private final TimeSource time = TimeSource.system();
  private long numbers = 1;

  @BeforeAll
  static void startServer() {
    server = ZooKeeperServers.start();
  }

  @AfterAll
  static void endServer() {
    server.close();
  }

  // ---- words

  private ClaimRequest claim(String owner, int workerId) {
    return new ClaimRequest(
        TERMS,
        owner,
        numbers++,
        numbers++,
        workerId,
        workerId,
        -1,
        time.wallMillis(),
        10,
        BehindPolicy.REFUSE,
        true);
  }

  private ExtendRequest extend(WorkerRow row) {
    long now = time.wallMillis();
    return new ExtendRequest(
        TERMS, row.workerId(), row.generation(), row.token(), 0, numbers++, now, now);
  }

  private static <T> T join(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }

  private static WorkerRow granted(CompletionStage<LeaseReply> stage) {
    LeaseReply reply = join(stage);
    return assertInstanceOf(LeaseReply.Granted.class, reply, reply.toString()).row();
  }

  private static StoreException failure(CompletionStage<?> stage) {
    var e = assertThrows(CompletionException.class, () -> join(stage));
    return assertInstanceOf(StoreException.class, e.getCause());
  }

  /** As the keeper of a lease does: the same request until it is answered. */
  private static WorkerRow persistent(Supplier<CompletionStage<LeaseReply>> request) {
    for (int i = 0; i < MOST_TRIES; i++) {
      LeaseReply reply = request.get().toCompletableFuture().exceptionally(e -> null).join();
      if (reply != null) {
        return assertInstanceOf(LeaseReply.Granted.class, reply, reply.toString()).row();
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    throw new AssertionError("no answer");
  }

  private static StoreException refused(String url) {
    return assertThrows(StoreException.class, () -> ZooKeeperWorkerStore.open(url).close());
  }

  private static void assertPermanent(String url, String part) {
    StoreException e = refused(url);
    String message = String.valueOf(e.getMessage());
    assertTrue(message.contains(part), message);
    assertTrue(message.startsWith("zookeeper: zookeeper://127.0.0.1:"), message);
    assertFalse(message.contains("secret"), message);
    assertTrue(e.permanent(), message);
    assertFalse(e.outcomeUnknown(), message);
  }

  // ---- one server

  @Test
  void claim_emptyPath_isGrantedByTheServersClock() throws Exception {
    String url = server.freshUrl();
    try (ZooKeeperWorkerStore store = ZooKeeperWorkerStore.open(url)) {
      LeaseReply reply = join(store.claim(claim("a", 7)));
      WorkerRow row = assertInstanceOf(LeaseReply.Granted.class, reply).row();
      assertTrue(Math.abs(reply.storeMillis() - time.wallMillis()) < 2_000, reply.toString());
      assertTrue(reply.identity().matches("[0-9a-f]{32}"), reply.identity());
      WorkerRow longer = granted(store.extend(extend(row)));
      assertTrue(longer.horizonMillis() >= row.horizonMillis());
      assertEquals(List.of(longer), join(store.list("orders")).workers());
      assertEquals("zookeeper", store.kind());
      assertFalse(store.embedded());
      assertEquals("a", alive(url));
    }
    assertNull(alive(url));
  }

  /** Who is said to hold worker id 7. */
  private static @Nullable String alive(String url) throws Exception {
    var address = ZooKeeperWorkerStore.parse(url);
    Session session = Session.begin(address, TimeSource.system());
    try {
      var node = session.read(new Nodes(address.path()).alive("orders", 7));
      return node == null ? null : node.data();
    } finally {
      session.close();
    }
  }

  @Test
  void identity_ofAnotherPath_isAnother() {
    try (ZooKeeperWorkerStore one = ZooKeeperWorkerStore.open(server.freshUrl());
        ZooKeeperWorkerStore two = ZooKeeperWorkerStore.open(server.freshUrl())) {
      assertNotEquals(join(one.list("orders")).identity(), join(two.list("orders")).identity());
    }
  }

  @Test
  void open_nobodyThere_mayPass() {
    StoreException e = refused("zookeeper://127.0.0.1:1,127.0.0.1:2");
    assertTrue(String.valueOf(e.getMessage()).contains("no answer: "), e.getMessage());
    assertFalse(e.permanent());
    assertFalse(e.outcomeUnknown());
  }

  @Test
  void open_anotherAccount_isRefused() {
    String url = server.freshUrl();
    String mine = url.replace("://", "://me:secret@");
    try (ZooKeeperWorkerStore store = ZooKeeperWorkerStore.open(mine)) {
      granted(store.claim(claim("a", 7)));
    }
    assertPermanent(url, "access refused");
    assertPermanent(url.replace("://", "://me:secret2@"), "access refused");
    ZooKeeperWorkerStore.open(mine).close();
  }

  /** What is above the path belongs to all who have something there. */
  @Test
  void open_withAnAccount_leavesWhatIsAboveToOthers() {
    String above = server.freshUrl();
    String mine = above.replace("://", "://me:secret@") + "/mine";
    ZooKeeperWorkerStore.open(mine).close();
    ZooKeeperWorkerStore.open(above + "/others").close();
    assertPermanent(above + "/mine", "access refused");
  }

  /** The client asks for the name of an address. */
  @Test
  void open_overTls_servesWhereTheAuthorityIsNamed(@TempDir Path folder) {
    TestCertificate certificate = TestCertificate.in(folder, "dns:localhost,ip:127.0.0.1");
    try (CutProxy proxy = CutProxy.encrypting(server.port(0), certificate)) {
      String url = "zookeepers://127.0.0.1:" + proxy.port() + "/tls";
      try (ZooKeeperWorkerStore store = opened(url + "?ca=" + certificate.cert())) {
        granted(store.extend(extend(granted(store.claim(claim("a", 7))))));
      }
      assertNotBelieved(url);
    }
  }

  @Test
  void open_overTlsToAnotherName_isRefused(@TempDir Path folder) {
    TestCertificate certificate = TestCertificate.in(folder, "dns:elsewhere.invalid");
    try (CutProxy proxy = CutProxy.encrypting(server.port(0), certificate)) {
      assertNotBelieved("zookeepers://127.0.0.1:" + proxy.port() + "/tls?ca=" + certificate.cert());
    }
  }

  private static void assertNotBelieved(String url) {
    StoreException e = refused(url);
    assertTrue(String.valueOf(e.getMessage()).contains("no answer: "), e.getMessage());
    assertFalse(e.permanent());
  }

  /** As a server does that is started: again until it is there. */
  private static ZooKeeperWorkerStore opened(String url) {
    for (int i = 1; i < OPENINGS; i++) {
      try {
        return ZooKeeperWorkerStore.open(url);
      } catch (StoreException e) {
        assertFalse(e.permanent(), e::toString);
      }
    }
    return ZooKeeperWorkerStore.open(url);
  }

  @Test
  void server_stoppedAndStartedAgain_hasWhatItAcknowledged() {
    try (ZooKeeperServers mine = ZooKeeperServers.start();
        ZooKeeperWorkerStore store = ZooKeeperWorkerStore.open(mine.freshUrl())) {
      WorkerRow row = granted(store.extend(extend(granted(store.claim(claim("a", 7))))));
      var before = join(store.list("orders"));

      mine.kill(0);
      StoreException e = failure(store.extend(extend(row)));
      assertTrue(String.valueOf(e.getMessage()).contains("no answer: "), e.getMessage());
      assertFalse(e.permanent());
      mine.startAgain(0);

      ExtendRequest longer = extend(row);
      assertEquals(longer.newToken(), persistent(() -> store.extend(longer)).token());
      var after = join(store.list("orders"));
      assertEquals(before.namespace(), after.namespace());
      assertEquals(before.identity(), after.identity());
      assertEquals(before.workers().get(0).fromMillis(), after.workers().get(0).fromMillis());
    }
  }

  /** C42: a write whose reply is lost has made one node, which the repeat adopts. */
  @Test
  void replies_lost_areUnknownAndAdopted() {
    try (CutProxy proxy = CutProxy.before(server.port(0))) {
      var address = ZooKeeperWorkerStore.parse("zookeeper://127.0.0.1:" + proxy.port() + "/lossy");
      // The clock is asked between reading and writing, so that it is the write whose reply is
      // lost.
      LongUnaryOperator asked =
          told -> {
            proxy.loseReplies(true);
            return told;
          };
      try (var lossy = ZooKeeperWorkerStore.open(address, asked, Entropy.operatingSystem());
          var store = ZooKeeperWorkerStore.open(address, t -> t, Entropy.operatingSystem())) {
        WorkerRow row = granted(store.claim(claim("first", 7)));
        for (int i = 0; i < 10; i++) {
          ClaimRequest claim = claim("p" + i, 100 + i);
          StoreException e = failure(lossy.claim(claim));
          assertTrue(e.outcomeUnknown(), e.toString());
          proxy.loseReplies(false);
          row = persistent(() -> store.claim(claim));
          assertEquals(1, row.generation());
          assertEquals(i + 2, listed(store));
        }
        for (int i = 0; i < 10; i++) {
          ExtendRequest longer = extend(row);
          assertTrue(failure(lossy.extend(longer)).outcomeUnknown());
          proxy.loseReplies(false);
          row = persistent(() -> store.extend(longer));
          assertEquals(longer.newToken(), row.token());
        }
      }
    }
  }

  private static int listed(ZooKeeperWorkerStore store) {
    return join(store.list("orders")).workers().size();
  }

  /** C42: the end of a session ends no lease, and the next session goes on with it. */
  @Test
  void session_cut_keepsTheLease() {
    try (CutProxy proxy = CutProxy.before(server.port(0));
        ZooKeeperWorkerStore store =
            ZooKeeperWorkerStore.open("zookeeper://127.0.0.1:" + proxy.port() + "/cut")) {
      WorkerRow row = granted(store.claim(claim("a", 7)));
      proxy.cut();
      StoreException e = failure(store.extend(extend(row)));
      assertTrue(String.valueOf(e.getMessage()).contains("no answer: "), e.getMessage());
      proxy.mend();
      ExtendRequest longer = extend(row);
      WorkerRow extended = persistent(() -> store.extend(longer));
      assertEquals(row.generation(), extended.generation());
      assertEquals(longer.newToken(), extended.token());
    }
  }

  /** C43: a version that means "any" checks nothing, so nothing is written by it. */
  @Test
  void version_meaningAny_isRefused() {
    var node = new Session.Node("/n", "", -1);
    StoreException e =
        assertThrows(StoreException.class, () -> ZooKeeperWorkerStore.checkable(node));
    assertEquals(
        "zookeeper: node /n: version -1 (expected: one that can be compared; write the node once by"
            + " hand)",
        e.getMessage());
    assertEquals(
        Integer.MIN_VALUE,
        ZooKeeperWorkerStore.checkable(new Session.Node("/n", "", Integer.MIN_VALUE)));
  }

  /** C40. */
  @ParameterizedTest
  @ValueSource(longs = {0, -1, 9_223_372_036L, Long.MAX_VALUE, Long.MIN_VALUE})
  void clock_absurd_isRefused(long millis) {
    StoreException e =
        assertThrows(StoreException.class, () -> ZooKeeperWorkerStore.believed(millis));
    assertEquals(
        "zookeeper: clock: " + millis + " (expected: a time of 2020 to 2199)", e.getMessage());
    assertFalse(e.permanent());
  }

  // ---- three servers

  @Test
  void cluster_eachServerKilledInTurn_goesOn() {
    try (ZooKeeperServers three = ZooKeeperServers.startCluster(3);
        ZooKeeperWorkerStore store = ZooKeeperWorkerStore.open(three.freshUrl())) {
      WorkerRow row = granted(store.claim(claim("a", 7)));
      String identity = join(store.list("orders")).identity();
      for (int i = 0; i < 3; i++) { // one of them leads
        three.kill(i);
        ExtendRequest longer = extend(row);
        WorkerRow extended = persistent(() -> store.extend(longer));
        assertEquals(row.generation(), extended.generation());
        row = extended;
        ClaimRequest claim = claim("b" + i, 8 + i);
        assertEquals(1, persistent(() -> store.claim(claim)).generation());
        three.startAgain(i);
      }
      ExtendRequest last = extend(row);
      assertEquals(identity, row.identity());
      assertEquals(last.newToken(), persistent(() -> store.extend(last)).token());
    }
  }
}
