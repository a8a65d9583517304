package dev.idgen.snowflake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.entropy.Entropy;
import dev.idgen.store.ClaimRequest;
import dev.idgen.store.ExtendRequest;
import dev.idgen.store.LeaseReply;
import dev.idgen.store.LeaseTerms;
import dev.idgen.store.ReleaseRequest;
import dev.idgen.store.WorkerStore;
import dev.idgen.store.memory.MemoryWorkerStore;
import dev.idgen.time.FakeTime;
import dev.idgen.time.TimeSource;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** What a keeper has to come back from by itself. Each of these was found by the simulation. */
class LeaseKeeperRecoveryTest {
  private static final long START = 1_790_000_000_000L;
  private static final long HOUR = 3_600_000;

  private final FakeTime time = new FakeTime(START);
  private final FakeTime storeTime = new FakeTime(START);
  private final Entropy entropy = new Random(42)::nextBytes;
  private final Relay store = new Relay(new MemoryWorkerStore(storeTime, entropy));
  private EngineOptions options = EngineOptions.defaults();
  private EngineEvents events = EngineEvents.NONE;

  private LeaseKeeper keeper(TimeSource clocks, KeeperOptions terms) {
    engine = new SnowflakeEngine(options, clocks, time.scheduler(), events, false);
    LeaseKeeper keeper = new LeaseKeeper(engine, store, terms, "owner", entropy);
    started = keeper.start().toCompletableFuture();
    time.runDue();
    return keeper;
  }

  private SnowflakeEngine engine =
      new SnowflakeEngine(options, time, time.scheduler(), EngineEvents.NONE, false);
  private CompletableFuture<Void> started = new CompletableFuture<>();

  private KeeperOptions terms() {
    return KeeperOptions.leased(options, "test", false).withNewCluster(true);
  }

  private void advance(long millis) {
    for (long i = 0; i < millis; i += 100) {
      time.advanceMillis(100);
      storeTime.advanceMillis(100);
    }
  }

  private void logical() {
    options = options.withRollback(RollbackPolicy.LOGICAL, 10);
  }

  /** The oath was true when the process started; its own lease has made it false since. */
  @Test
  void claim_storeWipedUnderARunningNewCluster_waitsForTheFloor() {
    LeaseKeeper keeper = keeper(time, terms());
    assertTrue(started.isDone());
    store.inner = new MemoryWorkerStore("memory", storeTime, entropy, false, Runnable::run);
    advance(12_000);
    assertTrue(keeper.status().workerIds().isEmpty());
    assertTrue(
        keeper.status().problem().startsWith("claims: rest for "), keeper.status().problem());
    advance(65_000);
    assertEquals(1, keeper.status().workerIds().size());
  }

  @Test
  void claim_clockSetForwardBeforeTheFirstLease_isGranted() {
    time.setWall(START - HOUR);
    LeaseKeeper keeper = keeper(time, terms());
    assertEquals(
        "clock: -3600000 ms from the store's (expected: at most 1000)", keeper.status().problem());
    time.setWall(START);
    advance(1_000);
    assertTrue(started.isDone());
    assertTrue(engine.next() > 0);
  }

  @Test
  void claim_clockSetBackBeforeTheFirstLease_isGrantedAndServes() {
    for (RollbackPolicy policy : RollbackPolicy.values()) {
      options = options.withRollback(policy, 10);
      time.setWall(storeTime.wallMillis() + HOUR);
      LeaseKeeper keeper = keeper(time, terms());
      assertFalse(started.isDone());
      time.setWall(storeTime.wallMillis());
      advance(1_000);
      assertTrue(started.isDone(), keeper.status().problem());
      long apart = engine.layout().timeOf(engine.next()).toEpochMilli() - time.wallMillis();
      assertTrue(Math.abs(apart) <= 10, () -> policy + ": " + apart);
    }
  }

  @Test
  void claim_goneOnAboveTheClock_isMadeByTheClockThatTheStoreAgreesWith() {
    logical();
    LeaseKeeper keeper = keeper(time, terms());
    time.stepWall(900); // within the skew
    long last = engine.next();
    time.stepWall(600);
    last = Math.max(last, engine.next());
    time.stepWall(-1_500);
    assertTrue(engine.next() > last);
    store.inner.revoke(terms().terms(), keeper.status().workerIds().get(0));
    advance(12_000);
    assertEquals(1, keeper.status().workerIds().size(), keeper.status().problem());
    assertTrue(engine.next() > last);
  }

  /** The origin of monotonic time is arbitrary, and may lie in the future. */
  @Test
  void renew_claimsRefusedAndMonotonicTimeNegative_isNotForgotten() {
    LeaseKeeper keeper = keeper(new Shifted(time), terms().withRange(0, 1).withWorkers(2));
    assertTrue(started.isDone());
    int taken = keeper.status().workerIds().get(1);
    store.inner.revoke(terms().terms(), taken);
    advance(50_000);
    assertEquals(1, keeper.status().workerIds().size());
    assertEquals("workerIds: 2 of 2 held (expected: a free one)", keeper.status().problem());
    assertTrue(keeper.status().horizonMillis() > time.wallMillis() + 40_000);
  }

  @Test
  void renew_firstClaimsRefusedAndMonotonicTimeNegative_isNotForgotten() {
    MemoryWorkerStore slots = store.inner;
    var other = keeper(time, terms().withRange(1, 1));
    assertEquals(1, other.status().workerIds().size());
    LeaseKeeper keeper = keeper(new Shifted(time), terms().withRange(0, 1).withWorkers(2));
    advance(55_000);
    assertEquals(1, keeper.status().workerIds().size());
    assertTrue(keeper.status().horizonMillis() > time.wallMillis() + 40_000);
    slots.close();
  }

  /** Readings above the horizon were never issued in: going on from them would never end. */
  @Test
  void next_clockRanAheadOfItsLeaseAndWasSetBack_goesOnInsideTheHorizon() {
    logical();
    LeaseKeeper keeper = keeper(time, terms());
    for (int i = 0; i < 100; i++) {
      time.stepWall(900); // a clock that is fast, in steps that look healthy
      engine.status();
      advance(1_000);
    }
    assertFalse(engine.status().ready());
    time.setWall(storeTime.wallMillis());
    engine.status();
    advance(22_000);
    assertTrue(engine.status().ready(), () -> engine.status() + " " + keeper.status());
    long last = engine.next();
    for (int i = 0; i < 60; i++) {
      advance(1_000);
      long next = engine.next();
      assertTrue(next > last);
      last = next;
    }
  }

  /** What a listener does must not decide in which cells ids are issued. */
  @Test
  void lost_listenerThrows_worksOnWithoutTheLostWorkerId() {
    events =
        new EngineEvents() {
          @Override
          public void leaseGained(int workerId, long generation) {
            throw new IllegalStateException("listener: gained");
          }

          @Override
          public void leaseLost(int workerId, long generation, String why) {
            throw new IllegalStateException("listener: lost");
          }
        };
    LeaseKeeper keeper = keeper(time, terms().withRange(0, 1).withWorkers(2));
    advance(1_000);
    assertEquals(2, engine.status().workerIds().size());
    int taken = keeper.status().workerIds().get(0);
    store.inner.revoke(terms().terms(), taken);
    advance(40_000);
    assertFalse(engine.status().workerIds().contains(taken));
    assertEquals(1, engine.status().workerIds().size());
    assertTrue(engine.next() > 0);
  }

  /** The same clocks, with monotonic time below zero. */
  private record Shifted(TimeSource inner) implements TimeSource {
    @Override
    public long wallMillis() {
      return inner.wallMillis();
    }

    @Override
    public long monotonicNanos() {
      return inner.monotonicNanos() - (1L << 60);
    }

    @Override
    public void pause(long nanos) {
      inner.pause(nanos);
    }
  }

  /** A store that can be replaced. */
  private static final class Relay implements WorkerStore {
    MemoryWorkerStore inner;

    Relay(MemoryWorkerStore inner) {
      this.inner = inner;
    }

    private CompletionStage<LeaseReply> pass(
        Function<WorkerStore, CompletionStage<LeaseReply>> request) {
      return request.apply(inner);
    }

    @Override
    public String kind() {
      return inner.kind();
    }

    @Override
    public boolean embedded() {
      return inner.embedded();
    }

    @Override
    public CompletionStage<LeaseReply> claim(ClaimRequest request) {
      return pass(to -> to.claim(request));
    }

    @Override
    public CompletionStage<LeaseReply> extend(ExtendRequest request) {
      return pass(to -> to.extend(request));
    }

    @Override
    public CompletionStage<LeaseReply> release(ReleaseRequest request) {
      return pass(to -> to.release(request));
    }

    @Override
    public CompletionStage<LeaseReply> revoke(LeaseTerms terms, int workerId) {
      return pass(to -> to.revoke(terms, workerId));
    }

    @Override
    public CompletionStage<LeaseReply> fence(LeaseTerms terms, long wallMillis) {
      return pass(to -> to.fence(terms, wallMillis));
    }

    @Override
    public CompletionStage<Listing> list(String namespace) {
      return inner.list(namespace);
    }

    @Override
    public void close() {
      inner.close();
    }
  }
}
