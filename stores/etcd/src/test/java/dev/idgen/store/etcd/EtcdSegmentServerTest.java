package dev.idgen.store.etcd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.check.servers.CutProxy;
import dev.idgen.check.servers.EtcdServer;
import dev.idgen.store.BehindPolicy;
import dev.idgen.store.ClaimRequest;
import dev.idgen.store.LeaseReply;
import dev.idgen.store.LeaseTerms;
import dev.idgen.store.SegmentReply;
import dev.idgen.store.SegmentRequest;
import dev.idgen.store.SegmentRules;
import dev.idgen.store.SegmentTerms;
import dev.idgen.store.StoreException;
import dev.idgen.time.TimeSource;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Marks on real servers that fail. */
class EtcdSegmentServerTest {
  private static final LeaseTerms LEASES =
      new LeaseTerms("default", "41/10/12", 60_000, 5_000, 2_000);
  private static final SegmentTerms TERMS = SegmentTerms.of("default", "order", 1_000);

  private static EtcdServer server;

  private String url = "";

  @BeforeAll
  static void startServer() {
    server = EtcdServer.start();
  }

  @AfterAll
  static void endServer() {
    server.close();
  }

  @BeforeEach
  void makePlace() {
    url = server.freshUrl();
  }

  // ---- words

  private static <T> T join(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }

  private static SegmentReply.Granted granted(CompletionStage<SegmentReply> stage) {
    SegmentReply reply = join(stage);
    return assertInstanceOf(SegmentReply.Granted.class, reply, reply.toString());
  }

  private static SegmentReply.Granted allocate(EtcdSegmentStore store, long count) {
    return granted(store.allocate(new SegmentRequest(TERMS, count, -1)));
  }

  private static StoreException failure(CompletionStage<?> stage) {
    var e = assertThrows(CompletionException.class, () -> join(stage));
    return assertInstanceOf(StoreException.class, e.getCause());
  }

  /** An allocation before whose first write something happens. */
  private static CompletionStage<SegmentReply> allocate(
      EtcdSegmentStore store, AtomicInteger tries, Runnable between) {
    SegmentRequest request = new SegmentRequest(TERMS, 5, -1);
    return store.transact(
        "allocate",
        TERMS,
        s -> {
          if (tries.incrementAndGet() == 1) {
            between.run();
          }
          return SegmentRules.allocate(s, request);
        });
  }

  private static ClaimRequest claim() {
    long now = TimeSource.system().wallMillis();
    return new ClaimRequest(LEASES, "a", 1, 2, 7, 7, -1, now, 10, BehindPolicy.REFUSE, true);
  }

  private static String key(String url, String name) {
    return Session.parse(url).path() + "/" + name;
  }

  /** As an operator does it with a backup: keys and values are there, their revisions are new. */
  private static void copy(String fromUrl, EtcdServer to, String toUrl, List<String> names) {
    names.forEach(name -> to.put(key(toUrl, name), server.get(key(fromUrl, name))));
  }

  // ---- what others write meanwhile

  @Test
  void allocate_fenceAfterTheRead_leavesTheGap() {
    try (EtcdSegmentStore store = EtcdSegmentStore.open(url);
        EtcdWorkerStore leases = EtcdWorkerStore.open(url)) {
      assertInstanceOf(LeaseReply.Granted.class, join(leases.claim(claim())));
      assertEquals(1, allocate(store, 10).first());
      AtomicInteger tries = new AtomicInteger();

      SegmentReply.Granted granted =
          granted(
              allocate(
                  store,
                  tries,
                  () ->
                      assertInstanceOf(
                          LeaseReply.Fenced.class,
                          join(leases.fence(LEASES, TimeSource.system().wallMillis())))));

      assertEquals(2, tries.get());
      assertTrue(granted.skipped());
      assertEquals(1_011, granted.first());
      assertEquals(1, granted.row().fence());
      assertEquals(1_016, allocate(store, 1).first());
    }
  }

  @Test
  void allocate_anotherAfterTheRead_isAboveIt() {
    try (EtcdSegmentStore store = EtcdSegmentStore.open(url);
        EtcdSegmentStore other = EtcdSegmentStore.open(url)) {
      AtomicInteger tries = new AtomicInteger();

      SegmentReply.Granted granted = granted(allocate(store, tries, () -> allocate(other, 10)));

      assertEquals(2, tries.get());
      assertEquals(11, granted.first());
      assertFalse(granted.skipped());
    }
  }

  @Test
  void allocate_wipedAfterTheRead_beginsAnew() {
    try (EtcdSegmentStore store = EtcdSegmentStore.open(url)) {
      String before = allocate(store, 10).row().identity();

      SegmentReply.Granted granted =
          granted(allocate(store, new AtomicInteger(), () -> server.deleteAll(key(url, ""))));

      assertEquals(1, granted.first());
      assertNotEquals(before, granted.row().identity());
    }
  }

  @Test
  void allocate_othersAlwaysFirst_isRefusedAndNothingIsDone() {
    try (EtcdSegmentStore store = EtcdSegmentStore.open(url);
        EtcdSegmentStore other = EtcdSegmentStore.open(url)) {
      StoreException e =
          failure(
              store.transact(
                  "allocate",
                  TERMS,
                  s -> {
                    allocate(other, 1);
                    return SegmentRules.allocate(s, new SegmentRequest(TERMS, 1_000, -1));
                  }));

      assertEquals(
          "etcd: allocate: others came first 200 times (expected: a turn of its own)",
          e.getMessage());
      assertFalse(e.outcomeUnknown());
      assertFalse(e.permanent());
      assertEquals(201, allocate(store, 1).first());
    }
  }

  // ---- what is lost

  /** C41: in full with {@code -Didgen.losses=1000}. */
  @Test
  void replies_lost_leaveGapsAlone() {
    int losses = Integer.getInteger("idgen.losses", 20);
    try (CutProxy proxy = CutProxy.before(server.port());
        EtcdSegmentStore lossy =
            EtcdSegmentStore.open("etcd://127.0.0.1:" + proxy.port() + Session.parse(url).path());
        EtcdSegmentStore store = EtcdSegmentStore.open(url)) {
      for (int i = 0; i < losses; i++) {
        AtomicInteger tries = new AtomicInteger();
        StoreException e = failure(allocate(lossy, tries, () -> proxy.loseReplies(true)));
        proxy.loseReplies(false);

        assertTrue(e.outcomeUnknown(), e.toString());
        assertEquals(1, tries.get());
        assertEquals(i * 6L + 6, allocate(store, 1).first());
      }
    }
  }

  /** C45. */
  @Test
  void server_killedAfterAnAllocation_goesOnAbove() {
    try (EtcdServer mine = EtcdServer.start();
        EtcdSegmentStore store = EtcdSegmentStore.open(mine.freshUrl())) {
      assertEquals(1, allocate(store, 10).first());

      mine.kill();
      StoreException e = failure(store.allocate(new SegmentRequest(TERMS, 1, -1)));
      assertTrue(String.valueOf(e.getMessage()).contains("no answer: "), e.getMessage());
      assertFalse(e.permanent());
      mine.startAgain();

      SegmentReply.Granted granted = allocate(store, 1);
      assertEquals(11, granted.first());
      assertFalse(granted.skipped());
    }
  }

  /** C45: another cluster that has what a backup had. */
  @Test
  void restore_inAnotherCluster_leavesTheGap() {
    try (EtcdServer restored = EtcdServer.start();
        EtcdSegmentStore store = EtcdSegmentStore.open(url)) {
      allocate(store, 10);
      String there = restored.freshUrl();
      copy(url, restored, there, List.of("identity", "first-identity", "mark/default/order"));
      allocate(store, 100); // lost: the backup is older

      try (EtcdSegmentStore after = EtcdSegmentStore.open(there)) {
        SegmentReply.Granted granted = allocate(after, 1);
        assertTrue(granted.skipped());
        assertEquals(1_011, granted.first());
        assertNotEquals(allocate(store, 1).row().identity(), granted.row().identity());
        assertEquals(1_012, allocate(after, 1).first());
      }
    }
  }

  /** A tag that was first used after the backup is not there at all. */
  @Test
  void restore_withoutTheTag_leavesTheGap() {
    try (EtcdServer restored = EtcdServer.start();
        EtcdWorkerStore leases = EtcdWorkerStore.open(url)) {
      join(leases.list("default"));
      String there = restored.freshUrl();
      copy(url, restored, there, List.of("identity", "first-identity"));

      try (EtcdSegmentStore store = EtcdSegmentStore.open(url);
          EtcdSegmentStore after = EtcdSegmentStore.open(there)) {
        assertEquals(1, allocate(store, 10).first()); // lost
        SegmentReply.Granted granted = allocate(after, 1);
        assertTrue(granted.skipped());
        assertEquals(1_001, granted.first());
      }
    }
  }

  @Test
  void firstIdentity_unknown_leavesTheGapOfANewTag() {
    try (EtcdSegmentStore store = EtcdSegmentStore.open(url)) {
      server.deleteAll(key(url, "first-identity"));
      assertEquals(1_001, allocate(store, 1).first());
      assertEquals(1_002, allocate(store, 1).first());
    }
  }

  // ---- what cannot be read

  @Test
  void mark_ofALaterVersion_isRefused() {
    try (EtcdSegmentStore store = EtcdSegmentStore.open(url)) {
      String key = key(url, "mark/default/order");
      server.put(key, "2 from the future");
      StoreException e = failure(store.allocate(new SegmentRequest(TERMS, 1, -1)));
      assertEquals("etcd: key " + key + ": row: version 2 (expected: 1)", e.getMessage());
      assertTrue(e.permanent());
      assertTrue(failure(store.read("default", "order")).permanent());
    }
  }

  @Test
  void mark_written_isOneLine() {
    try (EtcdSegmentStore store = EtcdSegmentStore.open(url)) {
      String identity = allocate(store, 10).row().identity();
      assertEquals(
          "1 10 0 " + identity.replace("/", "%2F") + " 0 1 0",
          server.get(key(url, "mark/default/order")));
      assertEquals(identity, server.get(key(url, "first-identity")));
      assertEquals("etcd", store.kind());
      assertEquals(10, Objects.requireNonNull(join(store.read("default", "order"))).maxId());
    }
  }
}
