package dev.idgen.store.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.idgen.check.contract.IdempotencyStoreContract;
import dev.idgen.store.IdempotencyDecision;
import dev.idgen.store.IdempotencyEntry;
import dev.idgen.store.IdempotencyReply;
import dev.idgen.store.IdempotencyRequest;
import dev.idgen.store.IdempotencyRules;
import dev.idgen.store.IdempotencySnapshot;
import dev.idgen.store.IdempotencyStore;
import dev.idgen.store.IdempotencyStore.Finish;
import dev.idgen.time.TimeSource;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Idempotency keys in a database server, where others write between a read and its write. */
abstract class ServerIdempotencyContract extends IdempotencyStoreContract {
  private static final JdbcOptions FEW = new JdbcOptions(6, 2, 2_000);
  private static final IdempotencyEntry ENTRY =
      new IdempotencyEntry("default", "a", "order", "key");

  /** As long as it is kept: an end tells nothing of what happened before it. */
  private static final long IN_FLIGHT_MS = 60_000;

  private final AtomicInteger tries = new AtomicInteger();

  /** One whose clock is the test's. */
  abstract Dialect dialect();

  @Override
  protected final IdempotencyStore openClient() {
    return openStore();
  }

  private JdbcIdempotencyStore openStore() {
    Pool pool = new Pool(dialect(), FEW, TimeSource.system());
    return JdbcIdempotencyStore.of(
        Lanes.sharing(pool, FEW.pooled(), JdbcIdempotencyStore::prepare, pool::end));
  }

  private static IdempotencyRequest request(long attempt) {
    return new IdempotencyRequest(ENTRY, "print", attempt, IN_FLIGHT_MS, IN_FLIGHT_MS, 10);
  }

  private static <T> T join(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }

  private static void started(JdbcIdempotencyStore store, long attempt) {
    assertEquals(new IdempotencyReply.Started(), join(store.begin(request(attempt))));
  }

  /** A rule before whose first decision something happens. */
  private <T> Function<IdempotencySnapshot, IdempotencyDecision<T>> after(
      Runnable between, Function<IdempotencySnapshot, IdempotencyDecision<T>> rule) {
    return s -> {
      if (tries.incrementAndGet() == 1) {
        between.run();
      }
      return rule.apply(s);
    };
  }

  @Test
  void finish_takenOverAfterTheRead_isLost() {
    try (JdbcIdempotencyStore store = openStore();
        JdbcIdempotencyStore other = openStore()) {
      started(store, 1);
      Runnable takeOver =
          () -> {
            join(other.abandon(ENTRY, 1));
            started(other, 2);
          };
      Finish finish =
          join(
              store.transact(
                  "finish", ENTRY, after(takeOver, s -> IdempotencyRules.finish(s, 1, "1"))));
      assertEquals(Finish.LOST, finish);
      assertEquals(2, tries.get());
      assertEquals(Finish.STORED, join(other.finish(ENTRY, 2, "2")));
    }
  }

  @Test
  void abandon_finishedAfterTheRead_leavesTheReply() {
    try (JdbcIdempotencyStore store = openStore();
        JdbcIdempotencyStore other = openStore()) {
      started(store, 1);
      Runnable finish = () -> assertEquals(Finish.STORED, join(other.finish(ENTRY, 1, "1")));
      boolean abandoned =
          join(
              store.transact("abandon", ENTRY, after(finish, s -> IdempotencyRules.abandon(s, 1))));
      assertEquals(false, abandoned);
      assertEquals(2, tries.get());
      assertEquals(new IdempotencyReply.Done("1"), join(store.begin(request(3))));
    }
  }

  @Test
  void begin_expiredOneTakenOverAfterTheRead_isInFlight() {
    try (JdbcIdempotencyStore store = openStore();
        JdbcIdempotencyStore other = openStore()) {
      started(store, 1);
      time.add(IN_FLIGHT_MS);
      IdempotencyReply reply =
          join(
              store.transact(
                  "begin",
                  ENTRY,
                  after(() -> started(other, 2), s -> IdempotencyRules.begin(s, request(3)))));
      assertEquals(new IdempotencyReply.InFlight(IN_FLIGHT_MS), reply);
      assertEquals(2, tries.get());
    }
  }

  @Test
  void begin_begunByAnotherAfterTheRead_isInFlight() {
    try (JdbcIdempotencyStore store = openStore();
        JdbcIdempotencyStore other = openStore()) {
      IdempotencyReply reply =
          join(
              store.transact(
                  "begin",
                  ENTRY,
                  after(() -> started(other, 2), s -> IdempotencyRules.begin(s, request(3)))));
      assertEquals(new IdempotencyReply.InFlight(IN_FLIGHT_MS), reply);
      assertEquals(2, tries.get());
    }
  }
}
