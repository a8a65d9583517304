package dev.idgen.store.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.store.BehindPolicy;
import dev.idgen.store.ClaimRequest;
import dev.idgen.store.IdempotencyEntry;
import dev.idgen.store.IdempotencyReply;
import dev.idgen.store.IdempotencyRequest;
import dev.idgen.store.LeaseReply;
import dev.idgen.store.LeaseTerms;
import dev.idgen.store.SegmentReply;
import dev.idgen.store.SegmentRequest;
import dev.idgen.store.SegmentTerms;
import dev.idgen.store.StoreException;
import dev.idgen.time.TimeSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** What the connections that stores share must do, with a real server behind them. */
abstract class DatabasePoolContract {
  private static final int TRIES = 1_000;
  private static final long PAUSE_NANOS = 10_000_000;
  private static final LeaseTerms LEASES =
      new LeaseTerms("orders", "41/10/12", 60_000, 5_000, 2_000);

  /** An empty database. */
  abstract String freshDatabase();

  abstract String url(String database);

  /** A dialect. */
  abstract ServerDialect dialect(String url);

  /** How many other connections there are to the database that is asked. */
  abstract String countOfOthers();

  // ---- words

  static <T> T join(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }

  static StoreException failure(CompletionStage<?> stage) {
    var e = assertThrows(CompletionException.class, () -> join(stage));
    return assertInstanceOf(StoreException.class, e.getCause());
  }

  static SegmentRequest request(String tag) {
    return new SegmentRequest(SegmentTerms.of("default", tag, 100), 10, -1);
  }

  static void allocated(JdbcSegmentStore store, String tag) {
    SegmentReply reply = join(store.allocate(request(tag)));
    assertInstanceOf(SegmentReply.Granted.class, reply, reply.toString());
  }

  static IdempotencyRequest key(String key, long attempt) {
    var entry = new IdempotencyEntry("default", "a", "order", key);
    return new IdempotencyRequest(entry, "print", attempt, 86_400_000, 60_000, 100);
  }

  private static ClaimRequest claim() {
    long now = TimeSource.system().wallMillis();
    return new ClaimRequest(LEASES, "a", 1, 2, 0, 9, -1, now, 10, BehindPolicy.REFUSE, true);
  }

  /** Again and again until it is so: what happens at the server takes a moment. */
  static void await(Supplier<Boolean> condition) {
    for (int i = 0; i < TRIES; i++) {
      if (condition.get()) {
        return;
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    throw new AssertionError("never so");
  }

  static <T> T answered(Supplier<CompletionStage<T>> call) {
    List<T> answer = new ArrayList<>();
    await(
        () -> {
          T reply = call.get().toCompletableFuture().exceptionally(e -> null).join();
          if (reply != null) {
            answer.add(reply);
          }
          return reply != null;
        });
    return answer.get(0);
  }

  private long others(String database) {
    try (Connection c = dialect(url(database)).connect()) {
      return ServerDialect.oneLong(c, countOfOthers());
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private Pool pool(String database, int maxOpen, int maxIdle) {
    return new Pool(
        dialect(url(database)), new JdbcOptions(maxOpen, maxIdle, 2_000), TimeSource.system());
  }

  // ---- the pool

  @Test
  void take_moreThanThereMayBe_isRefusedAndNoneIsMade() throws SQLException {
    String database = freshDatabase();
    Pool pool = pool(database, 5, 3);
    try {
      List<Connection> taken = List.of(pool.take(), pool.take(), pool.take());
      assertEquals(3, others(database));
      StoreException e = assertThrows(StoreException.class, pool::take);
      String text = String.valueOf(e.getMessage());
      assertTrue(
          text.endsWith(
              ": all 3 connections are in use (expected: one that is free within 2000 ms)"),
          text);
      assertFalse(e.outcomeUnknown());
      assertEquals(3, pool.total());
      pool.give(taken.get(0));
      pool.give(pool.take());
    } finally {
      pool.end();
    }
    await(() -> others(database) == 0);
  }

  @Test
  void give_moreThanMayRest_areEnded() throws SQLException {
    String database = freshDatabase();
    Pool pool = pool(database, 6, 1);
    try {
      assertEquals(0, pool.total());
      List<Connection> taken = List.of(pool.take(), pool.take(), pool.take());
      taken.forEach(pool::give);
      assertEquals(1, pool.total());
      await(() -> others(database) == 1);
      Connection again = pool.take();
      assertEquals(1, pool.total());
      pool.give(again);
    } finally {
      pool.end();
    }
  }

  @Test
  void give_noneMayRest_eachIsMadeAnew() throws SQLException {
    Pool pool = pool(freshDatabase(), 3, 0);
    try {
      for (int i = 0; i < 3; i++) {
        pool.give(pool.take());
        assertEquals(0, pool.total());
      }
    } finally {
      pool.end();
    }
  }

  @Test
  void discard_connection_isNeverGivenOutAgain() throws SQLException {
    Pool pool = pool(freshDatabase(), 3, 1);
    try {
      Connection first = pool.take();
      String was = first.unwrap(Connection.class).toString();
      pool.discard(first);
      Connection second = pool.take();
      assertNotEquals(was, second.unwrap(Connection.class).toString());
      assertTrue(second.isValid(1));
      pool.give(second);
    } finally {
      pool.end();
    }
  }

  /** Whoever asks is told what the driver said, and the pool is as before when the server is. */
  @Test
  void take_serverThatCannotBeReached_isToldWhyAndComesBack() throws SQLException {
    String database = freshDatabase();
    ServerDialect real = dialect(url(database));
    boolean[] reachable = {false};
    Pool pool =
        new Pool(
            new Detour(real, () -> reachable[0]),
            new JdbcOptions(4, 2, 5_000),
            TimeSource.system());
    try {
      for (int i = 0; i < 20; i++) {
        SQLException e = assertThrows(SQLException.class, pool::take);
        assertEquals("cut", e.getMessage());
      }
      reachable[0] = true;
      Connection taken = pool.take();
      assertTrue(taken.isValid(1));
      assertEquals(1, pool.total());
      pool.give(taken);
    } finally {
      pool.end();
    }
  }

  /** What was made for somebody who waits no more tells the next one nothing. */
  @Test
  void take_failureOfTheMeantime_isNotTold() throws Exception {
    ServerDialect real = dialect(url(freshDatabase()));
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch fail = new CountDownLatch(1);
    boolean[] reachable = {false};
    Pool pool =
        new Pool(
            new Detour(
                real,
                () -> {
                  asked.countDown();
                  awaitLatch(fail);
                  return reachable[0];
                }),
            new JdbcOptions(4, 2, 2_000),
            TimeSource.system());
    try {
      StoreException e = assertThrows(StoreException.class, pool::take);
      assertTrue(String.valueOf(e.getMessage()).contains("no answer within 2000 ms"), e::toString);
      awaitLatch(asked);
      fail.countDown();
      await(() -> pool.total() == 1); // it lies there
      reachable[0] = true;
      pool.give(pool.take());
      assertEquals(1, pool.total());
    } finally {
      fail.countDown();
      pool.end();
    }
  }

  private static void awaitLatch(CountDownLatch latch) {
    try {
      assertTrue(latch.await(60, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  // ---- stores that share one

  @Test
  void stores_ofOneDatabase_shareItsConnections() {
    String database = freshDatabase();
    JdbcDatabases databases = new JdbcDatabases(new JdbcOptions(4, 2, 2_000));
    JdbcSegmentStore segments = databases.segments(url(database));
    JdbcIdempotencyStore keys = databases.idempotency(url(database));
    List<CompletionStage<?>> all = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      all.add(segments.allocate(request("t" + i)));
      all.add(keys.begin(key("k" + i, i)));
    }
    all.forEach(DatabasePoolContract::join);
    assertTrue(others(database) <= 2);
    segments.close();
    segments.close();
    assertEquals(new IdempotencyReply.Started(), join(keys.begin(key("k", 100))));
    keys.close();
    await(() -> others(database) == 0);

    try (JdbcSegmentStore again = databases.segments(url(database))) {
      allocated(again, "t1");
    }
  }

  @Test
  void open_failing_leavesNoConnection() {
    String database = freshDatabase();
    JdbcWorkerStore.open(url(database)).close();
    execute(database, "UPDATE idgen_meta SET schema_version = 99");
    JdbcDatabases databases = new JdbcDatabases(JdbcOptions.DEFAULTS);
    assertThrows(StoreException.class, () -> databases.segments(url(database)).close());
    await(() -> others(database) == 0);
  }

  /** A renewal never waits for a pool. */
  @Test
  void claim_allConnectionsOfThePoolWait_isGranted() throws SQLException {
    String database = freshDatabase();
    JdbcOptions one = new JdbcOptions(3, 1, 2_000);
    try (JdbcWorkerStore leases = JdbcWorkerStore.open(url(database), one);
        JdbcSegmentStore segments = JdbcSegmentStore.open(url(database), one)) {
      allocated(segments, "stuck");
      CompletionStage<SegmentReply> waits;
      try (Connection lock = locked(database, "SELECT * FROM id_alloc FOR UPDATE")) {
        waits = segments.allocate(request("stuck"));
        assertInstanceOf(LeaseReply.Granted.class, join(leases.claim(claim())));
        lock.rollback();
      }
      assertInstanceOf(SegmentReply.Granted.class, join(waits));
    }
  }

  /** Whoever sends many keys keeps half of the connections at most. */
  @Test
  void allocate_manyKeysWait_isGranted() throws SQLException {
    String database = freshDatabase();
    JdbcDatabases databases = new JdbcDatabases(new JdbcOptions(6, 4, 2_000));
    try (JdbcSegmentStore segments = databases.segments(url(database));
        JdbcIdempotencyStore keys = databases.idempotency(url(database))) {
      for (int i = 0; i < 8; i++) {
        join(keys.begin(key("k" + i, i)));
      }
      List<CompletionStage<?>> waiting = new ArrayList<>();
      try (Connection lock = locked(database, "SELECT * FROM idgen_idempotency FOR UPDATE")) {
        for (int i = 0; i < 8; i++) {
          waiting.add(keys.finish(key("k" + i, i).entry(), i, "1"));
        }
        allocated(segments, "order");
        allocated(segments, "other");
        lock.rollback();
      }
      waiting.forEach(DatabasePoolContract::join);
    }
  }

  private Connection locked(String database, String sql) throws SQLException {
    Connection lock = dialect(url(database)).connect();
    lock.setAutoCommit(false);
    try (var statement = lock.createStatement()) {
      statement.execute(sql);
    }
    return lock;
  }

  abstract void execute(String database, String sql);

  /** A way to a server that can be cut. */
  private static final class Detour extends ServerDialect {
    private final ServerDialect real;
    private final Supplier<Boolean> reachable;

    Detour(ServerDialect real, Supplier<Boolean> reachable) {
      super(DatabaseUrl.parse("postgres://u:p@cut/db"), new Patience(2_000));
      this.real = real;
      this.reachable = reachable;
    }

    @Override
    Connection open(DatabaseUrl url) throws SQLException {
      if (!reachable.get()) {
        throw new SQLException("cut", "08001");
      }
      return real.connect();
    }

    @Override
    void prepare(java.sql.Statement statement) {
      // It is prepared.
    }

    @Override
    public String kind() {
      return "cut";
    }

    @Override
    public String beginWriting() {
      return real.beginWriting();
    }

    @Override
    public String beginReading() {
      return real.beginReading();
    }

    @Override
    public String identity() {
      return real.identity();
    }

    @Override
    public boolean hasTables(Connection connection) throws SQLException {
      return real.hasTables(connection);
    }

    @Override
    public void lockSchema(Connection connection) throws SQLException {
      real.lockSchema(connection);
    }

    @Override
    public void unlockSchema(Connection connection) throws SQLException {
      real.unlockSchema(connection);
    }

    @Override
    public boolean retryable(SQLException failure) {
      return real.retryable(failure);
    }

    @Override
    public List<String> risks(Connection connection) {
      return List.of();
    }

    @Override
    public String now() {
      return real.now();
    }

    @Override
    public String explain(SQLException failure) {
      return real.explain(failure);
    }

    @Override
    public boolean permanent(SQLException failure) {
      return real.permanent(failure);
    }

    @Override
    public boolean concernsRow(SQLException failure) {
      return real.concernsRow(failure);
    }
  }
}
