package dev.idgen.check.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.store.BehindPolicy;
import dev.idgen.store.ClaimRequest;
import dev.idgen.store.ExtendRequest;
import dev.idgen.store.LeaseReply;
import dev.idgen.store.LeaseTerms;
import dev.idgen.store.NamespaceRow;
import dev.idgen.store.Refusal;
import dev.idgen.store.ReleaseRequest;
import dev.idgen.store.StoreException;
import dev.idgen.store.WorkerRow;
import dev.idgen.store.WorkerStore;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What every {@link WorkerStore} must do. The author of a store extends this in its tests and says
 * how to open it; a store whose clock can be set lets it show {@link #time}.
 */
public abstract class WorkerStoreContract {
  private static final long START = 1_800_000_000_000L;
  private static final long WINDOW = 60_000;
  private static final long REUSE = 2_000;
  private static final long SKEW = 1_000;
  private static final long ANSWER_S = 60;
  private static final int HOLDERS = 6;
  private static final int RENEWALS_BEFORE = 5;
  private static final int MOST_RENEWALS = 1_000_000;
  private static final int TRIES = 1_000;
  private static final long AGAIN_NANOS = 20_000_000;
  private static final String LAYOUT = "time:41,worker:10,sequence:12;tick 1 ms";

  /** What the store's clock must show. */
  protected final SettableWall time = new SettableWall(START);

  private final LeaseTerms terms = terms("orders");
  private final List<WorkerStore> open = new ArrayList<>();
  private final Set<String> begun = new HashSet<>();
  private long names = 1;

  /**
   * Opens one more client of one and the same store, which is empty at the first call in a test.
   *
   * @return of its own: closing it leaves the others open
   */
  protected abstract WorkerStore openClient();

  /** Forgets everything, as when a disk was replaced. No client is open. */
  protected abstract void wipe();

  /**
   * Ends the server of the store as a power cut would, and starts it again on what it had written;
   * clients stay open. Nothing where there is no server.
   */
  protected void restartServer() {}

  /** Ends a client as kill -9 would. Closing does, unless the store does more when it is closed. */
  protected void crash(WorkerStore client) {
    client.close();
  }

  @AfterEach
  void closeClients() {
    for (WorkerStore client : open) {
      client.close();
    }
  }

  // ---- claims

  @Test
  void claim_manyThreadsAtOnce_allDifferent() throws Exception {
    List<WorkerStore> clients = List.of(open(), open(), open(), open());
    begin(clients.get(0));
    CountDownLatch start = new CountDownLatch(1);
    List<FutureTask<LeaseReply>> tasks = new ArrayList<>();
    for (int i = 0; i < 64; i++) {
      WorkerStore client = clients.get(i % clients.size());
      ClaimRequest r = claim("p" + i).any();
      FutureTask<LeaseReply> task =
          new FutureTask<>(
              () -> {
                start.await();
                return replyOrAgain(client.claim(r), client, r);
              });
      tasks.add(task);
      Thread thread = new Thread(task, "claimer-" + i);
      thread.setDaemon(true);
      thread.start();
    }
    start.countDown();
    Set<Integer> ids = new HashSet<>();
    for (Future<LeaseReply> task : tasks) {
      assertTrue(ids.add(granted(task.get(ANSWER_S, TimeUnit.SECONDS)).workerId()));
    }
    assertEquals(64, ids.size());
  }

  /** C23: as many as there are worker ids win, and all others are told so. */
  @Test
  void claim_thousandContenders_everyWorkerIdOnce() {
    List<WorkerStore> clients = List.of(open(), open(), open());
    begin(clients.get(0));
    List<ClaimRequest> claims = new ArrayList<>();
    List<CompletionStage<LeaseReply>> stages = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      claims.add(claim("p" + i).range(0, 63));
      stages.add(clients.get(i % clients.size()).claim(claims.get(i)));
    }
    Set<Integer> ids = new HashSet<>();
    for (int i = 0; i < stages.size(); i++) {
      LeaseReply reply =
          replyOrAgain(stages.get(i), clients.get(i % clients.size()), claims.get(i));
      if (reply instanceof LeaseReply.Granted granted) {
        assertTrue(ids.add(granted.row().workerId()));
      } else {
        assertRefused(Refusal.EXHAUSTED, reply);
      }
    }
    assertEquals(64, ids.size());
  }

  @Test
  void claim_twoClients_seeEachOthersWrites() {
    WorkerStore one = open();
    WorkerStore two = open();
    WorkerRow row = granted(one.claim(claim("a").only(7)));
    LeaseReply.Refused held = assertRefused(Refusal.HELD, reply(two.claim(claim("b").only(7))));
    assertTrue(held.message().startsWith("workerId: 7 is held by a "), held.message());
    assertEquals(List.of(row), listing(two).workers());
    assertEquals(listing(one), listing(two));
  }

  @Test
  void claim_replyWasLost_isAdopted() {
    WorkerStore store = open();
    ClaimRequest r = claim("a").any();
    WorkerRow row = granted(store.claim(r));
    time.add(500);
    assertEquals(row, granted(open().claim(r.at(time.wallMillis()))));
    assertEquals(1, listing(store).workers().size());
  }

  /** C88. */
  @Test
  void claim_lateCopy_winsNothing() {
    WorkerStore store = open();
    ClaimRequest r = claim("a").any();
    WorkerRow row = extended(store, granted(store.claim(r)));
    assertRefused(Refusal.LOST, reply(store.claim(r)));
    assertEquals(List.of(row), listing(store).workers());
  }

  /** C88: what the claim has read is no longer so when it writes. */
  @Test
  void claim_ownerRenewsJustBefore_isHeld() {
    WorkerStore store = open();
    WorkerRow row = granted(store.claim(claim("a").only(7)));
    time.set(row.horizonMillis() + REUSE);
    ClaimRequest r = claim("b").only(7);
    WorkerRow renewed = extended(store, row);
    assertRefused(Refusal.HELD, reply(store.claim(r)));
    assertEquals(List.of(renewed), listing(store).workers());
  }

  @Test
  void claim_ownerIsGone_startsAtItsHorizon() {
    WorkerStore store = open();
    WorkerRow row = granted(store.claim(claim("a").only(7)));
    time.set(row.horizonMillis() + REUSE - 1);
    assertRefused(Refusal.HELD, reply(store.claim(claim("b").only(7))));
    time.add(1);
    WorkerRow next = granted(store.claim(claim("b").only(7)));
    assertEquals(row.horizonMillis(), next.fromMillis());
    assertEquals(row.generation() + 1, next.generation());
    assertEquals("b", next.owner());
  }

  /** C27: the twin stops by itself, since nothing of its lease can be raised any more. */
  @Test
  void extend_afterTakeover_isLostAndChangesNothing() {
    WorkerStore store = open();
    WorkerRow row = granted(store.claim(claim("a").only(7)));
    time.set(row.horizonMillis() + REUSE);
    WorkerRow next = granted(store.claim(claim("b").only(7)));
    assertRefused(Refusal.LOST, reply(store.extend(extension(row, row.token(), 5))));
    assertRefused(Refusal.LOST, reply(store.release(release(row, row.fromMillis()))));
    assertEquals(List.of(next), listing(store).workers());
  }

  /** C24. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1023, 4_194_303})
  void claim_lowestAndHighestWorkerId_areKept(int id) {
    WorkerRow row = granted(open().claim(claim("a").only(id)));
    assertEquals(id, row.workerId());
    assertEquals(List.of(row), listing(open()).workers());
  }

  /** C10. */
  @Test
  void claim_otherLayout_isRefused() {
    WorkerStore store = open();
    WorkerRow row = granted(store.claim(claim("a").any()));
    LeaseTerms other = new LeaseTerms("orders", "another", WINDOW, REUSE, SKEW);
    assertRefused(Refusal.LAYOUT_MISMATCH, reply(store.claim(claim("b").with(other).any())));
    ExtendRequest r =
        new ExtendRequest(
            other, row.workerId(), 1, row.token(), 0, 5, time.wallMillis(), time.wallMillis());
    assertRefused(Refusal.LAYOUT_MISMATCH, reply(store.extend(r)));
  }

  /** C28, C92. */
  @Test
  void namespaces_two_areIndependent() {
    WorkerStore store = open();
    LeaseTerms bills = terms("bills");
    WorkerRow one = granted(store.claim(claim("a").only(7)));
    WorkerRow two = granted(store.claim(claim("a").with(bills).only(7)));
    assertEquals(1, two.generation());
    assertInstanceOf(LeaseReply.Fenced.class, reply(store.fence(bills, time.wallMillis())));
    assertInstanceOf(
        LeaseReply.Granted.class, reply(store.claim(claim("b").with(terms("orders")).only(8))));
    assertRefused(Refusal.FLOOR, reply(store.claim(claim("b").with(bills).only(8))));
    assertEquals(one, listing(store).workers().get(0));
    assertEquals(List.of(two), get(store.list("bills")).workers());
  }

  // ---- extends

  @Test
  void extend_raisesTheHorizon_durably() {
    WorkerStore store = open();
    WorkerRow row = granted(store.claim(claim("a").any()));
    time.add(10_000);
    WorkerRow next = extended(store, row);
    assertEquals(row.horizonMillis() + 10_000, next.horizonMillis());
    assertEquals(row.fromMillis(), next.fromMillis());
    crash(store);
    assertEquals(List.of(next), listing(open()).workers());
  }

  @Test
  void extend_repeated_isAppliedOnce() {
    WorkerStore store = open();
    WorkerRow row = granted(store.claim(claim("a").any()));
    WorkerRow next = granted(store.extend(extension(row, row.token(), 5)));
    time.add(1_000);
    assertEquals(next, granted(store.extend(extension(row, row.token(), 5))));
    assertEquals(List.of(next), listing(store).workers());
  }

  /** C88: one that arrives after the next has no say any more. */
  @Test
  void extend_lateCopy_isFencedAndChangesNothing() {
    WorkerStore store = open();
    WorkerRow row = granted(store.claim(claim("a").any()));
    ExtendRequest first = extension(row, row.token(), 5);
    WorkerRow next = granted(store.extend(first));
    WorkerRow newest = granted(store.extend(extension(next, 5, 6)));
    time.add(-30_000);
    assertRefused(Refusal.FENCED, reply(store.extend(first)));
    assertEquals(List.of(newest), listing(store).workers());
  }

  @Test
  void extend_noSuchLease_isLost() {
    WorkerStore store = open();
    WorkerRow row = granted(store.claim(claim("a").only(7)));
    ExtendRequest r =
        new ExtendRequest(terms, 8, 1, row.token(), 0, 5, time.wallMillis(), time.wallMillis());
    assertRefused(Refusal.LOST, reply(store.extend(r)));
    assertEquals(List.of(row), listing(store).workers());
  }

  // ---- releases

  @Test
  void release_inOrder_costsTheNextNothing() {
    WorkerStore store = open();
    WorkerRow row = granted(store.claim(claim("a").only(7)));
    time.add(10);
    long end = time.wallMillis() + 1;
    WorkerRow released = granted(store.release(release(row, end)));
    assertNull(released.owner());
    assertEquals(end, released.horizonMillis());
    time.add(1);
    WorkerRow next = granted(open().claim(claim("b").only(7)));
    assertEquals(end, next.fromMillis());
    assertEquals(2, next.generation());
  }

  @Test
  void release_repeated_isAppliedOnce() {
    WorkerStore store = open();
    WorkerRow row = granted(store.claim(claim("a").only(7)));
    ReleaseRequest r = release(row, time.wallMillis());
    WorkerRow released = granted(store.release(r));
    assertEquals(released, granted(store.release(r)));
    assertRefused(Refusal.FENCED, reply(store.extend(extension(row, row.token(), 5))));
    assertEquals(List.of(released), listing(store).workers());
  }

  /** The last renewal got through, and its holder never heard of it. */
  @Test
  void release_pendingToken_isTaken() {
    WorkerStore store = open();
    WorkerRow row = granted(store.claim(claim("a").only(7)));
    granted(store.extend(extension(row, row.token(), 5)));
    ReleaseRequest r = new ReleaseRequest(terms, 7, 1, row.token(), 5, row.fromMillis());
    assertNull(granted(store.release(r)).owner());
  }

  // ---- administrators

  /** C94. */
  @Test
  void revoke_live_stopsTheHolderAndKeepsTheHorizon() {
    WorkerStore store = open();
    WorkerRow row = granted(store.claim(claim("a").only(7)));
    WorkerRow revoked = granted(open().revoke(terms, 7));
    assertEquals(row.horizonMillis(), revoked.horizonMillis());
    assertRefused(Refusal.FENCED, reply(store.extend(extension(row, row.token(), 5))));
    assertRefused(Refusal.FENCED, reply(store.release(release(row, row.fromMillis()))));
    assertRefused(Refusal.HELD, reply(store.claim(claim("b").only(7))));
    time.set(row.horizonMillis() + REUSE);
    assertEquals(row.horizonMillis(), granted(store.claim(claim("b").only(7))).fromMillis());
  }

  @Test
  void revoke_nobodyHolds_isLost() {
    assertRefused(Refusal.LOST, reply(open().revoke(terms, 7)));
  }

  @Test
  void fence_claimsRest_leasesGoOn() {
    WorkerStore store = open();
    WorkerRow row = granted(store.claim(claim("a").only(7)));
    NamespaceRow fenced =
        assertInstanceOf(LeaseReply.Fenced.class, reply(store.fence(terms, time.wallMillis())))
            .namespace();
    assertEquals(1, fenced.fence());
    assertEquals(time.wallMillis() + terms.floorDelayMs(), fenced.floorMillis());
    assertRefused(Refusal.FLOOR, reply(open().claim(claim("b").only(8))));
    time.add(WINDOW / 2);
    row = extended(store, row);
    assertEquals(1, row.fence());
    time.set(fenced.floorMillis());
    assertEquals(fenced.floorMillis(), granted(store.claim(claim("b").only(8))).fromMillis());
    assertEquals(fenced, listing(store).namespace());
  }

  @Test
  void fence_unknownNamespace_isRefused() {
    assertRefused(Refusal.LOST, reply(open().fence(terms, time.wallMillis())));
  }

  @Test
  void list_unknownNamespace_isEmpty() {
    WorkerStore.Listing listing = listing(open());
    assertNull(listing.namespace());
    assertEquals(List.of(), listing.workers());
    assertEquals(time.wallMillis(), listing.storeMillis());
  }

  @Test
  void list_manyRows_inOrderOfWorkerIds() {
    WorkerStore store = open();
    for (int id : new int[] {9, 10, 2, 100, 0}) {
      granted(store.claim(claim("p" + id).only(id)));
    }
    List<Integer> ids = new ArrayList<>();
    listing(store).workers().forEach(row -> ids.add(row.workerId()));
    assertEquals(List.of(0, 2, 9, 10, 100), ids);
  }

  // ---- restarts, clocks, values

  @Test
  void restart_inTheMiddle_losesNothing() {
    WorkerStore store = open();
    WorkerRow row = extended(store, granted(store.claim(claim("a").only(7))));
    granted(store.claim(claim("b").only(8)));
    WorkerStore.Listing before = listing(store);
    crash(store);
    WorkerStore after = open();
    assertEquals(before, listing(after));
    time.add(1_000);
    assertEquals(row.horizonMillis() + 1_000, extended(after, row).horizonMillis());
    assertEquals(store.kind(), after.kind());
    assertEquals(store.embedded(), after.embedded());
  }

  /** C45: what was acknowledged is there, and every holder goes on with it. */
  @Test
  void server_endsInTheMiddle_leasesGoOn() throws Exception {
    List<WorkerStore> clients = List.of(open(), open(), open());
    begin(clients.get(0));
    CountDownLatch before = new CountDownLatch(HOLDERS);
    AtomicBoolean back = new AtomicBoolean();
    List<FutureTask<WorkerRow>> tasks = new ArrayList<>();
    for (int i = 0; i < HOLDERS; i++) {
      WorkerStore client = clients.get(i % clients.size());
      ClaimRequest r = claim("p" + i).any();
      tasks.add(new FutureTask<>(() -> held(client, r, before, back)));
    }
    for (FutureTask<WorkerRow> task : tasks) {
      Thread thread = new Thread(task, "holder");
      thread.setDaemon(true);
      thread.start();
    }
    assertTrue(before.await(ANSWER_S, TimeUnit.SECONDS));
    restartServer();
    back.set(true);
    Set<WorkerRow> rows = new HashSet<>();
    Set<Integer> ids = new HashSet<>();
    for (FutureTask<WorkerRow> task : tasks) {
      WorkerRow row = task.get(ANSWER_S, TimeUnit.SECONDS);
      assertEquals(1, row.generation());
      assertTrue(ids.add(row.workerId()), row::toString);
      rows.add(row);
    }
    Set<WorkerRow> listed = new HashSet<>(listing(open()).workers());
    assertEquals(HOLDERS + 1, listed.size());
    assertTrue(listed.containsAll(rows), () -> listed + " lacks one of " + rows);
  }

  /** Claims, and renews until one renewal has begun after the server's return. */
  private WorkerRow held(
      WorkerStore client, ClaimRequest r, CountDownLatch before, AtomicBoolean back) {
    WorkerRow row = answered(() -> client.claim(r));
    for (int i = 1; i < MOST_RENEWALS; i++) {
      boolean last = back.get();
      ExtendRequest longer = extension(row, row.token(), r.token() + i);
      row = answered(() -> client.extend(longer));
      if (last) {
        return row;
      }
      if (i == RENEWALS_BEFORE) {
        before.countDown();
      }
    }
    throw new AssertionError("the server did not come back in " + MOST_RENEWALS + " renewals");
  }

  /** The same request until it is answered, as a keeper of a lease sends it. */
  private static WorkerRow answered(Supplier<CompletionStage<LeaseReply>> request) {
    for (int i = 0; i < TRIES; i++) {
      try {
        return granted(request.get());
      } catch (StoreException e) {
        assertFalse(e.permanent(), e::toString);
        LockSupport.parkNanos(AGAIN_NANOS); // others may need the processor to come back
      }
    }
    throw new AssertionError("no answer in " + TRIES + " tries");
  }

  /** C40: whatever the store's clock says, no horizon follows it away, and none falls. */
  @ParameterizedTest
  @ValueSource(longs = {0, -1, 9_223_372_036L, Long.MAX_VALUE, Long.MIN_VALUE, START - 3_600_000})
  void clock_absurd_movesNoHorizon(long absurd) {
    WorkerStore store = open();
    WorkerRow row = granted(store.claim(claim("a").only(7)));
    time.set(absurd);
    ExtendRequest r = new ExtendRequest(terms, 7, 1, row.token(), 0, 5, START + 100, START + 100);
    WorkerRow next = granted(store.extend(r));
    assertEquals(START + 100 + WINDOW, next.horizonMillis());
    LeaseReply other = reply(store.claim(claim("b").at(START + 100).only(8)));
    if (other instanceof LeaseReply.Granted granted) {
      long horizon = granted.row().horizonMillis();
      assertTrue(horizon <= START + 100 + WINDOW, Long.toString(horizon));
    } else {
      assertRefused(Refusal.CLOCK_SKEW, other);
    }
    assertEquals(next, listing(store).workers().get(0));
  }

  /** C43: nothing is cut to 32 bits, or turns around at 64. */
  @ParameterizedTest
  @ValueSource(
      longs = {Integer.MAX_VALUE - 1L, Integer.MAX_VALUE, 0xFFFF_FFFFL, Long.MAX_VALUE - 1_000})
  void values_atTheEnds_areKept(long now) {
    time.set(now);
    WorkerStore store = open();
    ClaimRequest r =
        new ClaimRequest(
            terms,
            "a",
            Long.MIN_VALUE,
            Long.MAX_VALUE,
            7,
            7,
            -1,
            now,
            0,
            BehindPolicy.REFUSE,
            true);
    WorkerRow row = granted(store.claim(r));
    assertEquals(Long.MIN_VALUE, row.nonce());
    assertEquals(Long.MAX_VALUE, row.token());
    long horizon = now > Long.MAX_VALUE - WINDOW ? Long.MAX_VALUE : now + WINDOW;
    assertEquals(horizon, row.horizonMillis());
    WorkerRow next = granted(store.extend(extension(row, Long.MAX_VALUE, Long.MIN_VALUE)));
    assertEquals(Long.MIN_VALUE, next.token());
    crash(store);
    assertEquals(List.of(next), listing(open()).workers());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-",
        "%",
        "a b",
        "a\nb",
        "tab\there",
        "null",
        "'; DROP TABLE x --",
        "h\u00f6st/7",
        "\u2603",
        "=,;\"\\"
      })
  void owner_anyCharacters_areKept(String owner) {
    WorkerStore store = open();
    WorkerRow row = granted(store.claim(claim(owner).only(7)));
    assertEquals(owner, row.owner());
    crash(store);
    assertEquals(List.of(row), listing(open()).workers());
  }

  @Test
  void owner_longest_isKept() {
    String owner = "\u00e4".repeat(255);
    granted(open().claim(claim(owner).only(7)));
    assertEquals(owner, listing(open()).workers().get(0).owner());
  }

  // ---- wiped stores

  @Test
  void wiped_runningHolder_isToldSo() {
    WorkerStore store = open();
    WorkerRow row = granted(store.claim(claim("a").only(7)));
    String identity = listing(store).identity();
    crash(store);
    wipe();
    WorkerStore after = open();
    assertRefused(Refusal.LOST, reply(after.extend(extension(row, row.token(), 5))));
    assertRefused(Refusal.LOST, reply(after.release(release(row, row.fromMillis()))));
    assertNotEquals(identity, listing(after).identity());
  }

  /** Running nodes may still hold a window of a store that was wiped under them. */
  @Test
  void wiped_newClaim_restsUnlessOnOneMachine() {
    crash(open());
    wipe();
    WorkerStore store = open();
    LeaseReply reply = reply(store.claim(claim("b").sworn(false).only(7)));
    if (store.embedded()) {
      assertInstanceOf(LeaseReply.Granted.class, reply);
    } else {
      assertRefused(Refusal.FLOOR, reply);
      NamespaceRow namespace = listing(store).namespace();
      assertNotNull(namespace);
      assertEquals(time.wallMillis() + terms.floorDelayMs(), namespace.floorMillis());
    }
  }

  // ---- bad networks

  /**
   * C41: every request is repeated until it is answered; whatever was lost, cells are given once.
   */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void network_bad_noCellTwice(long seed) {
    LossyWorkerStore lossy =
        new LossyWorkerStore(open(), new LossyNetwork(new LossyNetwork.Faults(15, 35, 10), seed));
    Random random = new Random(seed);
    long end = Long.MIN_VALUE; // of what the generations so far may have issued
    long generation = 0;
    for (int round = 0; round < 12; round++) {
      WorkerRow row = claimed(lossy, "p" + seed + "-" + round);
      assertTrue(row.fromMillis() >= end, () -> row + " overlaps");
      assertTrue(row.generation() > generation, row::toString);
      generation = row.generation();
      end = lived(lossy, row, random);
      lossy.deliverLate();
    }
  }

  /** Claims until it is answered, and waits out copies of its own claim that came late. */
  private WorkerRow claimed(WorkerStore store, String owner) {
    ClaimRequest r = claim(owner).only(7);
    for (int i = 0; i < 1_000; i++) {
      try {
        LeaseReply reply = reply(store.claim(r.at(time.wallMillis())));
        if (reply instanceof LeaseReply.Granted granted) {
          return granted.row();
        }
        r = claim(owner).only(7);
        time.add(WINDOW / 4);
      } catch (StoreException e) {
        assertTrue(e.outcomeUnknown());
      }
    }
    throw new AssertionError("no claim in 1,000 tries");
  }

  /** Renews some times, and ends in order or not. */
  private long lived(WorkerStore store, WorkerRow row, Random random) {
    long known = row.token();
    long fresh = known;
    long horizon = row.horizonMillis();
    for (int i = random.nextInt(8); i > 0; i--) {
      time.add(random.nextInt(20_000) - 2_000);
      fresh = names++ << 8;
      try {
        LeaseReply reply = reply(store.extend(extension(row, known, fresh)));
        assertTrue(granted(reply).horizonMillis() >= horizon, "a horizon fell");
        horizon = granted(reply).horizonMillis();
        known = fresh;
      } catch (StoreException e) {
        assertTrue(e.outcomeUnknown());
        break; // a holder would repeat it; here it ends without knowing
      }
    }
    if (random.nextBoolean()) {
      return horizon;
    }
    long end = Math.min(horizon, Math.max(row.fromMillis(), time.wallMillis() + 1));
    try {
      LeaseReply reply =
          reply(store.release(new ReleaseRequest(terms, 7, row.generation(), known, fresh, end)));
      assertInstanceOf(LeaseReply.Granted.class, reply);
      return end;
    } catch (StoreException e) {
      assertTrue(e.outcomeUnknown());
      return end; // at least this much was used
    }
  }

  // ---- closing

  @Test
  void close_twice_thenEveryCallIsRefused() {
    WorkerStore store = open();
    store.close();
    store.close();
    StoreException e =
        assertThrows(StoreException.class, () -> reply(store.claim(claim("a").any())));
    assertFalse(e.outcomeUnknown());
    assertTrue(
        String.valueOf(e.getMessage()).endsWith("closed (expected: an open store)"), e::toString);
    assertThrows(StoreException.class, () -> get(store.list("orders")));
  }

  @Test
  void close_one_leavesTheOtherOpen() {
    WorkerStore one = open();
    WorkerStore two = open();
    one.close();
    granted(two.claim(claim("a").any()));
  }

  // ---- words

  private WorkerStore open() {
    WorkerStore client = openClient();
    open.add(client);
    return client;
  }

  /** Makes the namespace, with one worker id that no crowd asks for. */
  private void begin(WorkerStore store) {
    granted(store.claim(claim("first").only(5_000)));
  }

  private WorkerRow extended(WorkerStore store, WorkerRow row) {
    return granted(store.extend(extension(row, row.token(), names++ << 8)));
  }

  private ExtendRequest extension(WorkerRow row, long known, long fresh) {
    long now = time.wallMillis();
    return new ExtendRequest(terms, row.workerId(), row.generation(), known, 0, fresh, now, now);
  }

  private ReleaseRequest release(WorkerRow row, long end) {
    return new ReleaseRequest(terms, row.workerId(), row.generation(), row.token(), 0, end);
  }

  private static LeaseTerms terms(String namespace) {
    return new LeaseTerms(namespace, LAYOUT, WINDOW, REUSE, SKEW);
  }

  private WorkerStore.Listing listing(WorkerStore store) {
    return get(store.list("orders"));
  }

  private static WorkerRow granted(CompletionStage<LeaseReply> stage) {
    return granted(reply(stage));
  }

  private static WorkerRow granted(LeaseReply reply) {
    return assertInstanceOf(LeaseReply.Granted.class, reply, reply::toString).row();
  }

  private static LeaseReply.Refused assertRefused(Refusal reason, LeaseReply reply) {
    LeaseReply.Refused refused = assertInstanceOf(LeaseReply.Refused.class, reply, reply::toString);
    assertEquals(reason, refused.reason(), refused.message());
    return refused;
  }

  private static LeaseReply reply(CompletionStage<LeaseReply> stage) {
    return get(stage);
  }

  /**
   * What came too late in a crowd for the store to begin it was not done: it is asked for again,
   * with nobody before it any more.
   */
  private static LeaseReply replyOrAgain(
      CompletionStage<LeaseReply> stage, WorkerStore client, ClaimRequest r) {
    try {
      return reply(stage);
    } catch (StoreException e) {
      assertFalse(e.outcomeUnknown(), e::toString);
      return reply(client.claim(r));
    }
  }

  /** Whatever a stage fails with must be a {@link StoreException}. */
  private static <T> T get(CompletionStage<T> stage) {
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

  private Claim claim(String owner) {
    return new Claim(owner);
  }

  /** A claim with what a test wants to be different. */
  private final class Claim {
    private final String owner;
    private final long nonce = names++;
    private LeaseTerms with = terms;
    private long wall = time.wallMillis();
    private boolean sworn = true;

    Claim(String owner) {
      this.owner = owner;
    }

    Claim with(LeaseTerms other) {
      with = other;
      return this;
    }

    Claim at(long wallMillis) {
      wall = wallMillis;
      return this;
    }

    Claim sworn(boolean isNew) {
      sworn = isNew;
      return this;
    }

    ClaimRequest any() {
      return range(0, 1023);
    }

    ClaimRequest only(int id) {
      return range(id, id);
    }

    /** The first claim on a namespace swears that it is new, so that no test has to wait. */
    ClaimRequest range(int first, int last) {
      boolean isNew = sworn && begun.add(with.namespace());
      return new ClaimRequest(
          with, owner, nonce, nonce << 32, first, last, -1, wall, 0, BehindPolicy.REFUSE, isNew);
    }
  }
}
