package dev.idgen.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.segment.SegmentEngine;
import dev.idgen.segment.SegmentEvents;
import dev.idgen.segment.SegmentOptions;
import dev.idgen.time.FakeTime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SpreadSegmentStoreTest {
  private static final long PATIENCE_MS = 500;
  private static final SegmentTerms TERMS = SegmentTerms.of("default", "order", 100);

  private final FakeTime time = new FakeTime(1_800_000_000_000L);
  private final List<SlowSegmentStore> databases = new ArrayList<>();
  private final List<String> failures = new ArrayList<>();
  private final List<String> changes = new ArrayList<>();

  private final SpreadEvents events =
      new SpreadEvents() {
        @Override
        public void databaseFailed(String why) {
          failures.add(why);
        }

        @Override
        public void identityChanged(int number, String before, String now) {
          changes.add(number + ": " + before + " -> " + now);
        }
      };

  private SpreadSegmentStore over(int count, int regions, int region, int first) {
    while (databases.size() < count) {
      databases.add(new SlowSegmentStore());
    }
    return new SpreadSegmentStore(
        "default",
        List.copyOf(databases.subList(0, count)),
        regions,
        region,
        first,
        PATIENCE_MS * 1_000_000,
        time,
        time.scheduler(),
        events);
  }

  private static <T> T join(CompletionStage<T> stage) {
    assertTrue(stage.toCompletableFuture().isDone());
    return stage.toCompletableFuture().join();
  }

  private static SegmentReply.Granted allocate(SpreadSegmentStore store, long count, long highest) {
    return granted(store.allocate(new SegmentRequest(TERMS, count, highest)));
  }

  private static SegmentReply.Granted granted(CompletionStage<SegmentReply> stage) {
    SegmentReply reply = join(stage);
    return assertInstanceOf(SegmentReply.Granted.class, reply, reply.toString());
  }

  private static StoreException refusal(CompletionStage<?> stage) {
    var e = assertThrows(CompletionException.class, () -> join(stage));
    return assertInstanceOf(StoreException.class, e.getCause());
  }

  @Test
  void allocate_twoDatabases_areOddAndEven() {
    SpreadSegmentStore even = over(2, 1, 0, 0);
    SpreadSegmentStore odd = over(2, 1, 0, 1);
    join(even.check());
    join(odd.check());
    assertEquals(2, allocate(even, 3, -1).first());
    assertEquals(6, allocate(even, 3, -1).lastInclusive() - 6);
    assertEquals(1, allocate(odd, 3, -1).first());
    assertEquals(2, allocate(odd, 3, -1).stride());
    assertEquals(2, even.modulus());
  }

  @Test
  void allocate_regionsAndDatabases_areOneModulus() {
    Set<Long> residues = new HashSet<>();
    for (int region = 0; region < 3; region++) {
      databases.clear();
      for (int first = 0; first < 2; first++) {
        SpreadSegmentStore store = over(2, 3, region, first);
        join(store.check());
        SegmentReply.Granted granted = allocate(store, 5, -1);
        assertEquals(6, granted.stride());
        assertEquals(region, granted.first() % 3);
        residues.add(granted.first() % 6);
      }
    }
    assertEquals(6, residues.size());
  }

  /** The next database has given lower ids: that is no lost write, so no gap is left out. */
  @Test
  void allocate_databaseFails_theNextGoesOnAboveWithoutAGap() {
    SpreadSegmentStore store = over(2, 1, 0, 0);
    join(store.check());
    SegmentReply.Granted one = allocate(store, 100, -1);
    databases.get(0).fail(1);
    SegmentReply.Granted two = allocate(store, 100, one.lastInclusive());
    assertEquals(one.lastInclusive() + 1, two.first());
    assertEquals(1, two.first() % 2);
    assertFalse(two.skipped());
    assertEquals(List.of("slow: away (expected: there)"), failures);
    SegmentReply.Granted three = allocate(store, 10, two.lastInclusive());
    assertEquals(1, three.first() % 2, "stays with the one that is well");
  }

  /** C69: a row that somebody keeps locked is the trouble of one tag. */
  @Test
  void allocate_rowIsLocked_otherTagsGoOn() {
    SpreadSegmentStore store = over(1, 1, 0, 0);
    join(store.check());
    databases.get(0).fail(1, StoreException.refused("slow: row locked").ofRow());
    StoreException e = refusal(store.allocate(new SegmentRequest(TERMS, 1, -1)));
    assertTrue(e.concernsRow());
    SegmentTerms other = SegmentTerms.of("default", "other", 100);
    SegmentReply reply = join(store.allocate(new SegmentRequest(other, 1, -1)));
    assertInstanceOf(SegmentReply.Granted.class, reply);
    assertEquals(List.of("slow: row locked"), failures);
  }

  @Test
  void allocate_databaseIsBack_isUsedWhenTheOtherFails() {
    SpreadSegmentStore store = over(2, 1, 0, 0);
    join(store.check());
    databases.get(0).fail(1);
    long highest = allocate(store, 10, -1).lastInclusive();
    time.advanceMillis(600);
    databases.get(1).fail(1);
    SegmentReply.Granted granted = allocate(store, 10, highest); // asks the first one again
    assertEquals(0, granted.first() % 2);
    assertTrue(granted.first() > highest);
  }

  /** Whoever waits for a fetch is not kept waiting until the call to a stuck database ends. */
  @Test
  void allocate_databaseHangs_theNextIsTriedBeside() {
    SpreadSegmentStore store = over(2, 1, 0, 0);
    join(store.check());
    databases.get(0).slow();
    databases.get(0).saysWhen = new CompletableFuture<>();
    CompletionStage<SegmentReply> hedged = store.allocate(new SegmentRequest(TERMS, 10, -1));
    time.advanceMillis(PATIENCE_MS - 1);
    assertFalse(hedged.toCompletableFuture().isDone());
    time.advanceMillis(1);
    long last = granted(hedged).lastInclusive();
    assertEquals(1, last % 2);
    assertEquals(1, allocate(store, 10, last).first() % 2, "at once: the other one still hangs");
    assertEquals(1, databases.get(0).pending());
  }

  /** It had failed before, and nobody had asked since whether it is back. */
  @Test
  void allocate_databaseHangsAndTheOtherHadFailed_isTriedOnceItIsBack() {
    SpreadSegmentStore store = over(2, 1, 0, 0);
    join(store.check());
    long last = allocate(store, 10, -1).lastInclusive();
    databases.get(0).fail(1);
    last = allocate(store, 10, last).lastInclusive();
    assertEquals(1, last % 2);
    databases.get(1).slow();
    CompletableFuture<Void> back = new CompletableFuture<>();
    databases.get(0).saysWhen = back;
    time.advanceMillis(600); // it has rested
    CompletionStage<SegmentReply> hedged = store.allocate(new SegmentRequest(TERMS, 10, last));
    time.advanceMillis(PATIENCE_MS);
    assertFalse(hedged.toCompletableFuture().isDone());
    back.complete(null);
    assertEquals(0, granted(hedged).first() % 2);
    assertTrue(granted(hedged).first() > last);
  }

  /** What a late answer gives becomes a gap, and is no lost write when its database is back. */
  @Test
  void allocate_lateAnswer_isNobodysAndLeavesNoGapOfAFailover() {
    SpreadSegmentStore store = over(2, 1, 0, 0);
    join(store.check());
    databases.get(0).slow();
    CompletionStage<SegmentReply> hedged = store.allocate(new SegmentRequest(TERMS, 10, -1));
    time.advanceMillis(PATIENCE_MS);
    long last = granted(hedged).lastInclusive();
    databases.get(0).answer();
    assertEquals(last, granted(hedged).lastInclusive());
    databases.get(0).quick();
    SegmentReply.Granted next = allocate(store, 10, last);
    assertEquals(0, next.first() % 2, "it has said at once which it is, and is stayed with");
    assertTrue(next.first() > last);
    assertFalse(next.skipped());
  }

  @Test
  void allocate_allAreSlow_theFirstAnswerCounts() {
    SpreadSegmentStore store = over(3, 1, 0, 0);
    join(store.check());
    databases.forEach(SlowSegmentStore::slow);
    CompletionStage<SegmentReply> slow = store.allocate(new SegmentRequest(TERMS, 10, -1));
    time.advanceMillis(2 * PATIENCE_MS);
    databases.forEach(database -> assertEquals(1, database.pending()));
    databases.get(2).answer();
    assertEquals(2, granted(slow).first() % 3);
  }

  @Test
  void allocate_slowOneFails_theOneBesideIsWaitedFor() {
    SpreadSegmentStore store = over(2, 1, 0, 0);
    join(store.check());
    databases.forEach(SlowSegmentStore::slow);
    CompletionStage<SegmentReply> slow = store.allocate(new SegmentRequest(TERMS, 10, -1));
    time.advanceMillis(PATIENCE_MS);
    databases.get(0).loseOldest(StoreException.unknown("slow: cut off"));
    assertFalse(slow.toCompletableFuture().isDone());
    databases.get(1).loseOldest(StoreException.unknown("slow: cut off too"));
    assertEquals("slow: cut off too", refusal(slow).getMessage());
  }

  /** There is nobody to ask instead: its answer is waited for, as long as the caller likes. */
  @Test
  void allocate_oneDatabaseThatIsSlow_staysWell() {
    SpreadSegmentStore store = over(1, 1, 0, 0);
    join(store.check());
    databases.get(0).slow();
    CompletionStage<SegmentReply> slow = store.allocate(new SegmentRequest(TERMS, 10, -1));
    time.advanceMillis(10 * PATIENCE_MS);
    databases.get(0).answer();
    assertEquals(10, granted(slow).count());
    assertEquals(List.of(), failures);
  }

  @Test
  void begin_oneDatabaseOfTwoIsAway_isEnough() {
    SpreadSegmentStore store = over(2, 1, 0, 0);
    databases.get(1).refuse = StoreException.refused("slow: away");
    join(store.begin(TERMS));
    assertEquals("slow: away", refusal(store.revive(TERMS)).getMessage());
    databases.get(0).refuse = StoreException.refused("slow: away too");
    assertEquals("slow: away too", refusal(over(2, 1, 0, 1).begin(TERMS)).getMessage());
    databases.get(0).refuse = null;
    databases.get(1).refuse = StoreException.permanent("slow: no grant", null);
    assertEquals("slow: no grant", refusal(over(2, 1, 0, 1).begin(TERMS)).getMessage());
  }

  @Test
  void allocate_allAway_isRefusedAndWellWhenTheyAreBack() {
    SpreadSegmentStore store = over(2, 1, 0, 0);
    join(store.check());
    databases.forEach(database -> database.fail(1));
    refusal(store.allocate(new SegmentRequest(TERMS, 10, -1)));
    StoreException rests = refusal(store.allocate(new SegmentRequest(TERMS, 10, -1)));
    assertEquals("slow: away (expected: there)", rests.getMessage());
    time.advanceMillis(600);
    assertEquals(10, allocate(store, 10, -1).count());
  }

  @Test
  void allocate_oneDatabaseThatForgot_leavesTheGapOut() {
    SpreadSegmentStore store = over(2, 1, 0, 0);
    join(store.check());
    dev.idgen.store.memory.MemorySegmentStore backup = databases.get(0).store.replica("memory");
    SegmentReply.Granted one = allocate(store, 10, -1);
    databases.get(0).store = backup;
    SegmentReply.Granted two = allocate(store, 10, one.lastInclusive());
    assertTrue(two.skipped());
    assertTrue(two.first() > one.lastInclusive() + TERMS.gap());
  }

  /** Told once for all tags of the database, and of each database by itself. */
  @Test
  void allocate_anotherIdentityOrFence_isTold() {
    SpreadSegmentStore store = over(2, 1, 0, 0);
    join(store.check());
    long last = allocate(store, 10, -1).lastInclusive();
    databases.get(0).fail(1);
    last = allocate(store, 10, last).lastInclusive();
    assertEquals(List.of(), changes, "another database is no other identity");

    databases.get(1).store = databases.get(1).store.replica("promoted");
    last = allocate(store, 10, last).lastInclusive();
    SegmentTerms other = SegmentTerms.of("default", "other", 100);
    join(store.allocate(new SegmentRequest(other, 1, -1)));
    databases.get(1).store.fence();
    allocate(store, 10, last);
    assertEquals(
        List.of(
            "1: identity s, fence 0 -> identity promoted, fence 0",
            "1: identity promoted, fence 0 -> identity promoted, fence 1"),
        changes);
  }

  @Test
  void check_databaseOfAnotherNumber_isRefusedForGood() {
    join(over(1, 1, 0, 0).check());
    StoreException e = refusal(over(2, 1, 0, 0).check());
    assertTrue(e.permanent());
    assertEquals(
        "slow: namespace default: this database is 0 of 1 (expected: 0 of 2; changed only while no"
            + " server runs, after all marks were raised to the highest)",
        e.getMessage());
    assertEquals(List.of(e.getMessage()), failures);
  }

  /** A question under way is not a database that is away: whoever asks second waits for it. */
  @Test
  void check_whileAnotherIsUnderWay_isToldTheSame() {
    join(over(1, 1, 0, 0).check());
    SpreadSegmentStore store = over(2, 1, 0, 1);
    databases.get(0).saysWhen = new CompletableFuture<>();
    CompletionStage<Void> one = store.check();
    CompletionStage<Void> two = store.check();
    assertFalse(two.toCompletableFuture().isDone());
    databases.get(0).saysWhen.complete(null);
    assertTrue(refusal(one).permanent());
    assertTrue(refusal(two).permanent());
  }

  /** A missing grant: nothing to wait for. Later on it may be given back. */
  @Test
  void check_databaseThatRefusesForGood_isRefusedForGood() {
    SpreadSegmentStore store = over(2, 1, 0, 0);
    databases.get(1).refuse = StoreException.permanent("slow: permission denied", null);
    StoreException e = refusal(store.check());
    assertTrue(e.permanent());
    assertEquals("slow: permission denied", e.getMessage());
    databases.get(1).refuse = null;
    join(store.check());
    databases.get(0).fail(1);
    assertEquals(1, allocate(store, 10, -1).first() % 2);
  }

  /** Swapped addresses would give each database the other one's ids. */
  @Test
  void allocate_swappedDatabases_areNeverUsed() {
    join(over(2, 1, 0, 0).check());
    databases.add(0, databases.remove(1));
    SpreadSegmentStore swapped = over(2, 1, 0, 0);
    assertTrue(refusal(swapped.allocate(new SegmentRequest(TERMS, 10, -1))).permanent());
    time.advanceMillis(60_000);
    assertTrue(refusal(swapped.allocate(new SegmentRequest(TERMS, 10, -1))).permanent());
    assertEquals(0, databases.get(0).asked.size() + databases.get(1).asked.size());
  }

  @Test
  void raiseRemoveRevive_areDoneInEachDatabase() {
    SpreadSegmentStore store = over(2, 1, 0, 0);
    join(store.check());
    allocate(store, 1, -1);
    join(store.raise(TERMS, 500));
    for (SlowSegmentStore database : databases) {
      SegmentRow row = join(database.read("default", "order"));
      assertEquals(500, row == null ? 0 : row.floor());
    }
    join(store.remove(TERMS));
    SegmentReply reply = join(store.allocate(new SegmentRequest(TERMS, 1, -1)));
    assertInstanceOf(SegmentReply.Refused.class, reply);
    join(store.revive(TERMS));
    assertTrue(allocate(store, 1, -1).first() >= 500);
    SegmentRow highest = join(store.read("default", "order"));
    assertEquals(500, highest == null ? 0 : highest.maxId());
  }

  /** A change of its settings gives a tag another engine, which knows of no id yet. */
  @Test
  void allocate_callerThatKnowsNothing_goesOnAboveEveryDatabase() {
    SpreadSegmentStore store = over(2, 1, 0, 0);
    join(store.check());
    long last = allocate(store, 100, -1).lastInclusive();
    databases.get(0).fail(1);
    SegmentReply.Granted granted = allocate(store, 1, -1);
    assertEquals(1, granted.first() % 2);
    assertTrue(granted.first() > last, granted.first() + " after " + last);
    assertFalse(granted.skipped());
  }

  @Test
  void raise_removedInOneDatabase_isRefused() {
    SpreadSegmentStore store = over(2, 1, 0, 0);
    join(store.check());
    join(databases.get(0).remove(TERMS));
    assertInstanceOf(SegmentReply.Refused.class, join(store.raise(TERMS, 500)));
  }

  /** Its marks would be taken for those of a database that is alone. */
  @Test
  void raise_databaseThatHasNotSaidWhichItIs_isAskedFirst() {
    SpreadSegmentStore store = over(2, 1, 0, 0);
    join(store.raise(TERMS, 500));
    join(store.check());
    assertTrue(allocate(store, 1, -1).first() >= 500);
    databases.get(1).refuse = StoreException.refused("slow: away");
    SpreadSegmentStore other = over(2, 1, 0, 0);
    assertEquals("slow: away", refusal(other.raise(TERMS, 900)).getMessage());
  }

  @Test
  void constructor_impossible_isRefused() {
    var e = assertThrows(IllegalArgumentException.class, () -> over(1, 2, 2, 0));
    assertEquals("region: 2 of 2 (expected: 0..regions-1)", e.getMessage());
    e = assertThrows(IllegalArgumentException.class, () -> over(0, 1, 0, 0));
    assertEquals("stores: 0 (expected: >= 1)", e.getMessage());
  }

  /** Engines of many processes over databases that come and go: no id twice, each one rising. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void engines_databasesComeAndGo_noIdTwice(long seed) {
    Random random = new Random(seed);
    List<SegmentEngine> engines = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      SpreadSegmentStore store = over(3, 1, 0, random.nextInt(3));
      SegmentTerms terms =
          new SegmentTerms("default", "order", 1, Long.MAX_VALUE, store.modulus(), 0, 100);
      engines.add(
          new SegmentEngine(
              terms,
              SegmentOptions.defaults().withSteps(7, 1, 50),
              store,
              new StoreBreaker(),
              time,
              time.scheduler(),
              SegmentEvents.NONE));
    }
    Set<Long> all = new HashSet<>();
    long[] last = new long[engines.size()];
    for (int i = 0; i < 3_000; i++) {
      if (random.nextInt(20) == 0) {
        SlowSegmentStore database = databases.get(random.nextInt(3));
        switch (random.nextInt(3)) {
          case 0 -> database.fail(random.nextInt(4));
          case 1 -> database.slow();
          default -> {
            database.quick();
            while (database.pending() > 0) {
              database.answer();
            }
          }
        }
      }
      int which = random.nextInt(engines.size());
      long id = engines.get(which).tryNext();
      if (id < 0) {
        var unused = engines.get(which).nextAsync(1, 1_000_000);
        time.advanceMillis(1 + random.nextInt(100));
      } else {
        assertTrue(all.add(id), "seed " + seed + ": twice: " + id);
        assertTrue(id > last[which], "seed " + seed + ": " + id + " after " + last[which]);
        last[which] = id;
      }
    }
    assertTrue(all.size() > 1_000, "seed " + seed + ": " + all.size());
  }
}
