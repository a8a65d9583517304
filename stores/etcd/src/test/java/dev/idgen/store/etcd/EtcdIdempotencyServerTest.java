package dev.idgen.store.etcd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.check.servers.CutProxy;
import dev.idgen.check.servers.EtcdServer;
import dev.idgen.store.IdempotencyEntry;
import dev.idgen.store.IdempotencyReply;
import dev.idgen.store.IdempotencyRequest;
import dev.idgen.store.IdempotencyRules;
import dev.idgen.store.IdempotencyStore.Finish;
import dev.idgen.store.StoreException;
import dev.idgen.time.TimeSource;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Idempotency keys on real servers that fail, by a member's clock. */
class EtcdIdempotencyServerTest {
  private static final long KEEP = 86_400_000;
  private static final long IN_FLIGHT = 60_000;

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

  private static StoreException failure(CompletionStage<?> stage) {
    var e = assertThrows(CompletionException.class, () -> join(stage));
    return assertInstanceOf(StoreException.class, e.getCause());
  }

  private static IdempotencyRequest request(String key, long attempt) {
    var entry = new IdempotencyEntry("default", "team/a", "order", key);
    return new IdempotencyRequest(entry, "print", attempt, KEEP, IN_FLIGHT, 100);
  }

  private static void started(EtcdIdempotencyStore store, IdempotencyRequest r) {
    assertEquals(new IdempotencyReply.Started(), join(store.begin(r)));
  }

  private String key(String name) {
    return Session.parse(url).path() + "/" + name;
  }

  private String value(String name) {
    return server.get(key(name));
  }

  // ---- what is written

  @Test
  void keys_ofAnEntry_areThoseOfTheDocumentation() {
    try (EtcdIdempotencyStore store = EtcdIdempotencyStore.open(url)) {
      IdempotencyRequest r = request("k/1", 7);
      started(store, r);
      String slot = "idempotency-use/default/team%2Fa/" + r.entry().slot();
      String[] row = value("idempotency/default/team%2Fa/order/k%2F1").split(" ", -1);
      assertEquals(
          "1 print 7 86400000 -", String.join(" ", row[0], row[1], row[2], row[4], row[5]));
      long end = Long.parseLong(row[3]);
      long now = TimeSource.system().wallMillis();
      assertTrue(Math.abs(end - IN_FLIGHT - now) < 5_000, row[3]);
      assertEquals("1", value(slot));
      assertEquals(4, keys());

      assertEquals(Finish.STORED, join(store.finish(r.entry(), 7, "1..5 of 9")));
      String text = value("idempotency/default/team%2Fa/order/k%2F1");
      assertTrue(text.endsWith(" 86400000 =1..5 of 9"), text);
      assertEquals("1", value(slot));
      assertEquals(4, keys());
    }
  }

  /** How many there are beside the identity's two. */
  private long keys() {
    String prefix = Session.parse(url).path() + "/idempotency";
    String count =
        server.post(
            "/v3/kv/range",
            "{\"key\":\""
                + base64(prefix)
                + "\",\"range_end\":\""
                + base64(Session.parse(url).path() + "/idempotencz")
                + "\",\"count_only\":true}");
    return Long.parseLong(count.replaceAll("(?s).*\"count\":\"(\\d+)\".*", "$1"));
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void abandon_entry_leavesTheCountAlone() {
    try (EtcdIdempotencyStore store = EtcdIdempotencyStore.open(url)) {
      IdempotencyRequest r = request("k", 7);
      started(store, r);
      assertEquals(true, join(store.abandon(r.entry(), 7)));
      assertEquals(1, keys());
      assertEquals("0", value("idempotency-use/default/team%2Fa/" + r.entry().slot()));
    }
  }

  // ---- what others write meanwhile

  @Test
  void finish_takenOverAfterTheRead_isLost() {
    try (EtcdIdempotencyStore store = EtcdIdempotencyStore.open(url);
        EtcdIdempotencyStore other = EtcdIdempotencyStore.open(url)) {
      IdempotencyRequest mine = request("k", 1);
      started(store, mine);
      AtomicInteger tries = new AtomicInteger();
      CompletionStage<Finish> finish =
          store.transact(
              "finish",
              mine.entry(),
              s -> {
                if (tries.incrementAndGet() == 1) {
                  join(other.abandon(mine.entry(), 1));
                  started(other, request("k", 2));
                }
                return IdempotencyRules.finish(s, 1, "1");
              });
      assertEquals(Finish.LOST, join(finish));
      assertEquals(2, tries.get());
      assertEquals(Finish.STORED, join(other.finish(mine.entry(), 2, "2")));
    }
  }

  /** The count of a slot is one of the conditions. */
  @Test
  void begin_anotherKeyOfTheSlotAfterTheRead_holdsTheQuota() {
    try (EtcdIdempotencyStore store = EtcdIdempotencyStore.open(url);
        EtcdIdempotencyStore other = EtcdIdempotencyStore.open(url)) {
      IdempotencyEntry entry = new IdempotencyEntry("default", "a", "order", "k");
      IdempotencyEntry neighbour = new IdempotencyEntry("default", "a", "item", "k");
      AtomicInteger tries = new AtomicInteger();
      CompletionStage<IdempotencyReply> begin =
          store.transact(
              "begin",
              entry,
              s -> {
                if (tries.incrementAndGet() == 1) {
                  started(other, new IdempotencyRequest(neighbour, "print", 2, KEEP, IN_FLIGHT, 1));
                }
                return IdempotencyRules.begin(
                    s, new IdempotencyRequest(entry, "print", 1, KEEP, IN_FLIGHT, 1));
              });
      assertEquals(new IdempotencyReply.Full(1), join(begin));
      assertEquals(2, tries.get());
    }
  }

  // ---- what is lost

  /** C41, C86: what was written and never heard of is adopted. */
  @Test
  void replies_lost_areUnknownAndAdopted() {
    try (CutProxy proxy = CutProxy.before(server.port());
        EtcdIdempotencyStore lossy =
            EtcdIdempotencyStore.open(
                "etcd://127.0.0.1:" + proxy.port() + Session.parse(url).path());
        EtcdIdempotencyStore store = EtcdIdempotencyStore.open(url)) {
      for (int i = 0; i < 5; i++) {
        IdempotencyRequest mine = request("k" + i, 10 + i);
        StoreException e =
            failure(
                lossy.transact(
                    "begin",
                    mine.entry(),
                    s -> {
                      proxy.loseReplies(true);
                      return IdempotencyRules.begin(s, mine);
                    }));
        proxy.loseReplies(false);
        assertTrue(e.outcomeUnknown(), e.toString());
        assertInstanceOf(IdempotencyReply.InFlight.class, join(store.begin(request("k" + i, 9))));
        started(store, mine);

        e =
            failure(
                lossy.transact(
                    "finish",
                    mine.entry(),
                    s -> {
                      proxy.loseReplies(true);
                      return IdempotencyRules.finish(s, mine.attempt(), "1");
                    }));
        proxy.loseReplies(false);
        assertTrue(e.outcomeUnknown(), e.toString());
        assertEquals(Finish.STORED, join(store.finish(mine.entry(), mine.attempt(), "1")));
      }
    }
  }

  // ---- what cannot be read

  @Test
  void rows_ofALaterVersion_areRefused() {
    try (EtcdIdempotencyStore store = EtcdIdempotencyStore.open(url)) {
      IdempotencyRequest r = request("k", 7);
      started(store, r);
      String key = key("idempotency/default/team%2Fa/order/k");
      server.put(key, "2 from the future");
      StoreException e = failure(store.begin(r));
      assertEquals("etcd: key " + key + ": row: version 2 (expected: 1)", e.getMessage());
      assertTrue(e.permanent());
      assertTrue(e.concernsRow());
    }
  }

  @Test
  void purge_keyThatIsNoEnd_isRefused() {
    try (EtcdIdempotencyStore store = EtcdIdempotencyStore.open(url)) {
      String key = key("idempotency-end/0000000000000000000/default");
      server.put(key, "");
      StoreException e = failure(store.purge(10));
      assertEquals("etcd: key " + key + ": end: 2 parts (expected: 5)", e.getMessage());
      assertTrue(e.permanent());
    }
  }
}
