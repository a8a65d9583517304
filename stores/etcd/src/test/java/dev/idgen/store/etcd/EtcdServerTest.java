package dev.idgen.store.etcd;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.check.servers.CutProxy;
import dev.idgen.check.servers.EtcdServer;
import dev.idgen.entropy.Entropy;
import dev.idgen.store.BehindPolicy;
import dev.idgen.store.ClaimRequest;
import dev.idgen.store.ExtendRequest;
import dev.idgen.store.LeaseReply;
import dev.idgen.store.LeaseTerms;
import dev.idgen.store.ReleaseRequest;
import dev.idgen.store.StoreException;
import dev.idgen.store.WorkerRow;
import dev.idgen.time.TimeSource;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The store on real servers, by their own clock. */
class EtcdServerTest {
  private static final LeaseTerms TERMS =
      new LeaseTerms("orders", "41/10/12", 60_000, 5_000, 2_000);
  private static final int MOST_TRIES = 600;
  private static final long PAUSE_NANOS = 50_000_000;

  private static EtcdServer server;

  private final TimeSource time = TimeSource.system();
  private long numbers = 1;

  @BeforeAll
  static void startServer() {
    server = EtcdServer.start();
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
    LeaseReply reply = answered(request);
    return assertInstanceOf(LeaseReply.Granted.class, reply, reply.toString()).row();
  }

  private static <T> T answered(Supplier<CompletionStage<T>> request) {
    for (int i = 0; i < MOST_TRIES; i++) {
      T reply = request.get().toCompletableFuture().exceptionally(e -> null).join();
      if (reply != null) {
        return reply;
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    throw new AssertionError("no answer");
  }

  private static StoreException refused(String url) {
    return assertThrows(StoreException.class, () -> EtcdWorkerStore.open(url).close());
  }

  private static void assertPermanent(String url, String part) {
    StoreException e = refused(url);
    String message = String.valueOf(e.getMessage());
    assertTrue(message.contains(part), message);
    assertTrue(message.startsWith("etcd: etcd://127.0.0.1:"), message);
    assertFalse(message.contains("secret"), message);
    assertTrue(e.permanent(), message);
    assertFalse(e.outcomeUnknown(), message);
  }

  // ---- one server

  @Test
  void claim_emptyPrefix_isGrantedByTheMembersClock() {
    String url = server.freshUrl();
    String key = Session.parse(url).path() + "/alive/orders/0000007";
    try (EtcdWorkerStore store = EtcdWorkerStore.open(url)) {
      LeaseReply reply = join(store.claim(claim("a", 7)));
      WorkerRow row = assertInstanceOf(LeaseReply.Granted.class, reply).row();
      assertTrue(Math.abs(reply.storeMillis() - time.wallMillis()) < 2_000, reply.toString());
      assertTrue(reply.identity().matches("[0-9a-f]{32}/[0-9a-f]{1,16}"), reply.identity());
      WorkerRow longer = granted(store.extend(extend(row)));
      assertTrue(longer.horizonMillis() >= row.horizonMillis());
      assertEquals(List.of(longer), join(store.list("orders")).workers());
      assertEquals("etcd", store.kind());
      assertFalse(store.embedded());
      assertEquals("a", server.get(key));
      granted(store.release(new ReleaseRequest(TERMS, 7, 1, longer.token(), 0, 0)));
      assertEquals("", server.get(key));
    }
  }

  @Test
  void claim_timeToShowTheOwner_isAsSet() {
    String url = server.freshUrl();
    String key = Session.parse(url).path() + "/alive/orders/0000007";
    try (EtcdWorkerStore store = EtcdWorkerStore.open(url, 2_001)) {
      granted(store.claim(claim("a", 7)));
      String range =
          "{\"key\":\"" + Base64.getEncoder().encodeToString(key.getBytes(UTF_8)) + "\"}";
      String lease = number("lease", server.post("/v3/kv/range", range));
      String told = server.post("/v3/lease/timetolive", "{\"ID\":\"" + lease + "\"}");
      assertEquals("3", number("grantedTTL", told));
    }
    var e = assertThrows(IllegalArgumentException.class, () -> EtcdWorkerStore.open(url, 0));
    assertEquals("ttlMs: 0 (expected: >= 1)", e.getMessage());
  }

  private static String number(String name, String json) {
    return json.replaceAll("(?s).*\"" + name + "\":\"(\\d+)\".*", "$1");
  }

  @Test
  void identity_ofAnotherPrefix_isAnother() {
    try (EtcdWorkerStore one = EtcdWorkerStore.open(server.freshUrl());
        EtcdWorkerStore two = EtcdWorkerStore.open(server.freshUrl())) {
      assertNotEquals(join(one.list("orders")).identity(), join(two.list("orders")).identity());
    }
  }

  @Test
  void open_nobodyThere_mayPass() {
    StoreException e = refused("etcd://127.0.0.1:1,127.0.0.1:2");
    assertTrue(String.valueOf(e.getMessage()).contains("no answer: "), e.getMessage());
    assertFalse(e.permanent());
    assertFalse(e.outcomeUnknown());
  }

  @Test
  void open_rowOfALaterVersion_isRefused() {
    String url = server.freshUrl();
    try (EtcdWorkerStore store = EtcdWorkerStore.open(url)) {
      granted(store.claim(claim("a", 7)));
      String key = Session.parse(url).path() + "/worker/orders/0000007";
      server.put(key, "2 from the future");
      StoreException e = failure(store.claim(claim("b", 8)));
      assertEquals("etcd: key " + key + ": row: version 2 (expected: 1)", e.getMessage());
      assertTrue(e.permanent());
    }
  }

  /** C45, for leases: what was acknowledged is there after kill -9 of the server. */
  @Test
  void server_killedAndStartedAgain_hasWhatItAcknowledged() {
    try (EtcdServer mine = EtcdServer.start();
        EtcdWorkerStore store = EtcdWorkerStore.open(mine.freshUrl())) {
      WorkerRow row = granted(store.extend(extend(granted(store.claim(claim("a", 7))))));
      var before = join(store.list("orders"));

      mine.kill();
      StoreException e = failure(store.extend(extend(row)));
      assertTrue(String.valueOf(e.getMessage()).contains("no answer: "), e.getMessage());
      assertFalse(e.permanent());
      mine.startAgain();

      // What shows that the owner is alive may rest before it tries a connection again.
      var after = answered(() -> store.list("orders"));
      assertEquals(before.workers(), after.workers());
      assertEquals(before.namespace(), after.namespace());
      assertEquals(before.identity(), after.identity());
      granted(store.extend(extend(row)));
    }
  }

  /** C41: a write whose reply is lost is never sent again by the library, and is adopted. */
  @Test
  void replies_lost_areUnknownAndAdopted() {
    try (CutProxy proxy = CutProxy.before(server.port())) {
      var address = Session.parse("etcd://127.0.0.1:" + proxy.port() + "/lossy");
      // The clock is asked between reading and writing, so that it is the write whose reply is
      // lost.
      StoreClock clock = clock(() -> proxy.loseReplies(true));
      StoreClock well = clock(() -> proxy.loseReplies(false));
      try (var lossy = EtcdWorkerStore.open(address, clock, Entropy.operatingSystem());
          var store = EtcdWorkerStore.open(address, well, Entropy.operatingSystem())) {
        WorkerRow row = granted(store.claim(claim("first", 7)));
        for (int i = 0; i < 10; i++) {
          ClaimRequest claim = claim("p" + i, 100 + i);
          StoreException e = failure(lossy.claim(claim));
          assertTrue(e.outcomeUnknown(), e.toString());
          proxy.loseReplies(false);
          row = persistent(() -> store.claim(claim));
          assertEquals(1, row.generation());
          assertEquals(i + 2, join(store.list("orders")).workers().size());
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

  private StoreClock clock(Runnable asked) {
    return new StoreClock() {
      @Override
      public void refresh() {
        // The machine's own.
      }

      @Override
      public long nowMillis() {
        asked.run();
        return time.wallMillis();
      }
    };
  }

  // ---- accounts

  @Test
  void open_accounts_areCheckedAndTold() {
    try (EtcdServer guarded = EtcdServer.start()) {
      assertPermanent(url(guarded, "app:secret", "/app"), "authentication is not enabled");
      guarded.post("/v3/auth/user/add", "{\"name\":\"root\",\"password\":\"r\"}");
      guarded.post("/v3/auth/user/add", "{\"name\":\"app\",\"password\":\"secret\"}");
      guarded.post("/v3/auth/role/add", "{\"name\":\"ids\"}");
      guarded.post(
          "/v3/auth/role/grant",
          "{\"name\":\"ids\",\"perm\":{\"permType\":2,\"key\":\"L2FwcC8=\","
              + "\"range_end\":\"L2FwcDA=\"}}");
      guarded.post("/v3/auth/user/grant", "{\"user\":\"app\",\"role\":\"ids\"}");
      guarded.post("/v3/auth/user/grant", "{\"user\":\"root\",\"role\":\"root\"}");
      guarded.post("/v3/auth/enable", "{}");

      try (EtcdWorkerStore store = EtcdWorkerStore.open(url(guarded, "app:secret", "/app"))) {
        granted(store.claim(claim("a", 7)));
      }
      assertPermanent(url(guarded, "app:secret2", "/app"), "authentication failed");
      assertPermanent(url(guarded, "app:secret", "/other"), "permission denied");
      assertPermanent(url(guarded, "", "/app"), "user name is empty");
    }
  }

  private static String url(EtcdServer server, String account, String path) {
    String at = account.isEmpty() ? "" : account + "@";
    return "etcd://" + at + "127.0.0.1:" + server.port() + path;
  }

  // ---- three members

  @Test
  void cluster_leaderKilled_goesOn() {
    List<EtcdServer> members = EtcdServer.startCluster(3);
    try (EtcdWorkerStore store = EtcdWorkerStore.open(EtcdServer.freshUrl(members))) {
      WorkerRow row = granted(store.claim(claim("a", 7)));
      String identity = join(store.list("orders")).identity();
      EtcdServer leader = members.stream().filter(EtcdServer::leads).findFirst().orElseThrow();

      leader.kill();

      ExtendRequest longer = extend(row);
      WorkerRow extended = persistent(() -> store.extend(longer));
      assertEquals(row.generation(), extended.generation());
      ClaimRequest claim = claim("b", 8);
      assertEquals(1, persistent(() -> store.claim(claim)).generation());
      assertEquals(identity, join(store.list("orders")).identity());

      leader.startAgain();
      granted(store.extend(extend(extended)));
    } finally {
      members.forEach(EtcdServer::close);
    }
  }
}
