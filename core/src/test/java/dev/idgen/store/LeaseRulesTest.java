package dev.idgen.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LeaseRulesTest {
  private static final long NOW = 1_800_000_000_000L;
  private static final long WINDOW = 60_000;
  private static final long REUSE = 2_000;
  private static final long SKEW = 1_000;
  private static final long REACH = WINDOW + 3 * SKEW;
  private static final LeaseTerms TERMS = terms("41/10/12", WINDOW);

  // ---- claim

  @Test
  void claim_firstOnThisMachine_startsAtOnce() {
    Decision d = claim(embedded(NOW, null), request("a", 5).build());
    WorkerRow row = granted(d);
    assertEquals(new WorkerRow(row.workerId(), "a", 1, 50, 5, 0, NOW + WINDOW, "A", 0, NOW), row);
    assertEquals(row, d.worker());
    assertEquals(new NamespaceRow("41/10/12", "A", 0, 0, REACH, NOW), d.namespace());
  }

  @Test
  void claim_firstOnSharedStore_restsForTheFloor() {
    Decision d = claim(shared(NOW, null), request("a", 5).build());
    assertRefused(
        d,
        Refusal.FLOOR,
        "claims: rest for 63000 ms (expected: a namespace in use, on the store it was last seen"
            + " on)",
        REACH);
    assertEquals(new NamespaceRow("41/10/12", "A", 0, NOW + REACH, REACH, NOW), d.namespace());
    assertNull(d.worker());
  }

  @Test
  void claim_firstOnSharedStoreAndSwornNew_startsAtOnce() {
    assertEquals(
        0, granted(claim(shared(NOW, null), request("a", 5).fresh().build())).fromMillis());
  }

  @Test
  void claim_swornNewWithinAWindow_isGranted() {
    StoreSnapshot s = shared(NOW, ns(0, NOW - WINDOW));
    assertEquals(1, granted(claim(s, request("a", 5).fresh().build())).generation());
  }

  @Test
  void claim_swornNewButOld_isRefused() {
    assertRefused(
        claim(shared(NOW, ns(0, NOW - WINDOW - 1)), request("a", 5).fresh().build()),
        Refusal.NOT_NEW,
        "new-cluster: namespace orders is 60001 ms old (expected: at most 60000)",
        0);
  }

  @Test
  void claim_swornNewButOldOnThisMachine_isGranted() {
    granted(claim(embedded(NOW, ns(0, 0)), request("a", 5).fresh().build()));
  }

  /** C10. */
  @Test
  void claim_otherLayout_isRefused() {
    assertRefused(
        claim(shared(NOW, ns(0)), request("a", 5).terms(terms("41/5/17", WINDOW)).build()),
        Refusal.LAYOUT_MISMATCH,
        "layout: 41/5/17 (expected: 41/10/12, as namespace orders began)",
        0);
  }

  @Test
  void claim_repeated_findsTheRowItWonAsItStands() {
    WorkerRow own = row(3, "a", 7, 50, 5, NOW - 9_000, NOW - 1);
    Decision d = claim(shared(NOW, ns(0), own), request("a", 5).build());
    assertEquals(own, granted(d));
    assertFalse(d.writes());
  }

  @Test
  void claim_repeatedAfterAnIdentityChange_findsTheRowItWon() {
    WorkerRow own = row(3, "a", 7, 50, 5, NOW - 9_000, NOW + 1);
    assertEquals(
        own, granted(claim(snapshot("B", NOW, false, ns(0), own), request("a", 5).build())));
  }

  /** The reply to the first attempt was lost for longer than a window. */
  @Test
  void claim_swornNewAndRepeatedLate_findsTheRowItWon() {
    WorkerRow own = row(3, "a", 1, 50, 5, 0, NOW - 1);
    StoreSnapshot s = shared(NOW, ns(0, NOW - 3 * WINDOW), own);
    assertEquals(own, granted(claim(s, request("a", 5).fresh().build())));
  }

  /** C88: a copy of a claim that was answered long ago must not take a second worker id. */
  @Test
  void claim_repeatedAfterTheLeaseWentOn_winsNothing() {
    String message =
        "claim: won generation 7 of worker id 3 before (expected: a nonce that is new)";
    WorkerRow extended = row(3, "a", 7, 51, 5, NOW - 9_000, NOW + 1);
    assertRefused(
        claim(shared(NOW, ns(0), extended), request("a", 5).build()), Refusal.LOST, message, 0);
    WorkerRow released = row(3, null, 7, 0, 5, NOW - 9_000, NOW - 1);
    assertRefused(
        claim(shared(NOW, ns(0), released), request("a", 5).build()), Refusal.LOST, message, 0);
  }

  @Test
  void claim_nonceOfAnotherOwner_isNotAdopted() {
    WorkerRow other = row(3, "b", 7, 50, 5, NOW - 9_000, NOW + WINDOW);
    assertEquals(
        1, granted(claim(shared(NOW, ns(0), other), request("a", 5).build())).generation());
  }

  @ParameterizedTest
  @ValueSource(longs = {SKEW + 1, -SKEW - 1})
  void claim_clocksApart_isRefused(long apart) {
    assertRefused(
        claim(shared(NOW, ns(0)), request("a", 5).wall(NOW + apart).build()),
        Refusal.CLOCK_SKEW,
        "clock: " + apart + " ms from the store's (expected: at most 1000)",
        0);
  }

  /** C40: a store that answers nonsense grants nothing. */
  @ParameterizedTest
  @ValueSource(longs = {0, -1, 9_223_372_036L, Long.MAX_VALUE, Long.MIN_VALUE})
  void claim_absurdStoreClock_isRefused(long absurd) {
    Decision d = claim(shared(absurd, ns(0)), request("a", 5).build());
    assertEquals(Refusal.CLOCK_SKEW, refused(d).reason());
    assertFalse(d.writes());
  }

  /** What lies between the two readings of one clock is the time in the queue. */
  @Test
  void claim_queuedForLongOnThisMachine_isGranted() {
    WorkerRow row = granted(claim(embedded(NOW + 30_000, ns(0)), request("a", 5).build()));
    assertEquals(NOW + WINDOW, row.horizonMillis());
  }

  @Test
  void claim_wallLeapsAheadOnThisMachine_isBoundByTheStoresClock() {
    WorkerRow row = granted(claim(embedded(NOW, ns(0)), request("a", 5).wall(2 * NOW).build()));
    assertEquals(NOW + WINDOW + SKEW, row.horizonMillis());
  }

  /** C93: a node that boots with a clock a window behind does not loop. */
  @Test
  void claim_clockBehindWhatOthersWrote_isRefused() {
    long room = WINDOW + 2 * SKEW;
    WorkerRow healthy = row(0, "b", 1, 9, 9, 0, NOW + room);
    granted(claim(shared(NOW, ns(0), healthy), request("a", 5).build()));
    WorkerRow ahead = row(0, "b", 1, 9, 9, 0, NOW + room + 1);
    assertRefused(
        claim(shared(NOW, ns(0), ahead), request("a", 5).build()),
        Refusal.CLOCK_BEHIND,
        "clock: 1800000000000 (expected: >= 1800000000001, where ids were issued before)",
        1);
  }

  @Test
  void claim_othersHaveALongerWindow_isGranted() {
    LeaseTerms longer = terms("41/10/12", 10 * WINDOW);
    Decision first = claim(shared(NOW, ns(0)), request("b", 9).terms(longer).build());
    WorkerRow row = granted(first);
    assertEquals(NOW + 10 * WINDOW, row.horizonMillis());
    NamespaceRow ns = written(first);
    assertEquals(10 * WINDOW + 3 * SKEW, ns.reachMs());
    granted(claim(shared(NOW, ns, row), request("a", 5).build()));
  }

  /** C4: with the order over the restart given up, or kept by going above. */
  @Test
  void claim_clockBehindTheNewestOfThisMachine_followsThePolicy() {
    WorkerRow ended = row(0, "b", 1, 9, 9, 0, NOW + 3_600_000);
    StoreSnapshot s = embedded(NOW, ns(0), "b"::equals, ended);
    assertRefused(
        claim(s, request("a", 5).build()),
        Refusal.CLOCK_BEHIND,
        "clock: 1800000000000 (expected: >= 1800003600000, where ids were issued before)",
        3_600_000);
    WorkerRow above = granted(claim(s, request("a", 5).behind(BehindPolicy.GO_ABOVE).build()));
    assertEquals(ended.horizonMillis(), above.fromMillis());
    assertEquals(ended.horizonMillis() + WINDOW, above.horizonMillis());
    WorkerRow other = granted(claim(s, request("a", 5).behind(BehindPolicy.OTHER_SLOT).build()));
    assertTrue(other.workerId() != 0);
    assertEquals(0, other.fromMillis());
  }

  @Test
  void claim_newestIsHeldByALiveOwner_startsBelowIt() {
    WorkerRow live = row(0, "b", 1, 9, 9, 0, NOW + 3_000);
    assertEquals(
        0, granted(claim(embedded(NOW, ns(0), live), request("a", 5).build())).fromMillis());
  }

  /**
   * The owner before the live one has ended, and what it gave out lies below the live one's start.
   */
  @Test
  void claim_liveOwnerTookOverFromOneThatEnded_startsAboveTheEndedOne() {
    WorkerRow live = row(0, "b", 2, 9, 9, NOW + 2_000, NOW + 3_000);
    Request request = request("a", 5).wait(5_000);
    assertEquals(
        NOW + 2_000, granted(claim(embedded(NOW, ns(0), live), request.build())).fromMillis());
  }

  /** A failover may lose this very write, and the floor after it covers no more. */
  @Test
  void claim_goAboveOnSharedStore_staysBelowWhatAFloorCovers() {
    long highest = NOW + WINDOW + SKEW;
    ClaimRequest r = request("a", 5).only(7).behind(BehindPolicy.GO_ABOVE).build();
    WorkerRow released = row(7, null, 1, 0, 9, 0, highest - 1);
    WorkerRow granted = granted(claim(shared(NOW, ns(0), released), r));
    assertEquals(highest - 1, granted.fromMillis());
    assertEquals(highest, granted.horizonMillis());
    WorkerRow higher = row(7, null, 1, 0, 9, 0, highest);
    assertEquals(Refusal.CLOCK_BEHIND, refused(claim(shared(NOW, ns(0), higher), r)).reason());
  }

  @Test
  void claim_startWithinTheWait_isGranted() {
    WorkerRow released = row(7, null, 1, 0, 9, 0, NOW + 500);
    WorkerRow row =
        granted(claim(shared(NOW, ns(0), released), request("a", 5).only(7).wait(500).build()));
    assertEquals(NOW + 500, row.fromMillis());
    assertRefused(
        claim(shared(NOW, ns(0), released), request("a", 5).only(7).wait(499).build()),
        Refusal.CLOCK_BEHIND,
        "clock: 1800000000000 (expected: >= 1800000000500, where ids were issued before)",
        500);
  }

  @Test
  void claim_identityChanged_setsTheFloorAndRests() {
    StoreSnapshot s = snapshot("B", NOW, false, ns(0));
    Decision d = claim(s, request("a", 5).build());
    assertEquals(Refusal.FLOOR, refused(d).reason());
    assertEquals(new NamespaceRow("41/10/12", "B", 0, NOW + REACH, REACH, 0), d.namespace());
  }

  @Test
  void claim_identityChangedAndClocksApart_setsNoFloor() {
    for (boolean embedded : new boolean[] {false, true}) {
      StoreSnapshot s = snapshot("B", NOW, embedded, ns(0));
      Decision d = claim(s, request("a", 5).wall(NOW + SKEW + 1).build());
      assertEquals(Refusal.CLOCK_SKEW, refused(d).reason());
      assertFalse(d.writes());
    }
  }

  @Test
  void claim_identityChangedUnderALongerWindowOnce_restsThatLong() {
    NamespaceRow ns = new NamespaceRow("41/10/12", "A", 0, 0, 600_000, 0);
    assertEquals(
        NOW + 600_000,
        written(claim(snapshot("B", NOW, false, ns), request("a", 5).build())).floorMillis());
  }

  @Test
  void claim_floorAheadAndPolicyGoAbove_restsAllTheSame() {
    Decision d =
        claim(
            embedded(NOW, ns(NOW + 10), row(3, null, 1, 0, 9, 0, NOW + 99)),
            request("a", 5).only(3).behind(BehindPolicy.GO_ABOVE).build());
    assertEquals(Refusal.FLOOR, refused(d).reason());
    assertEquals(10, refused(d).retryAfterMs());
  }

  @Test
  void claim_floorPassed_startsAtTheFloor() {
    WorkerRow old = row(3, null, 4, 0, 9, 0, NOW - 99_000);
    WorkerRow row = granted(claim(shared(NOW, ns(NOW - 5), old), request("a", 5).only(3).build()));
    assertEquals(NOW - 5, row.fromMillis());
    assertEquals(5, row.generation());
  }

  @Test
  void claim_expiredOnOneClockOnly_isHeld() {
    long horizon = NOW - REUSE;
    WorkerRow row = row(7, "b", 1, 9, 9, 0, horizon);
    granted(claim(shared(NOW, ns(0), row), request("a", 5).only(7).build()));
    assertEquals(
        Refusal.HELD,
        refused(claim(shared(NOW - 1, ns(0), row), request("a", 5).only(7).build())).reason());
    assertEquals(
        Refusal.HELD,
        refused(claim(shared(NOW, ns(0), row), request("a", 5).only(7).wall(NOW - 1).build()))
            .reason());
  }

  @Test
  void claim_fixedAndHeld_namesTheOwner() {
    WorkerRow held = row(7, "host-b/12", 1, 9, 9, 0, NOW + 1_000);
    assertRefused(
        claim(shared(NOW, ns(0), held), request("a", 5).only(7).build()),
        Refusal.HELD,
        "workerId: 7 is held by host-b/12 (expected: a free one; this one is in 3000 ms if its"
            + " owner has ended)",
        3_000);
  }

  @Test
  void claim_ownerKnownToHaveEnded_isGrantedAtItsHorizon() {
    WorkerRow row = row(7, "b", 1, 9, 9, 0, NOW - 1);
    WorkerRow next =
        granted(claim(embedded(NOW, ns(0), "b"::equals, row), request("a", 5).only(7).build()));
    assertEquals(NOW - 1, next.fromMillis());
    assertEquals(2, next.generation());
  }

  /** C23. */
  @Test
  void claim_everyWorkerIdHeld_isExhausted() {
    List<WorkerRow> rows = new ArrayList<>();
    for (int id = 0; id < 1024; id++) {
      rows.add(row(id, "b" + id, 1, 9, id + 1, 0, NOW + 1_000 + id));
    }
    assertRefused(
        claim(shared(NOW, ns(0), rows.toArray(WorkerRow[]::new)), request("a", 5000).build()),
        Refusal.EXHAUSTED,
        "workerIds: 1024 of 1024 held (expected: a free one)",
        3_000);
  }

  @Test
  void claim_preferredIsFree_takesIt() {
    StoreSnapshot s = shared(NOW, ns(0), row(9, null, 1, 0, 9, 0, NOW - 1));
    assertEquals(9, granted(claim(s, request("a", 5).prefer(9).build())).workerId());
    StoreSnapshot held = shared(NOW, ns(0), row(9, "b", 1, 9, 9, 0, NOW + 1));
    assertTrue(granted(claim(held, request("a", 5).prefer(9).build())).workerId() != 9);
  }

  @Test
  void claim_restedBeforeYoungerBeforeExpired() {
    WorkerRow expired = row(0, "gone", 1, 9, 9, 0, NOW - 900_000);
    WorkerRow younger = row(1, null, 1, 0, 9, 0, NOW - 10);
    WorkerRow young = row(2, null, 1, 0, 9, 0, NOW - 20);
    WorkerRow rested = row(3, null, 1, 0, 9, 0, NOW - REUSE);
    ClaimRequest r = request("a", 5).range(0, 3).build();
    assertEquals(
        3, granted(claim(shared(NOW, ns(0), expired, younger, young, rested), r)).workerId());
    WorkerRow held = row(3, "b", 1, 9, 9, 0, NOW);
    assertEquals(
        2, granted(claim(shared(NOW, ns(0), expired, younger, young, held), r)).workerId());
  }

  /**
   * Released at different times, all of them long ago: a crowd must not queue up for the oldest.
   */
  @Test
  void claim_crowdAfterAnOrderlyStop_spreadsOverTheRested() {
    WorkerRow[] rows = new WorkerRow[50];
    for (int id = 0; id < rows.length; id++) {
      rows[id] = row(id, null, 1, 0, 9, 0, NOW - REUSE - id);
    }
    Set<Integer> chosen = new HashSet<>();
    for (int i = 0; i < 400; i++) {
      chosen.add(
          granted(claim(shared(NOW, ns(0), rows), request("a", 5).range(0, 49).build()))
              .workerId());
    }
    assertTrue(chosen.size() > 40, chosen.toString());
  }

  /**
   * Owners that died: the longer ago, the less may still come of them; a crowd spreads here too.
   */
  @Test
  void claim_crowdAfterManyDeaths_spreadsOverTheOlderHalf() {
    WorkerRow[] rows = new WorkerRow[50];
    for (int id = 0; id < rows.length; id++) {
      rows[id] = row(id, "gone" + id, 1, 9, 9, 0, NOW - REUSE - 1_000L * id);
    }
    Set<Integer> chosen = new HashSet<>();
    for (int i = 0; i < 400; i++) {
      chosen.add(
          granted(claim(shared(NOW, ns(0), rows), request("a", 5).range(0, 49).build()))
              .workerId());
    }
    assertTrue(chosen.size() > 20, chosen.toString());
    assertTrue(chosen.stream().allMatch(id -> id >= 25), chosen.toString());
  }

  /** So many that to look at each of four million worker ids in turn would be noticed. */
  @Test
  void claim_widestRange_neverUsedOnesAreSpreadOverAllOfIt() {
    StoreSnapshot s = shared(NOW, ns(0), row(5, "b", 1, 9, 9, 0, NOW));
    int last = ClaimRequest.MAX_WORKER_IDS - 1;
    ClaimRequest r = request("a", 5).range(0, last).build();
    int upper = 0;
    for (int i = 0; i < 2_000; i++) {
      int id = granted(claim(s, r)).workerId();
      assertTrue(id >= 0 && id <= last && id != 5, Integer.toString(id));
      upper += id > last / 2 ? 1 : 0;
    }
    assertTrue(upper > 850 && upper < 1_150, Integer.toString(upper));
    ClaimRequest preferring = request("a", 5).range(0, last).prefer(last).build();
    assertEquals(last, granted(claim(s, preferring)).workerId());
  }

  /** Never used and rested ones have one chance each; held, young and expired ones have none. */
  @Test
  void claim_neverUsedAndRested_areEquallyLikely() {
    WorkerRow[] rows = {
      row(0, "b", 1, 9, 9, 0, NOW),
      row(2, null, 1, 0, 9, 0, NOW - 1),
      row(3, null, 1, 0, 9, 0, NOW - REUSE),
      row(6, "gone", 1, 9, 9, 0, NOW - 900_000),
      row(7, "b", 1, 9, 9, 0, NOW),
    };
    int[] times = new int[8];
    for (int i = 0; i < 4_000; i++) {
      times[
          granted(claim(shared(NOW, ns(0), rows), request("a", 5).range(0, 7).build()))
              .workerId()]++;
    }
    for (int id = 0; id < times.length; id++) {
      boolean equal = id == 1 || id == 3 || id == 4 || id == 5;
      assertTrue(equal ? times[id] > 850 : times[id] == 0, id + ": " + times[id]);
    }
  }

  /** C24, worker ids 0 and the highest. */
  @Test
  void claim_endsOfTheRange_areGrantedAndNothingBeyond() {
    ClaimRequest r = request("a", 5).range(0, 1023).build();
    Set<Integer> taken = new HashSet<>();
    List<WorkerRow> rows = new ArrayList<>();
    for (int i = 0; i < 1024; i++) {
      ClaimRequest each =
          request("a" + i, i + 1).range(r.firstWorkerId(), r.lastWorkerId()).build();
      WorkerRow row = granted(claim(shared(NOW, ns(0), rows.toArray(WorkerRow[]::new)), each));
      assertTrue(taken.add(row.workerId()));
      rows.add(row);
    }
    assertTrue(taken.contains(0) && taken.contains(1023));
  }

  @Test
  void claim_generationAtItsEnd_failsRatherThanWraps() {
    WorkerRow last = row(7, null, Long.MAX_VALUE, 0, 9, 0, NOW - 1);
    assertThrows(
        ArithmeticException.class,
        () -> claim(shared(NOW, ns(0), last), request("a", 5).only(7).build()));
  }

  /** C43: no 32 bits anywhere. */
  @Test
  void claim_generationPastThirtyTwoBits_counts() {
    WorkerRow old = row(7, null, 2_147_483_647L, 0, 9, 0, NOW - 1);
    assertEquals(
        2_147_483_648L,
        granted(claim(shared(NOW, ns(0), old), request("a", 5).only(7).build())).generation());
  }

  // ---- extend

  @Test
  void extend_known_raisesTheHorizonAndSetsTheToken() {
    WorkerRow row = row(3, "a", 7, 50, 5, 1, NOW + 50_000);
    Decision d = LeaseRules.extend(shared(NOW, ns(0), row), extension(50, 0, 51));
    WorkerRow next = granted(d);
    assertEquals(new WorkerRow(3, "a", 7, 51, 5, 1, NOW + WINDOW, "A", 0, NOW), next);
    assertEquals(next, d.worker());
    assertNull(d.namespace());
  }

  /** C88: an older wall time never lowers a horizon. */
  @Test
  void extend_wallIsBack_keepsTheHorizon() {
    WorkerRow row = row(3, "a", 7, 50, 5, 1, NOW + WINDOW);
    assertEquals(
        NOW + WINDOW,
        granted(LeaseRules.extend(shared(NOW, ns(0), row), extension(50, 0, 51, NOW - 9_000, NOW)))
            .horizonMillis());
  }

  @Test
  void extend_repeated_isAppliedOnce() {
    WorkerRow row = row(3, "a", 7, 51, 5, 1, NOW + 50_000);
    Decision d = LeaseRules.extend(shared(NOW, ns(0), row), extension(50, 0, 51));
    assertEquals(row, granted(d));
    assertFalse(d.writes());
  }

  /**
   * C88: after its horizon an extend is refused across a change of identity or of the fence only;
   * on the same store, with the row as it was left, the lease goes on (docs/decisions/0004). The
   * refusals: {@link #extend_horizonPassedOnAnotherStore_isLost}.
   */
  @Test
  void extend_horizonLongPassedButNobodyTookIt_goesOn() {
    WorkerRow row = row(3, "a", 7, 50, 5, 1, NOW - 3_600_000);
    assertEquals(
        NOW + WINDOW,
        granted(LeaseRules.extend(shared(NOW, ns(0), row), extension(50, 0, 51))).horizonMillis());
  }

  @Test
  void extend_noNamespaceOrRow_isLost() {
    String message = "workerId: 3 has no row (expected: generation 7)";
    assertRefused(
        LeaseRules.extend(shared(NOW, null), extension(50, 0, 51)), Refusal.LOST, message, 0);
    assertRefused(
        LeaseRules.extend(shared(NOW, ns(0)), extension(50, 0, 51)), Refusal.LOST, message, 0);
  }

  @Test
  void extend_otherLayout_isRefused() {
    WorkerRow row = row(3, "a", 7, 50, 5, 1, NOW + 1);
    ExtendRequest r = new ExtendRequest(terms("41/5/17", WINDOW), 3, 7, 50, 0, 51, NOW, NOW);
    assertRefused(
        LeaseRules.extend(shared(NOW, ns(0), row), r),
        Refusal.LAYOUT_MISMATCH,
        "layout: 41/5/17 (expected: 41/10/12, as namespace orders began)",
        0);
  }

  @Test
  void extend_laterGeneration_isLost() {
    WorkerRow row = row(3, "b", 8, 60, 6, NOW, NOW + 1);
    assertRefused(
        LeaseRules.extend(shared(NOW, ns(0), row), extension(50, 0, 51)),
        Refusal.LOST,
        "workerId: 3 has generation 8 (expected: generation 7)",
        0);
  }

  /** A clone has renewed, or an administrator has taken the lease away. */
  @ParameterizedTest
  @ValueSource(longs = {99, 0})
  void extend_tokenOfAnother_isFenced(long token) {
    WorkerRow row = row(3, "a", 7, token, 5, 1, NOW + 1);
    assertRefused(
        LeaseRules.extend(shared(NOW, ns(0), row), extension(50, 49, 51)),
        Refusal.FENCED,
        "workerId: 3 was written by another holder (expected: the token of this lease)",
        0);
  }

  @Test
  void extend_earlierTokenOnTheSameStore_isFenced() {
    WorkerRow row = row(3, "a", 7, 49, 5, 1, NOW + 1);
    assertEquals(
        Refusal.FENCED,
        refused(LeaseRules.extend(shared(NOW, ns(0), row), extension(50, 49, 51))).reason());
  }

  /** C89: a failover that loses one renewal costs no outage. */
  @Test
  void extend_earlierTokenAfterAnIdentityChange_goesOnAndSetsTheFloor() {
    WorkerRow row = row(3, "a", 7, 49, 5, 1, NOW + 1);
    Decision d = LeaseRules.extend(snapshot("B", NOW, false, ns(0), row), extension(50, 49, 51));
    assertEquals(NOW + WINDOW, granted(d).horizonMillis());
    assertEquals("B", granted(d).identity());
    assertEquals(new NamespaceRow("41/10/12", "B", 0, NOW + REACH, REACH, 0), d.namespace());
  }

  @Test
  void extend_identityChangedAndClocksApart_goesOnWithoutAFloor() {
    WorkerRow row = row(3, "a", 7, 50, 5, 1, NOW + WINDOW);
    Decision d =
        LeaseRules.extend(
            snapshot("B", NOW, false, ns(0), row), extension(50, 49, 51, NOW + SKEW + 1, NOW));
    granted(d);
    assertNull(d.namespace());
  }

  @Test
  void extend_repeatedAfterAnIdentityChange_setsTheFloor() {
    WorkerRow row = row(3, "a", 7, 51, 5, 1, NOW + 1);
    Decision d = LeaseRules.extend(snapshot("B", NOW, false, ns(0), row), extension(50, 49, 51));
    assertEquals(row, granted(d));
    assertEquals("B", written(d).identity());
  }

  @Test
  void extend_earlierTokenAfterAFence_goesOn() {
    NamespaceRow fenced = new NamespaceRow("41/10/12", "A", 1, NOW + REACH, REACH, 0);
    WorkerRow row = row(3, "a", 7, 49, 5, 1, NOW + 1);
    WorkerRow next = granted(LeaseRules.extend(shared(NOW, fenced, row), extension(50, 49, 51)));
    assertEquals(1, next.fence());
  }

  @Test
  void extend_noEarlierTokenAfterAnIdentityChange_isFenced() {
    WorkerRow row = row(3, "a", 7, 49, 5, 1, NOW + 1);
    Decision d = LeaseRules.extend(snapshot("B", NOW, false, ns(0), row), extension(50, 0, 51));
    assertEquals(Refusal.FENCED, refused(d).reason());
  }

  /** C89: the expired former owner wakes up on a store that has lost the claim after it. */
  @Test
  void extend_horizonPassedOnAnotherStore_isLost() {
    String message =
        "workerId: 3 has horizon 1800000000000 has passed on another store (expected: a running"
            + " lease)";
    WorkerRow row = row(3, "a", 7, 50, 5, 1, NOW);
    assertRefused(
        LeaseRules.extend(snapshot("B", NOW, false, ns(0), row), extension(50, 49, 51)),
        Refusal.LOST,
        message,
        0);
    assertRefused(
        LeaseRules.extend(snapshot("B", 0, false, ns(0), row), extension(50, 49, 51)),
        Refusal.LOST,
        message,
        0);
    assertRefused(
        LeaseRules.extend(
            snapshot("B", NOW, false, ns(0), row), extension(50, 49, 51, NOW - 99, NOW)),
        Refusal.LOST,
        message,
        0);
  }

  /** C93: a store clock that steps back an hour freezes nobody. */
  @Test
  void extend_storeClockBack_goesByTheAgreedTime() {
    WorkerRow row = row(3, "a", 7, 50, 5, 1, NOW + 1);
    StoreSnapshot s = shared(NOW - 3_600_000, ns(0), row);
    assertEquals(NOW + WINDOW, granted(LeaseRules.extend(s, extension(50, 0, 51))).horizonMillis());
  }

  /** C40, C93: nor does an absurd one carry anybody away. */
  @ParameterizedTest
  @ValueSource(longs = {0, -1, 9_223_372_036L, Long.MAX_VALUE, Long.MIN_VALUE, NOW + 3_600_000})
  void extend_absurdStoreClock_isBoundByTheHolders(long absurd) {
    WorkerRow row = row(3, "a", 7, 50, 5, 1, NOW + 1);
    assertEquals(
        NOW + WINDOW,
        granted(LeaseRules.extend(shared(absurd, ns(0), row), extension(50, 0, 51)))
            .horizonMillis());
  }

  @ParameterizedTest
  @ValueSource(longs = {NOW + 3_600_000, Long.MAX_VALUE})
  void extend_holderLeapsAhead_isBoundByTheAgreedTime(long wall) {
    WorkerRow row = row(3, "a", 7, 50, 5, 1, NOW + 1);
    assertEquals(
        NOW + WINDOW + SKEW,
        granted(LeaseRules.extend(shared(NOW, ns(0), row), extension(50, 0, 51, wall, NOW)))
            .horizonMillis());
  }

  @Test
  void extend_longerWindow_isRemembered() {
    WorkerRow row = row(3, "a", 7, 50, 5, 1, NOW + 1);
    ExtendRequest r = new ExtendRequest(terms("41/10/12", 90_000), 3, 7, 50, 0, 51, NOW, NOW);
    assertEquals(93_000, written(LeaseRules.extend(shared(NOW, ns(0), row), r)).reachMs());
  }

  // ---- release

  @Test
  void release_known_lowersTheHorizonToTheEnd() {
    WorkerRow row = row(3, "a", 7, 50, 5, NOW - 9, NOW + WINDOW);
    WorkerRow next = granted(LeaseRules.release(shared(NOW, ns(0), row), release(50, 0, NOW + 2)));
    assertEquals(new WorkerRow(3, null, 7, 0, 5, NOW - 9, NOW + 2, "A", 0, NOW), next);
  }

  @Test
  void release_pendingToken_isTaken() {
    WorkerRow row = row(3, "a", 7, 51, 5, NOW - 9, NOW + WINDOW);
    assertNull(granted(LeaseRules.release(shared(NOW, ns(0), row), release(50, 51, NOW))).owner());
  }

  @Test
  void release_nothingIssued_keepsItsStart() {
    WorkerRow row = row(3, "a", 7, 50, 5, NOW - 9, NOW + WINDOW);
    assertEquals(
        NOW - 9,
        granted(LeaseRules.release(shared(NOW, ns(0), row), release(50, 0, Long.MIN_VALUE)))
            .horizonMillis());
  }

  @Test
  void release_endAboveTheHorizon_neverRaisesIt() {
    WorkerRow row = row(3, "a", 7, 50, 5, NOW - 9, NOW + WINDOW);
    assertEquals(
        NOW + WINDOW,
        granted(LeaseRules.release(shared(NOW, ns(0), row), release(50, 0, Long.MAX_VALUE)))
            .horizonMillis());
  }

  @Test
  void release_repeated_isAppliedOnce() {
    WorkerRow row = row(3, null, 7, 0, 5, NOW - 9, NOW + 2);
    Decision d = LeaseRules.release(shared(NOW, ns(0), row), release(50, 0, NOW + 1));
    assertEquals(row, granted(d));
    assertFalse(d.writes());
  }

  @Test
  void release_noRowOrLaterGeneration_isLost() {
    assertRefused(
        LeaseRules.release(shared(NOW, ns(0)), release(50, 0, NOW)),
        Refusal.LOST,
        "workerId: 3 has no row (expected: generation 7)",
        0);
    assertRefused(
        LeaseRules.release(shared(NOW, null), release(50, 0, NOW)),
        Refusal.LOST,
        "workerId: 3 has no row (expected: generation 7)",
        0);
    assertRefused(
        LeaseRules.release(shared(NOW, ns(0), row(3, "b", 8, 60, 6, 1, NOW)), release(50, 0, NOW)),
        Refusal.LOST,
        "workerId: 3 has generation 8 (expected: generation 7)",
        0);
  }

  @ParameterizedTest
  @ValueSource(longs = {99, 0})
  void release_tokenOfAnother_isFenced(long token) {
    WorkerRow row = row(3, "a", 7, token, 5, 1, NOW + 1);
    assertRefused(
        LeaseRules.release(shared(NOW, ns(0), row), release(50, 0, NOW)),
        Refusal.FENCED,
        "workerId: 3 was written by another holder (expected: the token of this lease)",
        0);
  }

  // ---- revoke and fence

  /** C94: neither the horizon nor the owner moves; only the token goes. */
  @Test
  void revoke_held_staysHeldUntilItsHorizon() {
    WorkerRow row = row(3, "a", 7, 50, 5, 1, NOW + WINDOW);
    WorkerRow next = granted(LeaseRules.revoke(shared(NOW, ns(0), row), 3));
    assertEquals(new WorkerRow(3, "a", 7, 0, 5, 1, NOW + WINDOW, "A", 0, NOW), next);
    assertEquals(
        Refusal.HELD,
        refused(claim(shared(NOW, ns(0), next), request("b", 6).only(3).build())).reason());
  }

  @Test
  void revoke_nobodyHolds_isLost() {
    String message = "workerId: 3 has no owner (expected: a held worker id)";
    assertRefused(LeaseRules.revoke(shared(NOW, null), 3), Refusal.LOST, message, 0);
    assertRefused(LeaseRules.revoke(shared(NOW, ns(0)), 3), Refusal.LOST, message, 0);
    WorkerRow released = row(3, null, 7, 0, 5, 1, NOW);
    assertRefused(LeaseRules.revoke(shared(NOW, ns(0), released), 3), Refusal.LOST, message, 0);
  }

  @Test
  void fence_agreed_raisesTheFloorAndTheFence() {
    Decision d = LeaseRules.fence(snapshot("B", NOW, false, ns(0)), TERMS, NOW + SKEW);
    NamespaceRow expected = new NamespaceRow("41/10/12", "B", 1, NOW + REACH, REACH, 0);
    assertEquals(expected, d.namespace());
    assertEquals(new LeaseReply.Fenced(expected, NOW, "B"), d.reply());
  }

  @Test
  void fence_floorIsHigherAlready_keepsIt() {
    assertEquals(
        NOW + 10 * REACH,
        written(LeaseRules.fence(shared(NOW, ns(NOW + 10 * REACH)), TERMS, NOW)).floorMillis());
  }

  @Test
  void fence_clocksApart_isRefused() {
    assertRefused(
        LeaseRules.fence(shared(NOW, ns(0)), TERMS, NOW - SKEW - 1),
        Refusal.CLOCK_SKEW,
        "clock: -1001 ms from the store's (expected: at most 1000)",
        0);
  }

  @Test
  void fence_noNamespace_isRefused() {
    assertRefused(
        LeaseRules.fence(shared(NOW, null), TERMS, NOW),
        Refusal.LOST,
        "namespace: orders (expected: one in use)",
        0);
  }

  // ---- terms and requests

  @Test
  void terms_outOfRange_areRefused() {
    assertMessage(
        "windowMs: 0 (expected: 1..31622400000)", () -> new LeaseTerms("n", "l", 0, 0, 0));
    assertMessage(
        "maxSkewMs: -1 (expected: 0..31622400000)", () -> new LeaseTerms("n", "l", 1, 0, -1));
    assertMessage(
        "reuseDelayMs: 1999 (expected: 2000..31622400000)",
        () -> new LeaseTerms("n", "l", 1, 1_999, 1_000));
    assertMessage(
        "namespace: a b (expected: 1..64 of A-Za-z0-9._-, the first a letter or digit)",
        () -> new LeaseTerms("a b", "l", 1, 0, 0));
  }

  /** C24. */
  @Test
  void request_impossible_isRefused() {
    assertMessage(
        "worker ids: -1..5 (expected: 0 <= first <= last)",
        () -> request("a", 5).range(-1, 5).build());
    assertMessage(
        "worker ids: 5..4 (expected: 0 <= first <= last)",
        () -> request("a", 5).range(5, 4).build());
    assertMessage(
        "worker ids: 0..2147483647 (expected: at most 4194304)",
        () -> request("a", 5).range(0, Integer.MAX_VALUE).build());
    assertMessage("nonce, token: 0 (expected: not 0)", () -> request("a", 0).build());
    assertMessage("owner: 0 characters (expected: 1..255)", () -> request("", 5).build());
    assertMessage("newToken, knownToken: 0 (expected: not 0)", () -> extension(50, 0, 0));
  }

  // ---- crowds and restarts

  /** C25: 32 processes start at once on an empty store, 1,000 times. */
  @Test
  void claim_crowdOnEmptyStore_allDifferent() {
    for (int round = 0; round < 1_000; round++) {
      Set<Integer> ids = new HashSet<>();
      WorkerRow[] rows = {};
      for (int i = 0; i < 32; i++) {
        WorkerRow row =
            granted(
                claim(embedded(NOW, ns(0), rows), request("p" + i, i + 1).range(0, 31).build()));
        assertTrue(ids.add(row.workerId()));
        rows = with(rows, row);
      }
    }
  }

  /** C23, C26: each restart under a new name, ten alive at once; no slot is lost. */
  @Test
  void claim_orderlyRestarts_loseNoWorkerId() {
    WorkerRow[] rows = {};
    List<WorkerRow> live = new ArrayList<>();
    long now = NOW;
    for (int i = 0; i < 10_000; i++) {
      now += 100;
      if (live.size() == 10) {
        WorkerRow old = live.remove(0);
        ReleaseRequest r =
            new ReleaseRequest(TERMS, old.workerId(), old.generation(), old.token(), 0, now - 50);
        rows = with(rows, granted(LeaseRules.release(shared(now, ns(0), rows), r)));
      }
      ClaimRequest r = request("p" + i, i + 1).range(0, 10).wall(now).build();
      WorkerRow row = granted(claim(shared(now, ns(0), rows), r));
      live.add(row);
      rows = with(rows, row);
    }
    assertTrue(rows.length <= 11);
  }

  /** C29: all nodes are killed, 1,000 times; every slot comes back after window and reuse delay. */
  @Test
  void claim_allKilled_everySlotComesBack() {
    WorkerRow[] rows = {};
    long now = NOW;
    for (int round = 0; round < 1_000; round++) {
      for (int i = 0; i < 8; i++) {
        ClaimRequest r =
            request("r" + round + "p" + i, 8L * round + i + 1).range(0, 7).wall(now).build();
        rows = with(rows, granted(claim(shared(now, ns(0), rows), r)));
      }
      now += WINDOW + REUSE;
    }
    for (WorkerRow row : rows) {
      assertEquals(1_000, row.generation());
    }
  }

  // ---- words

  private static Decision claim(StoreSnapshot s, ClaimRequest r) {
    return LeaseRules.claim(s, r, RANDOM::nextBytes);
  }

  private static final Random RANDOM = new Random(42);

  private static WorkerRow granted(Decision d) {
    return assertInstanceOf(LeaseReply.Granted.class, d.reply(), () -> d.toString()).row();
  }

  private static LeaseReply.Refused refused(Decision d) {
    assertNull(d.worker());
    return assertInstanceOf(LeaseReply.Refused.class, d.reply());
  }

  private static NamespaceRow written(Decision d) {
    NamespaceRow ns = d.namespace();
    assertNotNull(ns);
    return ns;
  }

  private static void assertRefused(Decision d, Refusal reason, String message, long retryAfterMs) {
    LeaseReply.Refused refused = refused(d);
    assertEquals(message, refused.message());
    assertEquals(reason, refused.reason());
    assertEquals(retryAfterMs, refused.retryAfterMs());
  }

  private static void assertMessage(String message, Runnable work) {
    assertEquals(message, assertThrows(IllegalArgumentException.class, work::run).getMessage());
  }

  private static LeaseTerms terms(String layout, long windowMs) {
    return new LeaseTerms("orders", layout, windowMs, REUSE, SKEW);
  }

  private static NamespaceRow ns(long floorMillis) {
    return ns(floorMillis, 0);
  }

  private static NamespaceRow ns(long floorMillis, long createdAtMillis) {
    return new NamespaceRow("41/10/12", "A", 0, floorMillis, REACH, createdAtMillis);
  }

  private static WorkerRow row(
      int id,
      @Nullable String owner,
      long generation,
      long token,
      long nonce,
      long from,
      long horizon) {
    return new WorkerRow(id, owner, generation, token, nonce, from, horizon, "A", 0, NOW - 1);
  }

  private static StoreSnapshot shared(long now, @Nullable NamespaceRow ns, WorkerRow... rows) {
    return snapshot("A", now, false, ns, rows);
  }

  private static StoreSnapshot embedded(long now, @Nullable NamespaceRow ns, WorkerRow... rows) {
    return snapshot("A", now, true, ns, rows);
  }

  private static StoreSnapshot embedded(
      long now, NamespaceRow ns, Predicate<String> dead, WorkerRow... rows) {
    return new StoreSnapshot("A", now, ns, List.of(rows), true, dead);
  }

  private static StoreSnapshot snapshot(
      String identity, long now, boolean embedded, @Nullable NamespaceRow ns, WorkerRow... rows) {
    return new StoreSnapshot(identity, now, ns, List.of(rows), embedded, owner -> false);
  }

  private static ExtendRequest extension(long known, long earlier, long fresh) {
    return extension(known, earlier, fresh, NOW, NOW);
  }

  private static ExtendRequest extension(
      long known, long earlier, long fresh, long wall, long agreed) {
    return new ExtendRequest(TERMS, 3, 7, known, earlier, fresh, wall, agreed);
  }

  private static ReleaseRequest release(long known, long pending, long end) {
    return new ReleaseRequest(TERMS, 3, 7, known, pending, end);
  }

  private static WorkerRow[] with(WorkerRow[] rows, WorkerRow changed) {
    List<WorkerRow> next = new ArrayList<>(List.of(rows));
    next.removeIf(row -> row.workerId() == changed.workerId());
    next.add(changed);
    return next.toArray(WorkerRow[]::new);
  }

  private static Request request(String owner, long nonce) {
    return new Request(owner, nonce);
  }

  /** A claim for any of 1,024 worker ids, with what a test wants to be different. */
  private static final class Request {
    private final String owner;
    private final long nonce;
    private LeaseTerms terms = TERMS;
    private int first;
    private int last = 1023;
    private int preferred = -1;
    private long wall = NOW;
    private long maxWaitMs;
    private BehindPolicy behind = BehindPolicy.REFUSE;
    private boolean fresh;

    Request(String owner, long nonce) {
      this.owner = owner;
      this.nonce = nonce;
    }

    Request terms(LeaseTerms other) {
      terms = other;
      return this;
    }

    Request range(int from, int to) {
      first = from;
      last = to;
      return this;
    }

    Request only(int id) {
      return range(id, id);
    }

    Request prefer(int id) {
      preferred = id;
      return this;
    }

    Request wall(long millis) {
      wall = millis;
      return this;
    }

    Request wait(int millis) {
      maxWaitMs = millis;
      return this;
    }

    Request behind(BehindPolicy policy) {
      behind = policy;
      return this;
    }

    Request fresh() {
      fresh = true;
      return this;
    }

    ClaimRequest build() {
      return new ClaimRequest(
          terms, owner, nonce, nonce * 10, first, last, preferred, wall, maxWaitMs, behind, fresh);
    }
  }
}
