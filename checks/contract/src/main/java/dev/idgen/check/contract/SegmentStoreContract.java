package dev.idgen.check.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.store.Residue;
import dev.idgen.store.SegmentReply;
import dev.idgen.store.SegmentRequest;
import dev.idgen.store.SegmentRow;
import dev.idgen.store.SegmentStore;
import dev.idgen.store.SegmentTerms;
import dev.idgen.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What every {@link SegmentStore} must do. The author of a store extends this in its tests and says
 * how to open it.
 */
public abstract class SegmentStoreContract {
  private static final int THREADS = 32;
  private static final int CONTENDERS = 1_000;
  private static final int ROUNDS = 60; // on a bad network

  /** On a bad network, replies at least: in full with {@code -Didgen.losses=1000}. */
  private static final int LOSSES = Integer.getInteger("idgen.losses", 0);

  private static final int TRIES = 1_000;
  private static final int EACH = 5; // allocations of each thread before a restart, and after it
  private static final long GAP = 1_000;
  private static final long ANSWER_S = 60;
  private static final long AGAIN_NANOS = 10_000_000;

  private final SegmentTerms terms = SegmentTerms.of("default", "order", GAP);
  private final List<SegmentStore> open = new ArrayList<>();

  /**
   * Opens one more client of one and the same store, which is empty at the first call in a test.
   *
   * @return of its own: closing it leaves the others open
   */
  protected abstract SegmentStore openClient();

  /** Forgets everything, as when a disk was replaced. No client is open. */
  protected abstract void wipe();

  /**
   * Ends the server of the store as a power cut would, and starts it again on what it had written;
   * clients stay open. Nothing where there is no server.
   */
  protected void restartServer() {}

  /** Of each of 32 threads: as many as the disk makes durable in some seconds. */
  protected int allocations() {
    return 200;
  }

  @AfterEach
  void closeClients() {
    open.forEach(SegmentStore::close);
  }

  private SegmentStore open() {
    SegmentStore client = openClient();
    open.add(client);
    return client;
  }

  private static <T> T join(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }

  private static SegmentReply.Granted granted(CompletionStage<SegmentReply> stage) {
    SegmentReply reply = join(stage);
    return assertInstanceOf(SegmentReply.Granted.class, reply, reply.toString());
  }

  private SegmentReply.Granted allocate(SegmentStore store, long count) {
    return granted(store.allocate(new SegmentRequest(terms, count, -1)));
  }

  private static SegmentRow row(SegmentStore store, String namespace) {
    return Objects.requireNonNull(join(store.read(namespace, "order")));
  }

  @Test
  void allocate_twoClients_giveDisjointRanges() {
    SegmentStore one = open();
    SegmentStore two = open();
    assertNull(join(one.read("default", "order")));

    assertEquals(1, allocate(one, 10).first());
    assertEquals(11, allocate(two, 5).first());
    assertEquals(16, allocate(one, 1).first());
    assertEquals(16, row(two, "default").maxId());
    assertEquals(3, row(two, "default").version());
  }

  /** C46, with as many allocations as each store says. */
  @Test
  void allocate_manyThreads_areDisjointAndWithoutAGap() throws Exception {
    SegmentStore one = open();
    SegmentStore two = open();
    allocate(one, 1);
    int each = allocations();
    long[][] firsts = new long[THREADS][each];
    List<Thread> threads = new ArrayList<>();
    List<Throwable> faults = new ArrayList<>();
    for (int t = 0; t < THREADS; t++) {
      SegmentStore store = t % 2 == 0 ? one : two;
      long[] mine = firsts[t];
      Thread thread =
          new Thread(
              () -> {
                for (int i = 0; i < mine.length; i++) {
                  mine[i] = allocate(store, 3).first();
                }
              });
      thread.setUncaughtExceptionHandler(
          (failed, fault) -> {
            synchronized (faults) {
              faults.add(fault);
            }
          });
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals(List.of(), faults);
    TreeMap<Long, Integer> all = new TreeMap<>();
    for (long[] mine : firsts) {
      for (int i = 0; i < mine.length; i++) {
        assertTrue(i == 0 || mine[i] > mine[i - 1]);
        all.put(mine[i], i);
      }
    }
    assertEquals(THREADS * each, all.size());
    assertEquals(2, all.firstKey());
    assertEquals(3L * (THREADS * each - 1) + 2, all.lastKey());
  }

  @Test
  void allocate_callerKnowsMore_leavesAGap() {
    SegmentStore store = open();
    allocate(store, 10);
    SegmentReply.Granted granted = granted(store.allocate(new SegmentRequest(terms, 1, 50)));
    assertEquals(1_051, granted.first());
    assertTrue(granted.skipped());
  }

  @Test
  void raise_floor_isBelowAllLaterIds() {
    SegmentStore store = open();
    allocate(store, 10);
    assertInstanceOf(SegmentReply.Changed.class, join(store.raise(terms, 1_000_000)));
    assertEquals(1_000_000, allocate(open(), 10).first());
  }

  @Test
  void remove_tag_isRefusedAndKeepsItsMark() {
    SegmentStore store = open();
    allocate(store, 10);
    assertInstanceOf(SegmentReply.Changed.class, join(store.remove(terms)));
    SegmentReply reply = join(open().allocate(new SegmentRequest(terms, 1, -1)));
    SegmentReply.Refused refused = assertInstanceOf(SegmentReply.Refused.class, reply);
    assertEquals(SegmentReply.Reason.REMOVED, refused.reason());
    assertEquals(10, row(store, "default").maxId());
    assertTrue(row(store, "default").removed());
  }

  /** Whoever has not heard of it must not begin with it. */
  @Test
  void remove_tagThatWasNeverUsed_isRefused() {
    assertInstanceOf(SegmentReply.Changed.class, join(open().remove(terms)));
    SegmentReply reply = join(open().allocate(new SegmentRequest(terms, 1, -1)));
    SegmentReply.Refused refused = assertInstanceOf(SegmentReply.Refused.class, reply);
    assertEquals(SegmentReply.Reason.REMOVED, refused.reason());
    join(open().revive(terms));
    assertEquals(1, allocate(open(), 1).first());
  }

  /** C92: made again, it goes on above its mark. */
  @Test
  void revive_tombstone_goesOnAboveItsMark() {
    SegmentStore store = open();
    allocate(store, 10);
    join(store.remove(terms));
    assertInstanceOf(SegmentReply.Changed.class, join(open().revive(terms)));
    assertEquals(11, allocate(store, 1).first());
    assertInstanceOf(SegmentReply.Changed.class, join(store.revive(terms)));
  }

  @Test
  void raise_tagThatWasNeverUsed_isBelowItsFirstId() {
    SegmentStore store = open();
    assertInstanceOf(SegmentReply.Changed.class, join(store.raise(terms, 500)));
    assertEquals(500, allocate(open(), 1).first());
  }

  /** With several databases the caller has higher ids than this one gave: no write was lost. */
  @Test
  void allocate_aboveWhatOthersGave_leavesNoGap() {
    SegmentStore store = open();
    allocate(store, 10);
    SegmentReply.Granted granted = granted(store.allocate(new SegmentRequest(terms, 1, 10, 50)));
    assertEquals(51, granted.first());
    assertEquals(false, granted.skipped());
  }

  /** A backup that was put in place without a change of identity is told of by an operator. */
  @Test
  void fence_raised_leavesAGapOfEachTagOnce() {
    SegmentStore store = open();
    allocate(store, 10);
    assertEquals(1, join(open().fence("default")));
    SegmentReply.Granted granted = granted(store.allocate(new SegmentRequest(terms, 1, -1)));
    assertTrue(granted.skipped());
    assertEquals(1_011, granted.first());
    assertEquals(1_012, allocate(store, 1).first());
    SegmentTerms fresh = SegmentTerms.of("default", "forgotten", 1_000);
    assertEquals(1_001, granted(store.allocate(new SegmentRequest(fresh, 1, -1))).first());
    assertEquals(2, join(store.fence("default")));
    assertEquals(2_013, allocate(store, 1).first());
    SegmentTerms other = SegmentTerms.of("other", "order", 1_000);
    assertEquals(1, granted(store.allocate(new SegmentRequest(other, 1, -1))).first());
  }

  @Test
  void residue_saidOnce_stays() {
    Residue odd = new Residue(2, 1);
    assertEquals(odd, join(open().residue("default", odd)));
    assertEquals(odd, join(open().residue("default", Residue.ALONE)));
    assertEquals(Residue.ALONE, join(open().residue("other", Residue.ALONE)));
  }

  /** Its ids were given by one database: another one beside it would give them again. */
  @Test
  void residue_marksAreThere_isThatOfOneAlone() {
    SegmentStore store = open();
    granted(store.allocate(new SegmentRequest(SegmentTerms.of("x_y", "order", 0), 1, -1)));
    assertEquals(Residue.ALONE, join(store.residue("x_y", new Residue(2, 1))));
    assertEquals(new Residue(2, 1), join(store.residue("xzy", new Residue(2, 1))));
    allocate(store, 1);
    assertEquals(Residue.ALONE, join(store.residue("default", new Residue(2, 1))));
  }

  /** C92. */
  @Test
  void namespaces_two_areIndependent() {
    SegmentStore store = open();
    SegmentTerms other = SegmentTerms.of("other", "order", 0);
    allocate(store, 10);
    assertEquals(1, granted(store.allocate(new SegmentRequest(other, 5, -1))).first());
    assertEquals(11, allocate(store, 1).first());
    assertEquals(5, row(store, "other").maxId());
  }

  @Test
  void tags_thatDifferInCase_areTwo() {
    SegmentStore store = open();
    allocate(store, 10);
    SegmentTerms upper = SegmentTerms.of("default", "ORDER", 0);
    assertEquals(1, granted(store.allocate(new SegmentRequest(upper, 1, -1))).first());
  }

  @Test
  void restart_clients_goOnAbove() {
    SegmentStore store = open();
    allocate(store, 10);
    store.close();
    assertEquals(11, allocate(open(), 1).first());
    assertEquals(Long.MAX_VALUE - 1, raisedTo(Long.MAX_VALUE - 1));
  }

  private long raisedTo(long floor) {
    SegmentStore store = open();
    join(store.raise(terms, floor));
    return allocate(store, 1).first();
  }

  // ---- crowds

  /** One row, and more callers than there can be transactions at a time. */
  @Test
  void allocate_thousandContenders_areServedWithoutAGap() {
    List<SegmentStore> clients = List.of(open(), open(), open());
    List<CompletionStage<SegmentReply>> stages = new ArrayList<>();
    for (int i = 0; i < CONTENDERS; i++) {
      stages.add(clients.get(i % 3).allocate(contender(i)));
    }
    Given given = new Given();
    long sum = 0;
    for (int i = 0; i < CONTENDERS; i++) {
      given.add(grantedOrAgain(stages.get(i), clients.get(i % 3), contender(i)));
      sum += contender(i).count();
    }
    assertEquals(1, given.first());
    assertEquals(sum, given.lastInclusive());
    assertEquals(CONTENDERS, row(clients.get(0), "default").version());
  }

  private SegmentRequest contender(int number) {
    return new SegmentRequest(terms, 1 + number % 7, -1);
  }

  /** What came too late in a crowd for the store to begin it was not done: it is asked again. */
  private static SegmentReply.Granted grantedOrAgain(
      CompletionStage<SegmentReply> stage, SegmentStore client, SegmentRequest request) {
    try {
      return granted(stage);
    } catch (CompletionException e) {
      assertFalse(failure(e).outcomeUnknown(), e::toString);
      return granted(client.allocate(request));
    }
  }

  private static StoreException failure(CompletionException e) {
    return assertInstanceOf(StoreException.class, e.getCause(), e::toString);
  }

  /** What was given, to whomever: each id once. Thread-safe. */
  private static final class Given {
    private final TreeMap<Long, Long> ends = new TreeMap<>(); // by first id

    synchronized void add(SegmentReply.Granted granted) {
      long first = granted.first();
      var before = ends.floorEntry(granted.lastInclusive());
      assertTrue(before == null || before.getValue() < first, () -> first + ": given twice");
      ends.put(first, granted.lastInclusive());
    }

    synchronized long first() {
      return ends.firstKey();
    }

    synchronized long lastInclusive() {
      return ends.lastEntry().getValue();
    }
  }

  // ---- stores that forget, servers that end

  /** The store cannot tell; who goes on can. */
  @Test
  void wiped_callerThatGoesOn_isAboveWhatItHas() {
    SegmentStore store = open();
    SegmentReply.Granted before = allocate(store, 10);
    assertEquals(new Residue(1, 0), join(store.residue("default", Residue.ALONE)));
    store.close();
    wipe();

    SegmentStore after = open();
    assertNull(join(after.read("default", "order")));
    SegmentReply.Granted next = granted(after.allocate(new SegmentRequest(terms, 1, 10)));
    assertTrue(next.skipped());
    assertEquals(11 + GAP, next.first());
    assertNotEquals(before.row().identity(), next.row().identity());
    assertEquals(12 + GAP, allocate(after, 1).first());
    Residue odd = new Residue(2, 1);
    assertEquals(odd, join(after.residue("other", odd)));
  }

  /** C45: what was answered stays; what was not is a gap at most. */
  @Test
  void server_killedInTheMiddle_givesNothingTwice() throws Exception {
    Given given = new Given();
    CountDownLatch before = new CountDownLatch(4 * EACH);
    CountDownLatch after = new CountDownLatch(4 * EACH);
    AtomicBoolean back = new AtomicBoolean();
    AtomicBoolean end = new AtomicBoolean();
    List<FutureTask<Long>> tasks = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      SegmentStore store = open();
      tasks.add(
          new FutureTask<>(
              () -> {
                long last = -1;
                while (!end.get()) {
                  boolean since = back.get();
                  last = next(store, last, given);
                  (since ? after : before).countDown();
                }
                return last;
              }));
    }
    for (FutureTask<Long> task : tasks) {
      Thread thread = new Thread(task, "allocator");
      thread.setDaemon(true);
      thread.start();
    }
    assertTrue(before.await(ANSWER_S, TimeUnit.SECONDS));
    restartServer();
    back.set(true);
    assertTrue(after.await(ANSWER_S, TimeUnit.SECONDS));
    end.set(true);
    for (FutureTask<Long> task : tasks) {
      task.get(ANSWER_S, TimeUnit.SECONDS);
    }
    assertTrue(given.lastInclusive() <= row(open(), "default").maxId());
  }

  /** Asks until it is answered. */
  private long next(SegmentStore store, long last, Given given) {
    for (int i = 0; i < TRIES; i++) {
      try {
        SegmentReply.Granted granted = granted(store.allocate(new SegmentRequest(terms, 3, last)));
        assertFalse(granted.skipped(), granted::toString);
        assertTrue(granted.first() > last, granted::toString);
        given.add(granted);
        return granted.lastInclusive();
      } catch (CompletionException e) {
        assertFalse(failure(e).permanent(), e::toString);
        LockSupport.parkNanos(AGAIN_NANOS); // others may need the processor to come back
      }
    }
    throw new AssertionError("no answer in " + TRIES + " tries");
  }

  // ---- bad networks

  /** C41: whatever is lost, or arrives late, leaves gaps alone. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void network_bad_noIdTwice(long seed) {
    LossySegmentStore lossy =
        new LossySegmentStore(open(), new LossyNetwork(new LossyNetwork.Faults(15, 35, 10), seed));
    Random random = new Random(seed);
    Given given = new Given();
    long last = -1;
    long floor = 0;
    for (int round = 0; round < ROUNDS || lossy.repliesLost() < LOSSES; round++) {
      int kind = random.nextInt(10);
      if (kind == 0) {
        long to = last + 1 + random.nextInt(50);
        raised(lossy, to);
        floor = Math.max(floor, to);
      } else if (kind == 1) {
        changed(() -> lossy.remove(terms));
        assertRemoved(lossy);
        changed(() -> lossy.revive(terms));
      }
      SegmentReply.Granted granted = allocated(lossy, 1 + random.nextInt(9), last);
      assertFalse(granted.skipped(), () -> "seed " + seed + ": " + granted);
      assertTrue(granted.first() >= floor, "seed " + seed + ": below " + floor);
      given.add(granted);
      last = granted.lastInclusive();
      lossy.deliverLate();
    }
    assertTrue(row(lossy, "default").maxId() >= last);
  }

  private static SegmentReply answered(Supplier<CompletionStage<SegmentReply>> request) {
    for (int i = 0; i < TRIES; i++) {
      try {
        return join(request.get());
      } catch (CompletionException e) {
        assertTrue(failure(e).outcomeUnknown(), e::toString);
      }
    }
    throw new AssertionError("no answer in " + TRIES + " tries");
  }

  private static void changed(Supplier<CompletionStage<SegmentReply>> request) {
    assertInstanceOf(SegmentReply.Changed.class, answered(request));
  }

  private void assertRemoved(SegmentStore store) {
    SegmentReply reply = answered(() -> store.allocate(new SegmentRequest(terms, 1, -1)));
    assertInstanceOf(SegmentReply.Refused.class, reply, reply.toString());
  }

  private SegmentReply.Granted allocated(SegmentStore store, int count, long last) {
    SegmentRequest request = new SegmentRequest(terms, count, last);
    SegmentReply reply = done(store, () -> store.allocate(request));
    return assertInstanceOf(SegmentReply.Granted.class, reply);
  }

  private void raised(SegmentStore store, long to) {
    SegmentReply reply = done(store, () -> store.raise(terms, to));
    assertInstanceOf(SegmentReply.Changed.class, reply);
  }

  /** A removal that comes late removes what is in use again. */
  private SegmentReply done(SegmentStore store, Supplier<CompletionStage<SegmentReply>> request) {
    SegmentReply reply = answered(request);
    while (reply instanceof SegmentReply.Refused refused) {
      assertEquals(SegmentReply.Reason.REMOVED, refused.reason());
      changed(() -> store.revive(terms));
      reply = answered(request);
    }
    return reply;
  }

  // ---- closing

  @Test
  void close_one_leavesTheOtherOpen() {
    SegmentStore one = open();
    SegmentStore two = open();
    one.close();
    assertEquals(1, allocate(two, 1).first());
  }

  @Test
  void close_twice_thenEveryCallIsRefused() {
    SegmentStore store = open();
    store.close();
    store.close();
    var e = assertThrows(CompletionException.class, () -> allocate(store, 1));
    assertInstanceOf(StoreException.class, e.getCause());
  }
}
