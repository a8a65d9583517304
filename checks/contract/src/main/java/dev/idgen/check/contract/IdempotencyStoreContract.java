package dev.idgen.check.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.store.IdempotencyEntry;
import dev.idgen.store.IdempotencyReply;
import dev.idgen.store.IdempotencyRequest;
import dev.idgen.store.IdempotencyRow;
import dev.idgen.store.IdempotencyStore;
import dev.idgen.store.IdempotencyStore.Finish;
import dev.idgen.store.StoreException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What every {@link IdempotencyStore} must do. The author of a store extends this in its tests,
 * says how to open it, and lets its clock show {@link #time}.
 */
public abstract class IdempotencyStoreContract {
  private static final long START = 1_800_000_000_000L;
  private static final long IN_FLIGHT = 30_000;
  private static final long KEEP = 86_400_000;
  private static final int MANY = 1_000;
  private static final long ANSWER_S = 60;

  /** More than the connections of a client that ended with their server. */
  private static final int TRIES = 64;

  private static final int CONTENDERS = 48;
  private static final int THREADS = 4;

  /** What the store's clock must show. */
  protected final SettableWall time = new SettableWall(START);

  private final List<IdempotencyStore> open = new ArrayList<>();
  private final AtomicLong attempts = new AtomicLong(Long.MAX_VALUE - 1_000_000);

  /**
   * Opens one more client of one and the same store, which is empty at the first call in a test.
   *
   * @return of its own: closing it leaves the others open
   */
  protected abstract IdempotencyStore openClient();

  /** Forgets everything, as when a disk was replaced. No client is open. */
  protected abstract void wipe();

  /** Ends the store's server as kill -9 would, and starts it again; where there is one. */
  protected void restartServer() {}

  @AfterEach
  void closeClients() {
    open.forEach(IdempotencyStore::close);
  }

  // ---- one attempt after the other

  @Test
  void begin_newKey_isOneAttemptsUntilItIsFinished() {
    IdempotencyStore one = open();
    IdempotencyStore two = open();
    IdempotencyRequest mine = request("k");
    started(one, mine);

    time.add(1_000);
    assertEquals(new IdempotencyReply.InFlight(IN_FLIGHT - 1_000), begun(two, request("k")));
    assertEquals(Finish.STORED, finished(one, mine, "1..5"));
    assertEquals(new IdempotencyReply.Done("1..5"), begun(two, request("k")));
    assertEquals(new IdempotencyReply.Done("1..5"), begun(one, mine));
  }

  @Test
  void begin_otherRequest_isAMismatch() {
    IdempotencyStore store = open();
    IdempotencyRequest mine = request("k");
    started(store, mine);
    IdempotencyRequest other = request(entry("k"), "other", 9, MANY);
    assertEquals(new IdempotencyReply.Mismatch(), begun(store, other));
    finished(store, mine, "1");
    assertEquals(new IdempotencyReply.Mismatch(), begun(store, other));
    assertEquals(new IdempotencyReply.Done("1"), begun(store, request("k")));
  }

  /** Whoever did not hear the answer asks again. */
  @Test
  void begin_sameAttempt_isStartedAgain() {
    IdempotencyStore store = open();
    IdempotencyRequest mine = request("k");
    started(store, mine);
    started(open(), mine);
    assertEquals(Finish.STORED, finished(store, mine, "1"));
  }

  @Test
  void begin_attemptThatHasExpired_isTakenOver() {
    IdempotencyStore store = open();
    IdempotencyRequest mine = request("k");
    started(store, mine);
    time.add(IN_FLIGHT - 1);
    assertEquals(new IdempotencyReply.InFlight(1), begun(store, request("k")));

    time.add(1);
    IdempotencyRequest heir = request(entry("k"), "of-another-request", 5, MANY);
    started(open(), heir);
    assertEquals(Finish.LOST, finished(store, mine, "1"));
    assertEquals(false, join(store.abandon(mine.entry(), mine.attempt())));
    assertEquals(Finish.STORED, finished(store, heir, "2"));
    assertEquals(Finish.LOST, finished(store, mine, "1"));
  }

  @Test
  void finish_afterItsTime_isLost() {
    IdempotencyStore store = open();
    IdempotencyRequest mine = request("k");
    started(store, mine);
    time.add(IN_FLIGHT);
    assertEquals(Finish.LOST, finished(store, mine, "1"));
    started(store, request("k"));
  }

  @Test
  void finish_repeated_isStoredOnce() {
    IdempotencyStore store = open();
    IdempotencyRequest mine = request("k");
    started(store, mine);
    assertEquals(Finish.STORED, finished(store, mine, "1"));
    time.add(KEEP - 1);
    assertEquals(Finish.STORED, finished(open(), mine, "1"));
    assertEquals(Finish.LOST, finished(store, mine, "2"));
    assertEquals(Finish.LOST, finished(store, request("k"), "1"));
    assertEquals(new IdempotencyReply.Done("1"), begun(store, request("k")));
    time.add(1);
    started(store, request("k"));
  }

  @Test
  void finish_unknown_isLost() {
    IdempotencyStore store = open();
    assertEquals(Finish.LOST, finished(store, request("k"), "1"));
    started(store, request("k"));
  }

  /** C86: a failure is not stored. */
  @Test
  void abandon_attempt_isBegunAgainAtOnce() {
    IdempotencyStore store = open();
    IdempotencyRequest mine = request("k");
    started(store, mine);
    assertEquals(false, join(store.abandon(mine.entry(), 1)));
    assertEquals(true, join(store.abandon(mine.entry(), mine.attempt())));
    assertEquals(false, join(store.abandon(mine.entry(), mine.attempt())));
    assertEquals(Finish.LOST, finished(store, mine, "1"));

    IdempotencyRequest next = request(entry("k"), "another-body", 5, MANY);
    started(open(), next);
    assertEquals(Finish.STORED, finished(store, next, "2"));
    assertEquals(false, join(store.abandon(next.entry(), next.attempt())));
    assertEquals(new IdempotencyReply.Done("2"), begun(store, next));
  }

  /** A store whose clock was set back keeps entries for longer, and tells nobody to wait longer. */
  @Test
  void begin_clockSetBack_waitsForNoLonger() {
    IdempotencyStore store = open();
    started(store, request("k"));
    time.add(-3_600_000);
    assertEquals(new IdempotencyReply.InFlight(IN_FLIGHT), begun(store, request("k")));
  }

  // ---- strangers

  /** C86. */
  @Test
  void entries_ofTwoCallersTagsAndNamespaces_areIndependent() {
    IdempotencyStore store = open();
    List<IdempotencyEntry> entries =
        List.of(
            new IdempotencyEntry("default", "a", "order", "k"),
            new IdempotencyEntry("default", "b", "order", "k"),
            new IdempotencyEntry("default", "A", "order", "k"),
            new IdempotencyEntry("default", "a", "ORDER", "k"),
            new IdempotencyEntry("other", "a", "order", "k"),
            new IdempotencyEntry("default", "a", "order", "K"),
            new IdempotencyEntry("default", "a/order", "k", "order"),
            new IdempotencyEntry("default", "a", "order", "k/order"));
    for (int i = 0; i < entries.size(); i++) {
      IdempotencyRequest r = request(entries.get(i), "print", i, MANY);
      started(store, r);
      assertEquals(Finish.STORED, finished(store, r, "reply " + i));
    }
    for (int i = 0; i < entries.size(); i++) {
      assertEquals(
          new IdempotencyReply.Done("reply " + i),
          begun(store, request(entries.get(i), "print", 99, MANY)));
    }
  }

  @Test
  void texts_ofAnyKind_comeBack() {
    IdempotencyStore store = open();
    StringBuilder visible = new StringBuilder();
    for (char c = '!'; c <= '~'; c++) {
      visible.append(c);
    }
    String all = visible.toString();
    List<String> keys = List.of(all, "%41", "a+b", "..", "/", "x".repeat(255));
    List<String> replies =
        List.of("", "-", "=", "- =", "{\"a\":\"'\\\\%41+\u00e4\u20ac\ud83d\ude00\"}", " 1  2 ");
    String caller = all.substring(all.length() - 64);
    for (int i = 0; i < keys.size(); i++) {
      IdempotencyEntry entry = new IdempotencyEntry("default", caller, "order", keys.get(i));
      IdempotencyRequest r = request(entry, "~".repeat(64), Long.MIN_VALUE + i, MANY);
      started(store, r);
      assertEquals(Finish.STORED, finished(store, r, replies.get(i)));
      assertEquals(new IdempotencyReply.Done(replies.get(i)), begun(open(), r));
    }
  }

  @Test
  void finish_longestReply_comesBack() {
    IdempotencyStore store = open();
    IdempotencyRequest mine = request("k");
    started(store, mine);
    String longest = "\u00e4".repeat(IdempotencyRow.MAX_REPLY_BYTES / 2);
    var e = assertThrows(IllegalArgumentException.class, () -> finished(store, mine, longest + 1));
    assertEquals("reply: 1048577 bytes (expected: at most 1048576)", e.getMessage());
    assertEquals(Finish.STORED, finished(store, mine, longest));
    assertEquals(new IdempotencyReply.Done(longest), begun(open(), request("k")));
  }

  // ---- many at once

  @Test
  void begin_manyAtOnce_oneIsStarted() {
    List<IdempotencyStore> clients = List.of(open(), open(), open(), open());
    List<IdempotencyRequest> requests = new ArrayList<>();
    List<CompletionStage<IdempotencyReply>> stages = new ArrayList<>();
    for (int i = 0; i < CONTENDERS; i++) {
      requests.add(request("k"));
      stages.add(clients.get(i % clients.size()).begin(requests.get(i)));
    }
    List<IdempotencyRequest> winners = new ArrayList<>();
    for (int i = 0; i < CONTENDERS; i++) {
      IdempotencyRequest r = requests.get(i);
      IdempotencyReply reply = orAgain(stages.get(i), () -> clients.get(0).begin(r));
      if (reply instanceof IdempotencyReply.Started) {
        winners.add(r);
      } else {
        assertInstanceOf(IdempotencyReply.InFlight.class, reply);
      }
    }
    assertEquals(1, winners.size());
    assertEquals(Finish.STORED, finished(clients.get(1), winners.get(0), "1"));
  }

  /**
   * Whatever attempts do that come, fail, die and outlive their time at once: one reply goes out.
   */
  @Test
  void attempts_manyAtOnce_oneReplyGoesOut() throws Exception {
    IdempotencyStore one = open();
    IdempotencyStore two = open();
    for (int round = 0; round < 6; round++) {
      String key = "k" + round;
      Queue<String> out = new ConcurrentLinkedQueue<>();
      inThreads(2 * THREADS, t -> out.add(persistent(t % 2 == 0 ? one : two, key, new Random(t))));
      assertEquals(1, new HashSet<>(out).size(), out.toString());
      assertEquals(2 * THREADS, out.size());
    }
  }

  /** C41, C86: everything is asked for until it is answered; one reply goes out under one key. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void network_bad_oneReplyGoesOut(long seed) {
    IdempotencyStore store = open();
    LossyIdempotencyStore lossy =
        new LossyIdempotencyStore(
            open(), new LossyNetwork(new LossyNetwork.Faults(15, 35, 10), seed));
    Random random = new Random(seed);
    for (int round = 0; round < 12; round++) {
      String key = "k" + seed + "-" + round;
      Set<String> out = new HashSet<>();
      for (int i = 0; i < 3; i++) {
        out.add(persistent(lossy, key, random));
        lossy.deliverLate();
      }
      out.add(persistent(store, key, random));
      assertEquals(1, out.size(), out.toString());
    }
  }

  /** Goes on until it has a reply, as a client does that sends its request again and again. */
  private String persistent(IdempotencyStore store, String key, Random random) {
    for (int i = 0; i < MANY; i++) {
      IdempotencyRequest r = request(key);
      IdempotencyReply reply = answered(() -> store.begin(r));
      if (reply instanceof IdempotencyReply.Done done) {
        return done.reply();
      }
      if (reply instanceof IdempotencyReply.Started && tried(store, r, random)) {
        return ownReply(r);
      }
      time.add(random.nextInt((int) IN_FLIGHT / 4));
    }
    throw new AssertionError("no reply in " + MANY + " attempts");
  }

  /** Whether the attempt may answer: it may die on its way, fail, or be late. */
  private boolean tried(IdempotencyStore store, IdempotencyRequest r, Random random) {
    switch (random.nextInt(4)) {
      case 0 -> {
        return false;
      }
      case 1 -> {
        var unused = answered(() -> store.abandon(r.entry(), r.attempt()));
        return false;
      }
      default -> {
        time.add(random.nextInt((int) IN_FLIGHT));
        Finish finish = answered(() -> store.finish(r.entry(), r.attempt(), ownReply(r)));
        return finish == Finish.STORED;
      }
    }
  }

  private static String ownReply(IdempotencyRequest r) {
    return "reply of " + r.attempt();
  }

  // ---- quotas

  @Test
  void begin_moreKeysThanACallerMayHave_isRefused() {
    IdempotencyStore store = open();
    IdempotencyRequest first = request(entry("k0"), "print", 70, 3);
    started(store, first);
    finished(store, first, "0");
    started(store, request(entry("k1"), "print", 71, 3));
    started(store, request(new IdempotencyEntry("default", "a", "item", "k2"), "print", 72, 3));

    IdempotencyReply full = new IdempotencyReply.Full(3);
    assertEquals(full, begun(store, request(entry("k3"), "print", 73, 3)));
    assertEquals(full, begun(open(), request(entry("k4"), "print", 74, 3)));
    assertEquals(
        new IdempotencyReply.Done("0"), begun(store, request(entry("k0"), "print", 75, 3)));
    assertEquals(Finish.STORED, finished(store, request(entry("k1"), "print", 71, 3), "1"));
    started(store, request(new IdempotencyEntry("default", "b", "order", "k"), "print", 76, 3));
    started(store, request(new IdempotencyEntry("other", "a", "order", "k"), "print", 77, 3));

    assertEquals(true, join(store.abandon(new IdempotencyEntry("default", "a", "item", "k2"), 72)));
    started(store, request(entry("k3"), "print", 78, 3));
    assertEquals(full, begun(store, request(entry("k4"), "print", 79, 3)));
  }

  @Test
  void begin_entriesThatHaveExpired_doNotCount() {
    IdempotencyStore store = open();
    IdempotencyRequest done = request(entry("done"), "print", 1, 3);
    started(store, done);
    finished(store, done, "1");
    started(store, request(entry("k1"), "print", 2, 3));
    started(store, request(entry("k2"), "print", 3, 3));
    time.add(IN_FLIGHT);

    started(store, request(entry("k3"), "print", 4, 3));
    started(store, request(entry("k1"), "print", 5, 3));
    assertInstanceOf(
        IdempotencyReply.Full.class, begun(store, request(entry("k4"), "print", 6, 3)));
    time.add(KEEP);
    for (int i = 0; i < 3; i++) {
      started(store, request(entry("later" + i), "print", 10 + i, 3));
    }
    assertInstanceOf(
        IdempotencyReply.Full.class, begun(store, request(entry("k4"), "print", 6, 3)));
  }

  /** As many more as begin at one moment, at most. */
  @Test
  void begin_manyKeysAtOnce_holdTheQuota() throws Exception {
    int max = 10;
    List<IdempotencyStore> clients = List.of(open(), open(), open(), open());
    for (int round = 0; round < 3; round++) {
      AtomicLong begun = new AtomicLong();
      int number = round;
      inThreads(
          THREADS,
          t -> {
            for (int i = 0; i < max; i++) {
              IdempotencyRequest r =
                  request(entry("k" + number + "-" + t + "-" + i), "print", next(), max);
              if (sure(() -> clients.get(t).begin(r)) instanceof IdempotencyReply.Started) {
                begun.incrementAndGet();
              }
            }
          });
      assertTrue(begun.get() >= max && begun.get() < max + THREADS, begun.toString());
      time.add(IN_FLIGHT); // what was counted wrong would be missing in the next round
    }
  }

  // ---- what has expired

  @Test
  void purge_expired_areDeletedThoseFirstThatEndedFirst() {
    IdempotencyStore store = open();
    IdempotencyRequest kept = request("kept");
    started(store, kept);
    finished(store, kept, "1");
    for (int i = 0; i < 5; i++) {
      String namespace = i == 2 ? "other" : "default";
      IdempotencyEntry entry = new IdempotencyEntry(namespace, "c" + i % 2, "order", "k" + i);
      started(store, request(entry, "print", i, 3));
      time.add(1);
    }
    time.add(IN_FLIGHT - 2); // the last one has a millisecond left
    assertEquals(2, join(store.purge(2)));
    assertEquals(2, join(open().purge(1_000)));
    assertEquals(0, join(store.purge(1)));
    time.add(1);
    assertEquals(1, join(store.purge(1)));
    assertEquals(0, join(store.purge(1)));
    assertEquals(new IdempotencyReply.Done("1"), begun(store, request("kept")));
    for (int i = 0; i < 4; i++) {
      IdempotencyEntry entry = new IdempotencyEntry("default", "c0", "order", "again" + i);
      IdempotencyReply reply = begun(store, request(entry, "print", i, 3));
      assertEquals(i < 3, reply instanceof IdempotencyReply.Started, reply::toString);
    }
  }

  /** Several clean up at once, while others take over what they would delete. */
  @Test
  void purge_manyAtOnce_deleteEachOnceAndNothingThatLives() throws Exception {
    int keys = 100;
    IdempotencyStore store = open();
    List<CompletionStage<IdempotencyReply>> stages = new ArrayList<>();
    List<IdempotencyRequest> requests = new ArrayList<>();
    for (int i = 0; i < keys; i++) {
      requests.add(request("k" + i));
      stages.add(store.begin(requests.get(i)));
    }
    for (int i = 0; i < keys; i++) {
      IdempotencyRequest r = requests.get(i);
      assertInstanceOf(
          IdempotencyReply.Started.class, orAgain(stages.get(i), () -> store.begin(r)));
    }
    time.add(IN_FLIGHT);
    List<IdempotencyStore> clients = List.of(open(), open(), open(), open());
    AtomicLong purged = new AtomicLong();
    Queue<IdempotencyRequest> taken = new ConcurrentLinkedQueue<>();
    inThreads(
        THREADS,
        t -> {
          for (int i = 0; i < keys / 10; i++) {
            if (t % 2 == 0) {
              purged.addAndGet(sure(() -> clients.get(t).purge(7)));
            } else {
              IdempotencyRequest r = request("k" + (t * keys / 4 + i));
              assertInstanceOf(IdempotencyReply.Started.class, sure(() -> clients.get(t).begin(r)));
              taken.add(r);
            }
          }
        });
    for (int more = sure(() -> store.purge(50)); more > 0; more = sure(() -> store.purge(50))) {
      purged.addAndGet(more);
    }
    // Those that were taken over were deleted before, or never.
    assertTrue(purged.get() <= keys && purged.get() >= keys - taken.size(), purged.toString());
    for (IdempotencyRequest r : taken) {
      assertEquals(Finish.STORED, finished(store, r, ownReply(r)));
    }
    for (int i = 0; i < 3; i++) {
      IdempotencyReply reply =
          begun(store, request(entry("more" + i), "print", next(), taken.size() + 2));
      assertEquals(i < 2, reply instanceof IdempotencyReply.Started, reply::toString);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, 1_001})
  void purge_numberThatNoPurgeDeletes_isRefused(int most) {
    IdempotencyStore store = open();
    var e = assertThrows(IllegalArgumentException.class, () -> store.purge(most));
    assertEquals("most: " + most + " (expected: 1..1000)", e.getMessage());
  }

  // ---- what is lost

  @Test
  void replies_lost_areAdopted() {
    IdempotencyStore store = open();
    LossyIdempotencyStore lossy =
        new LossyIdempotencyStore(open(), new LossyNetwork(new LossyNetwork.Faults(0, 100, 0), 1));
    IdempotencyRequest mine = request("k");
    assertLost(lossy.begin(mine));
    assertInstanceOf(IdempotencyReply.InFlight.class, begun(store, request("k")));
    started(store, mine);
    assertLost(lossy.finish(mine.entry(), mine.attempt(), "1"));
    assertEquals(new IdempotencyReply.Done("1"), begun(store, request("k")));
    assertEquals(Finish.STORED, finished(store, mine, "1"));
  }

  private static void assertLost(CompletionStage<?> stage) {
    StoreException e = assertThrows(StoreException.class, () -> join(stage));
    assertTrue(e.outcomeUnknown(), e::toString);
  }

  @Test
  void clients_endInTheMiddle_othersGoOn() {
    IdempotencyStore store = open();
    IdempotencyRequest mine = request("k");
    started(store, mine);
    store.close();
    IdempotencyStore after = open();
    assertInstanceOf(IdempotencyReply.InFlight.class, begun(after, request("k")));
    assertEquals(Finish.STORED, finished(after, mine, "1"));
    after.close();
    assertEquals(new IdempotencyReply.Done("1"), begun(open(), request("k")));
  }

  /** C45, C86: what was acknowledged is there after kill -9 of the server. */
  @Test
  void server_restartedInTheMiddle_hasWhatItAcknowledged() {
    IdempotencyStore store = open();
    IdempotencyRequest mine = request("k");
    started(store, mine);
    restartServer();
    assertInstanceOf(IdempotencyReply.InFlight.class, answered(() -> store.begin(request("k"))));
    assertEquals(Finish.STORED, answered(() -> store.finish(mine.entry(), mine.attempt(), "1")));
    restartServer();
    assertEquals(new IdempotencyReply.Done("1"), answered(() -> store.begin(request("k"))));
  }

  @Test
  void wiped_attempt_isLost() {
    IdempotencyStore store = open();
    IdempotencyRequest mine = request("k");
    started(store, mine);
    store.close();
    wipe();
    IdempotencyStore after = open();
    assertEquals(Finish.LOST, finished(after, mine, "1"));
    assertEquals(false, join(after.abandon(mine.entry(), mine.attempt())));
    started(after, request("k"));
  }

  @Test
  void close_twice_thenEveryCallIsRefused() {
    IdempotencyStore store = open();
    store.close();
    store.close();
    for (Supplier<CompletionStage<?>> call :
        List.<Supplier<CompletionStage<?>>>of(
            () -> store.begin(request("k")),
            () -> store.finish(entry("k"), 1, "1"),
            () -> store.abandon(entry("k"), 1),
            () -> store.purge(1))) {
      StoreException e = assertThrows(StoreException.class, () -> join(call.get()));
      assertFalse(e.outcomeUnknown());
      assertTrue(
          String.valueOf(e.getMessage()).endsWith("closed (expected: an open store)"), e::toString);
    }
  }

  // ---- words

  private IdempotencyStore open() {
    IdempotencyStore client = openClient();
    open.add(client);
    return client;
  }

  private static IdempotencyEntry entry(String key) {
    return new IdempotencyEntry("default", "a", "order", key);
  }

  private long next() {
    return attempts.incrementAndGet();
  }

  /** A new attempt. */
  private IdempotencyRequest request(String key) {
    return request(entry(key), "print", next(), MANY);
  }

  private static IdempotencyRequest request(
      IdempotencyEntry entry, String fingerprint, long attempt, int maxKeys) {
    return new IdempotencyRequest(entry, fingerprint, attempt, KEEP, IN_FLIGHT, maxKeys);
  }

  private static IdempotencyReply begun(IdempotencyStore store, IdempotencyRequest r) {
    return join(store.begin(r));
  }

  private static void started(IdempotencyStore store, IdempotencyRequest r) {
    assertEquals(new IdempotencyReply.Started(), begun(store, r));
  }

  private static Finish finished(IdempotencyStore store, IdempotencyRequest r, String reply) {
    return join(store.finish(r.entry(), r.attempt(), reply));
  }

  /** A store may refuse where others come first: nothing was done, and it is asked again. */
  private static <T> T orAgain(CompletionStage<T> stage, Supplier<CompletionStage<T>> again) {
    try {
      return join(stage);
    } catch (StoreException e) {
      assertFalse(e.outcomeUnknown(), e::toString);
      return sure(again);
    }
  }

  private static <T> T sure(Supplier<CompletionStage<T>> call) {
    StoreException last = null;
    for (int i = 0; i < TRIES; i++) {
      try {
        return join(call.get());
      } catch (StoreException e) {
        assertFalse(e.outcomeUnknown(), e::toString);
        last = e;
      }
    }
    throw new AssertionError("refused " + TRIES + " times", last);
  }

  /** Asks for the same until it is answered. */
  private static <T> T answered(Supplier<CompletionStage<T>> call) {
    StoreException last = null;
    for (int i = 0; i < TRIES; i++) {
      try {
        return join(call.get());
      } catch (StoreException e) {
        last = e;
      }
    }
    throw new AssertionError("no answer in " + TRIES + " tries", last);
  }

  /** Whatever a stage fails with must be a {@link StoreException}. */
  private static <T> T join(CompletionStage<T> stage) {
    try {
      return stage.toCompletableFuture().get(ANSWER_S, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw assertInstanceOf(StoreException.class, e.getCause(), e::toString);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    } catch (TimeoutException e) {
      throw new AssertionError("no answer within " + ANSWER_S + " s", e);
    }
  }

  private interface Numbered {
    void run(int thread);
  }

  private static void inThreads(int count, Numbered work) throws InterruptedException {
    Queue<Throwable> faults = new ConcurrentLinkedQueue<>();
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < count; t++) {
      int number = t;
      Thread thread = new Thread(() -> work.run(number), "contender-" + t);
      thread.setDaemon(true);
      thread.setUncaughtExceptionHandler((failed, fault) -> faults.add(fault));
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals(List.of(), List.copyOf(faults));
  }
}
