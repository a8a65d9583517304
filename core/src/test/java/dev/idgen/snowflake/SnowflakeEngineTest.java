package dev.idgen.snowflake;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.ClockException;
import dev.idgen.DeadlineException;
import dev.idgen.ExhaustedException;
import dev.idgen.IdBatch;
import dev.idgen.IdException;
import dev.idgen.IdRun;
import dev.idgen.LeaseException;
import dev.idgen.Reason;
import dev.idgen.inspect.Inspection;
import dev.idgen.inspect.Inspector;
import dev.idgen.layout.Layout;
import dev.idgen.time.FakeTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SnowflakeEngineTest {
  private static final long START = 1_790_000_000_000L;
  private static final long NANOS = 1_000_000;

  private final FakeTime time = new FakeTime(START);
  private final EventLog events = new EventLog();
  private final Set<Long> seen = new HashSet<>();
  private long before = -1;

  private SnowflakeEngine engine(EngineOptions options) {
    return engine(options, false);
  }

  private SnowflakeEngine engine(EngineOptions options, boolean sharesStoreClock) {
    SnowflakeEngine engine =
        new SnowflakeEngine(options, time, time.scheduler(), events, sharesStoreClock);
    engine.switchTo(new int[] {7}, 0, Long.MAX_VALUE);
    return engine;
  }

  private static EngineOptions options() {
    return EngineOptions.defaults();
  }

  private static EngineOptions tiny() {
    return options().withLayout(Layout.builder().time(49).worker(10).sequence(4).build());
  }

  /** Every id of a test passes here: none twice, each above the one before. */
  private long checked(long id) {
    assertTrue(seen.add(id), () -> "issued twice: " + id);
    assertTrue(id > before, () -> id + " after " + before);
    before = id;
    return id;
  }

  private void take(SnowflakeEngine engine, int count) {
    for (int i = 0; i < count; i++) {
      checked(engine.next());
    }
  }

  private static IdException refusal(CompletionStage<IdBatch> stage) {
    var e = assertThrows(CompletionException.class, () -> stage.toCompletableFuture().join());
    return assertInstanceOf(IdException.class, e.getCause());
  }

  @Test
  void next_decoded_isNow() {
    SnowflakeEngine engine = engine(options());
    long id = checked(engine.next());
    assertEquals(START, engine.layout().timeOf(id).toEpochMilli());
    assertEquals(7, engine.layout().workerOf(id));
    assertEquals(0, engine.layout().sequenceOf(id));
  }

  /** C84: whichever way it is taken, at once or waited for, and whoever reads it. */
  @ParameterizedTest
  @EnumSource
  void take_everyWay_decodesToWithinAMillisecondOfIssue(ClockMode clock) {
    SnowflakeEngine engine = engine(options().withClock(clock));
    long[] one = new long[1];
    List<LongSupplier> ways =
        List.of(
            engine::next,
            engine::tryNext,
            () -> {
              engine.fill(one);
              return one[0];
            },
            () -> engine.nextBatch(1).runs().get(0).first(),
            () -> engine.nextAsync(1, 0).toCompletableFuture().join().runs().get(0).first());
    for (LongSupplier way : ways) {
      time.advanceMillis(60_007);
      assertIssuedNow(engine.layout(), checked(way.getAsLong()));
    }
    take(engine, 4095);
    assertIssuedNow(engine.layout(), checked(engine.next())); // of the next tick: waited for
  }

  private void assertIssuedNow(Layout layout, long id) {
    long now = time.wallMillis();
    Inspection read = Inspector.of(layout).inspect(String.valueOf(id), now);
    for (Instant issued :
        List.of(
            layout.timeOf(id),
            layout.decode(id).time(),
            requireNonNull(read.decoded()).time(),
            requireNonNull(read.best().time()))) {
      long apart = Math.abs(now - issued.toEpochMilli());
      assertTrue(apart <= 1, () -> id + ": " + apart + " ms");
    }
  }

  @Test
  void close_takeWaitsForItsTime_isRefusedAtOnce() {
    SnowflakeEngine engine = engine(options());
    var waits = engine.nextAsync(100_000, 2_000_000_000L).toCompletableFuture();
    assertFalse(waits.isDone());

    time.scheduler().close(); // as whoever closes the engine does: no timer runs any more
    engine.close();

    var e = assertThrows(CompletionException.class, waits::join);
    assertEquals(Reason.DRAINING, assertInstanceOf(IdException.class, e.getCause()).reason());
    var late = engine.nextAsync(1, 0).toCompletableFuture();
    assertThrows(CompletionException.class, late::join);
  }

  /** C1. */
  @Test
  void next_clockOneMillisecondBack_waitsAndRepeatsNothing() {
    SnowflakeEngine engine = engine(options());
    take(engine, 5);
    time.stepWall(-1);
    take(engine, 1);
    take(engine, 5);
    assertEquals(11, seen.size());
    assertTrue(time.wallMillis() >= START, "the call waited for its clock");
  }

  /** The reading of the last take, once a later one is known, is a rollback like any other. */
  @Test
  void next_clockBackAtTheReadingOfTheLastTake_waits() {
    SnowflakeEngine engine = engine(options());
    take(engine, 5);
    time.advanceMillis(5);
    assertTrue(engine.status().ready());
    time.stepWall(-5);
    take(engine, 1);
    assertEquals(START + 5, engine.layout().timeOf(before).toEpochMilli());
    assertEquals(1, engine.status().rollbacks());
  }

  @Test
  void next_tickFullAndNobodyMayWait_isPushedOnToTheBoundOnly() {
    SnowflakeEngine engine = engine(tiny().withWaitMs(0));
    take(engine, 16);
    for (int i = 0; i < 1_000; i++) {
      assertThrows(DeadlineException.class, engine::next);
    }
    Lease lease = engine.current();
    assertTrue(lease.tickOf(lease.position()) - engine.tickAt(START) <= 9);
  }

  /** C2. */
  @Test
  void next_clockAnHourBack_refusesAndComesBackByItself() {
    SnowflakeEngine engine = engine(options());
    take(engine, 5);
    time.stepWall(-3_600_000);
    ClockException e = assertThrows(ClockException.class, engine::next);
    assertEquals(Reason.CLOCK_BACKWARD, e.reason());
    assertEquals("clock: 3600000 ms behind its own past (expected: at most 10)", e.getMessage());
    assertEquals(3_600_000, e.retryAfterMs());
    assertFalse(engine.status().ready());
    assertEquals(List.of("clock: 3600000 ms behind its own past"), engine.status().reasons());
    assertThrows(ClockException.class, engine::next);
    assertEquals(List.of("rollback 3600000"), events.lines, "one episode, one event");
    assertEquals(1, engine.status().rollbacks());

    time.advanceMillis(3_600_000);
    take(engine, 5);
    assertTrue(engine.status().ready());
    assertEquals(List.of("rollback 3600000", "trusted"), events.lines);
  }

  /** C2. */
  @Test
  void next_clockAnHourBackPolicyLogical_goesOnInOrderUpToTheHorizon() {
    SnowflakeEngine engine = engine(options().withRollback(RollbackPolicy.LOGICAL, 10));
    long horizon = engine.layout().tickAt(START + 60_000);
    engine.switchTo(new int[] {7}, 0, horizon);
    take(engine, 5);
    time.stepWall(-3_600_000);
    take(engine, 5);
    assertEquals(START, engine.layout().timeOf(before).toEpochMilli());
    assertTrue(engine.status().ready());
    time.advanceMillis(59_000);
    take(engine, 5);
    assertEquals(START + 59_000, engine.layout().timeOf(before).toEpochMilli());
    time.advanceMillis(10_000);
    LeaseException e = assertThrows(LeaseException.class, engine::next);
    assertEquals(
        "lease: ended 9001 ms ago (expected: one that covers the present)", e.getMessage());
    assertEquals(horizon - 1_000, engine.layout().tickOf(before));
  }

  /** C5. */
  @Test
  void next_frozenClock_theOneTooManyIsRefusedAtItsDeadline() {
    SnowflakeEngine engine = engine(options());
    time.freezeWall(true);
    take(engine, 4096);
    assertThrows(DeadlineException.class, engine::next);
    time.freezeWall(false);
    time.advanceMillis(1);
    take(engine, 10);
  }

  /** C5. */
  @Test
  void next_tickUsedUp_waitsForTheNext() {
    SnowflakeEngine engine = engine(options());
    take(engine, 4097);
    assertEquals(START + 1, time.wallMillis());
    assertEquals(START + 1, engine.layout().timeOf(before).toEpochMilli());
    assertEquals(1, time.pauses());
  }

  /** C6: the clock ticks between any two reads. */
  @ParameterizedTest
  @EnumSource(ClockMode.class)
  void next_clockTicksBetweenReads_aMillionIdsRise(ClockMode mode) {
    long[] reads = new long[1];
    var racing =
        new dev.idgen.time.TimeSource() {
          @Override
          public long wallMillis() {
            return START + ++reads[0] / 3;
          }

          @Override
          public long monotonicNanos() {
            return reads[0] * NANOS / 3;
          }

          @Override
          public void pause(long nanos) {
            reads[0] += 3;
          }
        };
    SnowflakeEngine engine =
        new SnowflakeEngine(options().withClock(mode), racing, time.scheduler(), events, false);
    engine.switchTo(new int[] {7}, 0, Long.MAX_VALUE);
    long last = -1;
    for (int i = 0; i < 1_000_000; i++) {
      long id = engine.next();
      assertTrue(id > last);
      last = id;
    }
  }

  /** C7. */
  @Test
  void next_leapSecondPlayedTwice_waitsWhereTheWaitAllowsIt() {
    SnowflakeEngine engine = engine(options().withRollback(RollbackPolicy.REFUSE, 1_000));
    take(engine, 5);
    time.advanceMillis(999);
    take(engine, 5);
    time.stepWall(-1_000);
    take(engine, 5);
    assertTrue(time.wallMillis() >= START + 999);
  }

  /** C7. */
  @Test
  void next_leapSecondPlayedTwice_isRefusedWhereItDoesNot() {
    SnowflakeEngine engine = engine(options());
    take(engine, 5);
    time.advanceMillis(999);
    take(engine, 5);
    time.stepWall(-1_000);
    assertEquals(Reason.CLOCK_BACKWARD, assertThrows(IdException.class, engine::next).reason());
  }

  /** C8. */
  @Test
  void next_oneReadingTenYearsAhead_issuesNothingFromIt() {
    SnowflakeEngine engine = engine(options());
    take(engine, 5);
    long tenYears = 10L * 365 * 24 * 3_600_000;
    time.stepWall(tenYears);
    ClockException e = assertThrows(ClockException.class, engine::next);
    assertEquals(Reason.CLOCK_AHEAD, e.reason());
    assertEquals(
        "clock: leapt forward by more than 1000 ms (expected: a leap confirmed)", e.getMessage());
    assertFalse(engine.status().ready());
    time.stepWall(-tenYears);
    take(engine, 5);
    assertTrue(engine.status().ready());
    assertEquals(0, engine.status().rollbacks());
    assertEquals(START, engine.layout().timeOf(before).toEpochMilli());
  }

  @Test
  void next_firstReadingIsWild_isNotBelieved() {
    long[] reads = {START + 1_000_000_000L, START};
    int[] at = new int[1];
    var wild =
        new dev.idgen.time.TimeSource() {
          @Override
          public long wallMillis() {
            return at[0] < reads.length ? reads[at[0]++] : START + 1;
          }

          @Override
          public long monotonicNanos() {
            return 0;
          }

          @Override
          public void pause(long nanos) {}
        };
    SnowflakeEngine engine = new SnowflakeEngine(options(), wild, time.scheduler(), events, false);
    engine.switchTo(new int[] {7}, 0, Long.MAX_VALUE);
    assertEquals(START + 1, engine.layout().timeOf(engine.next()).toEpochMilli());
  }

  @Test
  void next_leapThatHoldsWhereNoOtherClockCanBeAsked_isAcceptedAfterTheSkew() {
    SnowflakeEngine engine = engine(options(), true);
    take(engine, 5);
    time.stepWall(3_600_000);
    assertThrows(ClockException.class, engine::next);
    time.advanceMillis(500);
    assertThrows(ClockException.class, engine::next);
    time.advanceMillis(500);
    take(engine, 5);
    assertEquals(START + 3_601_000, engine.layout().timeOf(before).toEpochMilli());
    assertEquals(List.of("leap", "trusted"), events.lines);
  }

  @Test
  void next_leapWithAnotherClock_waitsForItsConfirmation() {
    SnowflakeEngine engine = engine(options());
    int[] asked = new int[1];
    engine.onConfirmationWanted(() -> asked[0]++);
    take(engine, 5);
    time.stepWall(3_600_000);
    assertThrows(ClockException.class, engine::next);
    time.advanceMillis(10_000);
    assertThrows(ClockException.class, engine::next);
    assertEquals(1, asked[0]);
    assertFalse(engine.watch().confirm(START));
    assertTrue(engine.watch().confirm(time.wallMillis() + 900));
    take(engine, 5);
  }

  @Test
  void next_anHourAsleepByBothClocks_isNoLeap() {
    SnowflakeEngine engine = engine(options());
    take(engine, 5);
    time.advanceMillis(3_600_000);
    take(engine, 5);
    assertEquals(List.of(), events.lines);
  }

  @Test
  void next_leapsOneAfterAnother_areEachUnconfirmed() {
    SnowflakeEngine engine = engine(options(), true);
    take(engine, 1);
    for (int i = 0; i < 20; i++) {
      time.stepWall(5_000);
      time.advanceMillis(500);
      assertThrows(ClockException.class, engine::next);
    }
    assertEquals(20, events.count("leap"));
  }

  /** C9. */
  @Test
  void next_lastTickOfTheLayout_worksAndTheNextIsExhausted() {
    Layout layout =
        Layout.builder()
            .time(39)
            .worker(10)
            .sequence(14)
            .epochMillis(START - (1L << 39) + 1)
            .build();
    SnowflakeEngine engine = engine(options().withLayout(layout));
    take(engine, 10);
    assertEquals(layout.maxTick(), layout.tickOf(before));
    time.advanceMillis(1);
    ExhaustedException e = assertThrows(ExhaustedException.class, engine::next);
    assertEquals(
        "layout: ended at " + layout.end() + " (expected: a tick of its life)", e.getMessage());
    assertEquals(List.of("layout: ended at " + layout.end()), engine.status().reasons());
    assertTrue(before > 0);
  }

  /** C11. */
  @Test
  void next_rollbackWhileWaitingForATick_isBoundedAndRests() {
    SnowflakeEngine engine = engine(options());
    take(engine, 4096);
    time.stepWall(-5);
    take(engine, 1);
    assertTrue(time.pauses() <= 4, () -> "pauses: " + time.pauses());
    take(engine, 4095);
    time.stepWall(-3_600_000);
    int rests = time.pauses();
    assertThrows(ClockException.class, engine::next);
    assertEquals(rests, time.pauses());
  }

  /** C11: a clock that stays a little behind costs a bounded number of rests. */
  @Test
  void next_clockStaysBrieflyBehind_isRefusedAtTheDeadline() {
    SnowflakeEngine engine = engine(options());
    take(engine, 1);
    time.stepWall(-5);
    time.freezeWall(true);
    assertThrows(DeadlineException.class, engine::next);
    assertTrue(time.pauses() <= 401, () -> "pauses in 2 s: " + time.pauses());
  }

  /** C12: one id a minute decodes to its minute, and a later process begins above. */
  @Test
  void next_slowly_decodesToTheClock() {
    SnowflakeEngine engine = engine(options());
    for (int i = 0; i < 100; i++) {
      time.advanceMillis(60_000);
      checked(engine.next());
      assertEquals(time.wallMillis(), engine.layout().timeOf(before).toEpochMilli());
    }
  }

  /** C83. */
  @Test
  void next_spread_dividesEvenly() {
    SnowflakeEngine engine = engine(options().withSequenceStart(SequenceStart.SPREAD));
    int[][] counts = {new int[2], new int[4], new int[8], new int[16], new int[64]};
    for (int i = 0; i < 10_000; i++) {
      time.advanceMillis(10);
      checked(engine.next());
      for (int[] count : counts) {
        count[(int) (before % count.length)]++;
      }
    }
    for (int[] count : counts) {
      for (int bucket : count) {
        assertEquals(10_000.0 / count.length, bucket, 1_000.0 / count.length);
      }
    }
  }

  /** C87. */
  @Test
  void fill_overManyTicks_isInOrder() {
    SnowflakeEngine engine = engine(tiny());
    long[] ids = new long[10_000];
    engine.fill(ids);
    for (long id : ids) {
      checked(id);
    }
    assertEquals(625, seen.stream().map(engine.layout()::tickOf).distinct().count());
    assertEquals(engine.layout().tickOf(before), engine.layout().tickAt(time.wallMillis()));
  }

  @Test
  void fill_empty_takesNothing() {
    SnowflakeEngine engine = engine(options());
    engine.fill(new long[0]);
    assertEquals(0, engine.next(0).length);
    assertEquals(0, engine.layout().sequenceOf(engine.next()));
  }

  @Test
  void next_negativeCount_isRefused() {
    SnowflakeEngine engine = engine(options());
    var e = assertThrows(IllegalArgumentException.class, () -> engine.next(-1));
    assertEquals("count: -1 (expected: >= 0)", e.getMessage());
    e = assertThrows(IllegalArgumentException.class, () -> engine.nextBatch(0));
    assertEquals("count: 0 (expected: >= 1)", e.getMessage());
  }

  /** C91. */
  @Test
  void nextBatch_aMillionThenOne_isNoRollbackAndReady() {
    SnowflakeEngine engine = engine(options());
    IdBatch batch = engine.nextBatch(1_000_000);
    assertEquals(1_000_000, batch.count());
    assertEquals(245, batch.runs().size());
    before = batch.runs().get(244).lastInclusive();
    long then = time.wallMillis();
    take(engine, 1);
    assertTrue(time.wallMillis() - then <= 8, "bounded wait");
    assertTrue(engine.status().ready());
    assertEquals(List.of(), events.lines);
  }

  @Test
  void nextBatch_longerThanTheDeadline_isRefusedBeforeReserving() {
    SnowflakeEngine engine = engine(tiny().withWaitMs(100));
    DeadlineException e = assertThrows(DeadlineException.class, () -> engine.nextBatch(10_000));
    assertEquals(
        "count: 10000 needs 624 ticks, 0 are promised (expected: to be ready within 100 ms)",
        e.getMessage());
    assertEquals(0, engine.layout().sequenceOf(engine.next()), "nothing was reserved");
    assertEquals(0, time.pauses());
  }

  @Test
  void nextBatch_runs_areTheIdsOfFill() {
    SnowflakeEngine engine = engine(tiny());
    long[] ids = engine.nextBatch(100).toArray();
    for (long id : ids) {
      checked(id);
    }
    assertEquals(100, ids.length);
  }

  @Test
  void nextAsync_readyAtOnce_isComplete() {
    SnowflakeEngine engine = engine(options());
    var stage = engine.nextAsync(100, 0).toCompletableFuture();
    assertTrue(stage.isDone());
    assertEquals(100, stage.join().count());
  }

  @Test
  void nextAsync_laterTick_completesWhenItsTimeHasCome() {
    SnowflakeEngine engine = engine(tiny());
    var stage = engine.nextAsync(40, 100 * NANOS).toCompletableFuture();
    assertFalse(stage.isDone());
    time.advanceMillis(1);
    assertFalse(stage.isDone());
    time.advanceMillis(1);
    assertTrue(stage.isDone());
    for (long id : stage.join().toArray()) {
      checked(id);
    }
  }

  @Test
  void nextAsync_deadlineBeforeItsTime_isRefused() {
    SnowflakeEngine engine = engine(tiny());
    take(engine, 16);
    IdException e = refusal(engine.nextAsync(1, NANOS / 2));
    assertEquals(Reason.DEADLINE, e.reason());
    assertEquals("ids: ready in 1 ticks (expected: within 0 ms)", e.getMessage());
  }

  @Test
  void nextAsync_singleIdsAndAGiant_singlesAreNotStarved() {
    SnowflakeEngine engine = engine(options());
    var giant = engine.nextAsync(1_000_000, 2_000 * NANOS).toCompletableFuture();
    int waits = 0;
    while (!giant.isDone()) {
      var one = engine.nextAsync(1, 20 * NANOS).toCompletableFuture();
      time.advanceMillis(10);
      assertTrue(one.isDone() && !one.isCompletedExceptionally());
      waits++;
    }
    assertTrue(waits < 30, "the giant got on meanwhile");
  }

  @Test
  void nextAsync_moreGiantsThanTheTimeHolds_someAreServedAndTheOthersRefusedAtOnce() {
    SnowflakeEngine engine = engine(options());
    List<CompletableFuture<IdBatch>> giants = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      giants.add(engine.nextAsync(1_000_000, 2_000 * NANOS).toCompletableFuture());
    }
    long refused = giants.stream().filter(CompletableFuture::isCompletedExceptionally).count();
    assertEquals(8, refused, "before anything was reserved for them");
    time.advanceMillis(2_000);
    List<IdRun> runs = new ArrayList<>();
    for (CompletableFuture<IdBatch> giant : giants) {
      if (!giant.isCompletedExceptionally()) {
        assertTrue(giant.isDone());
        runs.addAll(giant.join().runs());
      }
    }
    runs.sort(Comparator.comparingLong(IdRun::first));
    long issued = 0;
    long above = -1;
    for (IdRun run : runs) {
      assertTrue(run.first() > above, "no id twice");
      above = run.lastInclusive();
      issued += run.count();
    }
    assertEquals(8_000_000, issued);
    assertEquals(0, engine.promise(0), "nothing stays promised");
  }

  @Test
  void nextAsync_leaseBeginsLater_waitsForItsBeginning() {
    SnowflakeEngine engine = engine(options());
    engine.switchTo(new int[] {7}, engine.layout().tickAt(START + 1_500), Long.MAX_VALUE);
    var one = engine.nextAsync(1, 2_000 * NANOS).toCompletableFuture();
    var late = engine.nextAsync(1, 1_000 * NANOS);
    assertEquals(Reason.DEADLINE, refusal(late).reason());
    time.advanceMillis(1_499);
    assertFalse(one.isDone());
    time.advanceMillis(1);
    assertTrue(one.isDone());
  }

  @Test
  void tryNext_readyOrNot_neverWaits() {
    SnowflakeEngine engine = engine(tiny());
    for (int i = 0; i < 16; i++) {
      checked(engine.tryNext());
    }
    assertEquals(-1, engine.tryNext());
    assertEquals(-1, engine.tryNext());
    time.advanceMillis(1);
    checked(engine.tryNext());
    assertEquals(0, engine.layout().sequenceOf(before), "asking too early reserved nothing");
    time.stepWall(-1_000);
    assertEquals(-1, engine.tryNext());
    assertEquals(0, time.pauses());
  }

  @Test
  void next_withoutALease_isRefusedAtOnce() {
    SnowflakeEngine engine = new SnowflakeEngine(options(), time, time.scheduler(), events, false);
    LeaseException e = assertThrows(LeaseException.class, engine::next);
    assertEquals("lease: none (expected: one that covers the present)", e.getMessage());
    assertEquals(List.of("lease: none"), engine.status().reasons());
    assertEquals(0, time.pauses());
  }

  @Test
  void next_atTheHorizon_waitsForItsRise() {
    SnowflakeEngine engine = engine(options());
    long now = engine.layout().tickAt(START);
    engine.switchTo(new int[] {7}, 0, now);
    time.scheduler().schedule(50 * NANOS, () -> engine.current().raise(now + 1_000));
    take(engine, 1);
    assertEquals(START + 50, time.wallMillis());
  }

  @Test
  void next_atTheHorizonForGood_isRefusedAtTheDeadlineAndThenAtOnce() {
    SnowflakeEngine engine = engine(options());
    engine.switchTo(new int[] {7}, 0, engine.layout().tickAt(START));
    assertEquals(Reason.NO_LEASE, assertThrows(IdException.class, engine::next).reason());
    assertEquals(START + 2_000, time.wallMillis());
    time.advanceMillis(1);
    assertThrows(LeaseException.class, engine::next);
    assertEquals(START + 2_001, time.wallMillis());
  }

  @Test
  void switchTo_nextLease_goesOnAboveTheLastTick() {
    SnowflakeEngine engine = engine(options());
    take(engine, 10);
    long last = engine.switchTo(new int[] {3}, 0, Long.MAX_VALUE);
    assertEquals(engine.layout().tickOf(before), last);
    take(engine, 10);
    assertEquals(3, engine.layout().workerOf(before));
    assertEquals(last + 1, engine.layout().tickOf(before));
  }

  @Test
  void next_closed_isRefused() {
    SnowflakeEngine engine = engine(options());
    take(engine, 1);
    engine.close();
    IdException e = assertThrows(IdException.class, engine::next);
    assertEquals(Reason.DRAINING, e.reason());
    assertEquals("generator: closed (expected: open)", e.getMessage());
    engine.switchTo(new int[] {3}, 0, Long.MAX_VALUE);
    assertThrows(IdException.class, engine::next, "a keeper that is late revives nothing");
  }

  @Test
  void next_interruptedWhileWaiting_throwsAndKeepsTheFlag() {
    SnowflakeEngine engine = engine(options());
    take(engine, 4096);
    Thread.currentThread().interrupt();
    DeadlineException e = assertThrows(DeadlineException.class, engine::next);
    assertTrue(String.valueOf(e.getMessage()).startsWith("take: interrupted (expected: to wait "));
    assertTrue(Thread.interrupted());
    take(engine, 1);
  }

  @Test
  void next_cachedClock_isRefreshedByTimeAndByCount() {
    EngineOptions wide =
        options().withLayout(Layout.builder().time(41).worker(0).sequence(22).build());
    SnowflakeEngine engine =
        new SnowflakeEngine(
            wide.withClock(ClockMode.CACHED), time, time.scheduler(), events, false);
    engine.switchTo(new int[] {0}, 0, Long.MAX_VALUE);
    take(engine, 300); // the timer runs
    time.stepWall(3); // and is late
    int stale = 0;
    while (engine.layout().timeOf(checked(engine.next())).toEpochMilli() == START) {
      stale++;
    }
    assertTrue(stale > 0 && stale <= 1_024, "takes on an old reading: " + stale);
    time.advanceMillis(1);
    long then = time.wallMillis();
    assertEquals(then, engine.layout().timeOf(checked(engine.next())).toEpochMilli());
    time.advanceMillis(100); // nothing to do: the timer stops, and each take reads the clock
    time.stepWall(1);
    checked(engine.next());
    assertEquals(time.wallMillis(), engine.layout().timeOf(before).toEpochMilli());
  }

  @Test
  void next_cachedClockRollsBack_isRefusedOnceNoticed() {
    SnowflakeEngine engine = engine(options().withClock(ClockMode.CACHED));
    take(engine, 300);
    time.stepWall(-10_000);
    time.advanceMillis(1);
    assertThrows(ClockException.class, engine::next);
  }

  @Test
  void new_layoutThatNeedsTheSignBit_isRefused() {
    Layout unsigned = Layout.builder().time(42).worker(10).sequence(12).unsigned().build();
    var e = assertThrows(IllegalArgumentException.class, () -> options().withLayout(unsigned));
    assertEquals(
        "layout: " + unsigned.describe() + " (expected: one that leaves the sign bit 0)",
        e.getMessage());
  }

  @Test
  void new_optionsOutOfRange_areRefused() {
    var e = assertThrows(IllegalArgumentException.class, () -> options().withWaitMs(-1));
    assertEquals("waitMs: -1 (expected: 0..60000)", e.getMessage());
    assertThrows(IllegalArgumentException.class, () -> options().withMaxSkewMs(0));
    assertThrows(
        IllegalArgumentException.class,
        () -> options().withRollback(RollbackPolicy.REFUSE, 60_001));
  }
}
