package dev.idgen.store.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.entropy.Entropy;
import dev.idgen.store.BehindPolicy;
import dev.idgen.store.ClaimRequest;
import dev.idgen.store.ExtendRequest;
import dev.idgen.store.IdempotencyEntry;
import dev.idgen.store.IdempotencyReply;
import dev.idgen.store.IdempotencyRequest;
import dev.idgen.store.IdempotencyStore.Finish;
import dev.idgen.store.LeaseReply;
import dev.idgen.store.LeaseTerms;
import dev.idgen.store.ReleaseRequest;
import dev.idgen.store.SegmentReply;
import dev.idgen.store.SegmentRequest;
import dev.idgen.store.SegmentTerms;
import dev.idgen.store.StoreException;
import dev.idgen.store.WorkerRow;
import dev.idgen.time.TimeSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every database server must do beside the contract of leases, with its own clock. */
abstract class DatabaseServerContract {
  private static final long WINDOW = 60_000;
  private static final int CROWD = 8;
  private static final int ALLOCATIONS = 40;
  private static final int TURNS = 1_000;
  private static final long ANSWER_S = 60;
  private static final LeaseTerms TERMS =
      new LeaseTerms("orders", "41/10/12", WINDOW, 5_000, 2_000);

  private static final String LEAFS_TABLE =
      "CREATE TABLE id_alloc (biz_tag VARCHAR(128) NOT NULL PRIMARY KEY, max_id BIGINT NOT NULL,"
          + " step INT NOT NULL, description VARCHAR(256), update_time TIMESTAMP NULL)";

  private final TimeSource time = TimeSource.system();
  private volatile SQLException refusedCommit = new SQLException();
  private long numbers = 1;

  abstract String kind();

  /** An empty database. */
  abstract String freshDatabase();

  abstract String url(String user, String password, String database);

  abstract String adminUrl(String database);

  abstract void execute(String database, String... statements);

  /** Makes an account that may use the tables, make none and delete nothing. */
  abstract void makeUser(String database, String user, String password);

  // ---- a lease

  private ClaimRequest claim(String owner) {
    return new ClaimRequest(
        TERMS,
        owner,
        numbers++,
        numbers++,
        7,
        7,
        -1,
        time.wallMillis(),
        10,
        BehindPolicy.REFUSE,
        true);
  }

  private static <T> T join(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }

  private WorkerRow claimed(JdbcWorkerStore store, String owner) {
    LeaseReply reply = join(store.claim(claim(owner)));
    return assertInstanceOf(LeaseReply.Granted.class, reply, reply.toString()).row();
  }

  private ExtendRequest extend(WorkerRow row, long newToken) {
    return new ExtendRequest(
        TERMS,
        row.workerId(),
        row.generation(),
        row.token(),
        0,
        newToken,
        time.wallMillis(),
        time.wallMillis());
  }

  void assertServes(JdbcWorkerStore store) {
    WorkerRow row = claimed(store, "a");
    LeaseReply longer = join(store.extend(extend(row, 99)));
    WorkerRow extended = assertInstanceOf(LeaseReply.Granted.class, longer).row();
    assertTrue(extended.horizonMillis() >= row.horizonMillis());
    assertTrue(Math.abs(longer.storeMillis() - time.wallMillis()) < 60_000, longer.toString());
    LeaseReply released =
        join(store.release(new ReleaseRequest(TERMS, 7, row.generation(), 99, 0, 0)));
    assertInstanceOf(LeaseReply.Granted.class, released, released.toString());
    assertEquals(1, join(store.list("orders")).workers().size());
  }

  /** By the server's own clock: an entry of a millisecond has its end behind it soon. */
  private static void assertKeeps(JdbcIdempotencyStore store) {
    IdempotencyReply started = new IdempotencyReply.Started();
    assertEquals(started, join(store.begin(key("done", 1, 60_000))));
    assertEquals(Finish.STORED, join(store.finish(key("done", 1, 1).entry(), 1, "1..5")));
    assertEquals(new IdempotencyReply.Done("1..5"), join(store.begin(key("done", 2, 1))));
    assertEquals(started, join(store.begin(key("failed", 3, 60_000))));
    assertEquals(true, join(store.abandon(key("failed", 3, 1).entry(), 3)));
    assertEquals(started, join(store.begin(key("failed", 4, 60_000))));
    IdempotencyReply held = join(store.begin(key("failed", 5, 60_000)));
    long left = assertInstanceOf(IdempotencyReply.InFlight.class, held).retryAfterMs();
    assertTrue(left > 0 && left <= 60_000, held.toString());
    assertEquals(started, join(store.begin(key("dead", 6, 1))));
    int purged = 0;
    for (int i = 0; i < 10_000 && purged == 0; i++) {
      purged = join(store.purge(10));
    }
    assertEquals(1, purged);
    assertEquals(started, join(store.begin(key("dead", 7, 60_000))));
  }

  private static IdempotencyRequest key(String key, long attempt, long inFlightMs) {
    var entry = new IdempotencyEntry("default", "a", "order", key);
    return new IdempotencyRequest(entry, "print", attempt, 86_400_000, inFlightMs, 100);
  }

  private StoreException refused(String url) {
    return assertThrows(StoreException.class, () -> JdbcWorkerStore.open(url).close());
  }

  private void assertPermanent(String url, String part) {
    StoreException e = refused(url);
    String message = String.valueOf(e.getMessage());
    assertTrue(message.contains(part), message);
    assertTrue(message.startsWith(kind() + ": " + kind() + "://127.0.0.1:"), message);
    assertFalse(message.contains("wrong-password"), message);
    assertEquals(1, message.lines().count(), message);
    assertTrue(e.permanent(), message);
    assertFalse(e.outcomeUnknown(), message);
  }

  // ---- tests

  @Test
  void open_emptyDatabase_makesTheTablesAndServes() {
    String database = freshDatabase();
    try (JdbcWorkerStore store = JdbcWorkerStore.open(adminUrl(database))) {
      assertEquals(kind(), store.kind());
      assertFalse(store.embedded());
      assertServes(store);
    }
  }

  @Test
  void open_manyAtOnceOnAnEmptyDatabase_makeTheTablesOnce() throws Exception {
    String database = freshDatabase();
    Queue<Throwable> faults = new ConcurrentLinkedQueue<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      Thread thread =
          new Thread(
              () -> {
                try (JdbcWorkerStore store = openAsServersDo(adminUrl(database))) {
                  join(store.list("orders"));
                } catch (RuntimeException e) {
                  faults.add(e);
                }
              });
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertTrue(faults.isEmpty(), faults.toString());
  }

  /** Whoever waits for the one who makes the tables is refused for now, and comes again. */
  private static JdbcWorkerStore openAsServersDo(String url) {
    for (int i = 1; ; i++) {
      try {
        return JdbcWorkerStore.open(url);
      } catch (StoreException e) {
        if (e.permanent() || i == 20) {
          throw e;
        }
      }
    }
  }

  @Test
  void open_againAndAgain_keepsWhatIsThere() {
    String database = freshDatabase();
    WorkerRow row;
    try (JdbcWorkerStore store = JdbcWorkerStore.open(adminUrl(database))) {
      row = claimed(store, "a");
    }
    try (JdbcWorkerStore store = JdbcWorkerStore.open(adminUrl(database))) {
      assertEquals(row, join(store.list("orders")).workers().get(0));
    }
  }

  @Test
  void open_accountThatMayMakeNothing_servesOnTablesThatAreThere() {
    String database = freshDatabase();
    for (int version = 1; version <= Schema.VERSION; version++) {
      execute(database, Schema.statements(dialect(adminUrl(database)).scripts(), version));
    }
    makeUser(database, "app", "secret");
    grantDelete(database, "app", "idgen_idempotency");
    String url = url("app", "secret", database);
    try (JdbcWorkerStore store = JdbcWorkerStore.open(url);
        JdbcSegmentStore segments = JdbcSegmentStore.open(url);
        JdbcIdempotencyStore keys = JdbcIdempotencyStore.open(url)) {
      assertServes(store);
      assertKeeps(keys);
      var first = new SegmentRequest(SegmentTerms.of("default", "order", 100), 10, -1);
      assertInstanceOf(SegmentReply.Granted.class, join(segments.allocate(first)));
    }
  }

  @Test
  void open_accountThatMayMakeNothing_saysSoWhereTheTablesAreMissing() {
    String database = freshDatabase();
    makeUser(database, "bare", "secret");
    assertPermanent(
        url("bare", "secret", database), "schema version 0 cannot be brought to " + Schema.VERSION);
  }

  @Test
  void open_wrongPassword_saysSo() {
    String database = freshDatabase();
    makeUser(database, "careful", "right-password");
    assertPermanent(url("careful", "wrong-password", database), "user or password refused");
  }

  @Test
  void open_noSuchDatabase_saysSo() {
    assertPermanent(adminUrl("nothing_here"), "no such database");
  }

  /** A server need not tell an account without rights to it that a database is missing. */
  @Test
  void open_noSuchDatabaseForAnAccountOfAnother_saysSo() {
    makeUser(freshDatabase(), "elsewhere", "secret");
    assertPermanent(url("elsewhere", "secret", "nothing_here"), "no such database");
  }

  @Test
  void open_newerSchema_isRefused() {
    String database = freshDatabase();
    JdbcWorkerStore.open(adminUrl(database)).close();
    execute(database, "UPDATE idgen_meta SET schema_version = 99");
    assertPermanent(adminUrl(database), "schema version 99 (expected: at most " + Schema.VERSION);
  }

  @Test
  void open_nobodyThere_mayPass() {
    StoreException e = refused(kind() + "://u:p@127.0.0.1:1/db");
    assertTrue(String.valueOf(e.getMessage()).contains("no answer: "), e.getMessage());
    assertFalse(e.permanent());
  }

  @Test
  void transact_tableDroppedUnderIt_isRefusedAndOthersGoOn() {
    String database = freshDatabase();
    try (JdbcWorkerStore store = JdbcWorkerStore.open(adminUrl(database))) {
      execute(database, "DROP TABLE idgen_worker");
      var e = assertThrows(CompletionException.class, () -> claimed(store, "a"));
      assertFalse(assertInstanceOf(StoreException.class, e.getCause()).outcomeUnknown());
    }
  }

  /** Whoever writes the namespace keeps others waiting for a bounded time only. */
  @Test
  void claim_namespaceLockedForLong_isRefusedInTime() throws Exception {
    String database = freshDatabase();
    try (JdbcWorkerStore store = JdbcWorkerStore.open(adminUrl(database));
        var lock = dialect(adminUrl(database)).connect();
        var statement = lock.createStatement()) {
      claimed(store, "a");
      lock.setAutoCommit(false);
      statement.execute("SELECT * FROM idgen_namespace FOR UPDATE");
      var e = assertThrows(CompletionException.class, () -> claimed(store, "b"));
      String message = e.toString();
      assertTrue(message.contains("row locked by another process"), message);
      lock.rollback();
      assertInstanceOf(LeaseReply.Refused.class, join(store.claim(claim("b"))));
    }
  }

  /** C69. */
  @Test
  void allocate_rowLockedForLong_isRefusedAsThatRowsTrouble() throws Exception {
    String database = freshDatabase();
    try (JdbcSegmentStore store = JdbcSegmentStore.open(adminUrl(database));
        var lock = dialect(adminUrl(database)).connect();
        var statement = lock.createStatement()) {
      var stuck = new SegmentRequest(SegmentTerms.of("default", "stuck", 100), 10, -1);
      join(store.allocate(stuck));
      lock.setAutoCommit(false);
      statement.execute("SELECT * FROM id_alloc WHERE biz_tag = 'stuck' FOR UPDATE");
      var e = assertThrows(CompletionException.class, () -> join(store.allocate(stuck)));
      var refusal = assertInstanceOf(StoreException.class, e.getCause());
      assertTrue(refusal.concernsRow(), refusal.toString());
      assertFalse(refusal.outcomeUnknown());
      lock.rollback();
      assertInstanceOf(SegmentReply.Granted.class, join(store.allocate(stuck)));
    }
  }

  /** What is kept is deleted one day, and a start says so where that is not allowed. */
  @Test
  void open_accountThatMayDeleteNothing_keepsNoKeys() {
    String database = freshDatabase();
    JdbcWorkerStore.open(adminUrl(database)).close();
    makeUser(database, "keeper", "secret");
    StoreException e =
        assertThrows(
            StoreException.class,
            () -> JdbcIdempotencyStore.open(url("keeper", "secret", database)).close());
    assertTrue(e.permanent(), e.toString());
    assertTrue(String.valueOf(e.getMessage()).contains("grants of the documentation"), e::toString);
  }

  @Test
  void finish_rowLockedForLong_isRefusedAsThatRowsTrouble() throws Exception {
    String database = freshDatabase();
    try (JdbcIdempotencyStore store = JdbcIdempotencyStore.open(adminUrl(database));
        var lock = dialect(adminUrl(database)).connect();
        var statement = lock.createStatement()) {
      IdempotencyRequest stuck = key("stuck", 1, 60_000);
      join(store.begin(stuck));
      lock.setAutoCommit(false);
      statement.execute("SELECT * FROM idgen_idempotency FOR UPDATE");
      var e =
          assertThrows(CompletionException.class, () -> join(store.finish(stuck.entry(), 1, "1")));
      var refusal = assertInstanceOf(StoreException.class, e.getCause());
      assertTrue(refusal.concernsRow(), refusal.toString());
      assertFalse(refusal.outcomeUnknown());
      assertInstanceOf(IdempotencyReply.InFlight.class, join(store.begin(key("stuck", 2, 1))));
      lock.rollback();
      assertEquals(Finish.STORED, join(store.finish(stuck.entry(), 1, "1")));
    }
  }

  /** A count that somebody took away with the rows begins anew, and never falls below none. */
  @Test
  void begin_countsDeletedByHand_beginAnew() {
    String database = freshDatabase();
    try (JdbcIdempotencyStore store = JdbcIdempotencyStore.open(adminUrl(database))) {
      join(store.begin(key("k", 1, 60_000)));
      execute(database, "DELETE FROM idgen_idempotency_use");
      assertEquals(true, join(store.abandon(key("k", 1, 1).entry(), 1)));
      assertInstanceOf(IdempotencyReply.Started.class, join(store.begin(key("k", 2, 60_000))));
      execute(database, "UPDATE idgen_idempotency_use SET used = 0");
      assertEquals(true, join(store.abandon(key("k", 2, 1).entry(), 2)));
      var entry = new IdempotencyEntry("default", "a", "order", "k");
      var only = new IdempotencyRequest(entry, "print", 3, 1_000, 60_000, 1);
      assertInstanceOf(IdempotencyReply.Started.class, join(store.begin(only)));
      var next = new IdempotencyEntry("default", "a", "order", "k2");
      assertEquals(
          new IdempotencyReply.Full(1),
          join(store.begin(new IdempotencyRequest(next, "print", 4, 1_000, 60_000, 1))));
    }
  }

  // ---- a database that is not ours alone, or that fails

  /** A table of the same name is left as it is, and nothing is made beside it. */
  @Test
  void open_tableOfAnotherProgram_saysSoUntilItIsAway() {
    String database = freshDatabase();
    execute(database, LEAFS_TABLE, "INSERT INTO id_alloc VALUES ('order', 1000, 100, '', null)");
    String message =
        "id_alloc is another program's table, it has no column floor_id (expected: a database or"
            + " schema of its own)";
    assertPermanent(adminUrl(database), message);
    assertPermanent(adminUrl(database), message); // nothing of it was written
    execute(database, "ALTER TABLE id_alloc RENAME TO leaf_alloc");
    try (JdbcSegmentStore store = JdbcSegmentStore.open(adminUrl(database))) {
      var first = new SegmentRequest(SegmentTerms.of("default", "order", 100), 10, -1);
      assertInstanceOf(SegmentReply.Granted.class, join(store.allocate(first)));
    }
  }

  @Test
  void open_tableOfAnotherProgramInPlaceOfOurs_saysSo() {
    String database = freshDatabase();
    JdbcSegmentStore.open(adminUrl(database)).close();
    execute(database, "DROP TABLE id_alloc", LEAFS_TABLE);
    StoreException e =
        assertThrows(StoreException.class, () -> JdbcSegmentStore.open(adminUrl(database)).close());
    assertTrue(String.valueOf(e.getMessage()).contains("another program's table"), e::toString);
    assertTrue(e.permanent(), e.toString());
  }

  /** Only a missing right needs somebody who gives it. */
  @Test
  void open_migrationThatFails_mayPassAndSaysWhy() {
    String database = freshDatabase();
    SQLException full = new SQLException("No space left on device", "53100", 1021);
    assertMigrationMayPass(
        database,
        c -> {
          throw full;
        },
        "No space left on device (expected: no error)");
    assertMigrationMayPass(database, this::endItself, kind() + "://");
    JdbcWorkerStore.open(adminUrl(database)).close();
  }

  /** Ends its own connection, as a server does that is stopped. */
  private void endItself(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(endItself());
    }
  }

  private interface Fault {
    void happen(Connection connection) throws SQLException;
  }

  private void assertMigrationMayPass(String database, Fault fault, String part) {
    Dialect dialect =
        overheard(
            adminUrl(database),
            (target, sql) -> {
              if (sql.contains("CREATE TABLE")) {
                fault.happen(target);
              }
            });
    StoreException e =
        assertThrows(
            StoreException.class, () -> JdbcWorkerStore.open(dialect, Entropy.secure()).close());
    String message = String.valueOf(e.getMessage());
    assertFalse(e.permanent(), message);
    assertTrue(message.contains(part), message);
    assertFalse(message.contains("account"), message);
  }

  /** Nothing was done, and that is known. */
  @Test
  void allocate_commitThatWasRolledBack_isTriedAgain() {
    String database = freshDatabase();
    AtomicInteger refusals = new AtomicInteger();
    Dialect dialect = overheard(adminUrl(database), (c, sql) -> refuse(c, sql, refusals));
    try (JdbcSegmentStore store = JdbcSegmentStore.of(first -> Lanes.alone(dialect, first))) {
      for (SQLException refusal : rolledBackCommits()) {
        refusedCommit = refusal;
        refusals.set(2);
        String tag = "tag" + refusal.getSQLState() + refusal.getErrorCode();
        var request = new SegmentRequest(SegmentTerms.of("default", tag, 100), 10, -1);
        SegmentReply reply = join(store.allocate(request));
        assertEquals(1, assertInstanceOf(SegmentReply.Granted.class, reply).first());
        assertEquals(0, refusals.get());
      }
      refusedCommit = new SQLException("gone", "08006");
      refusals.set(1);
      var lost = new SegmentRequest(SegmentTerms.of("default", "lost", 100), 10, -1);
      var e = assertThrows(CompletionException.class, () -> join(store.allocate(lost)));
      assertTrue(assertInstanceOf(StoreException.class, e.getCause()).outcomeUnknown());
    }
  }

  /** C41: in full with {@code -Didgen.losses=1000}. */
  @Test
  void allocate_replyToTheCommitLost_isUnknownAndLeavesAGapAlone() {
    int losses = Integer.getInteger("idgen.losses", 20);
    String database = freshDatabase();
    AtomicBoolean loses = new AtomicBoolean();
    Dialect dialect = overheard(adminUrl(database), (c, sql) -> loseReply(c, sql, loses));
    try (JdbcSegmentStore store = JdbcSegmentStore.of(first -> Lanes.alone(dialect, first))) {
      for (int i = 0; i < losses; i++) {
        var request = new SegmentRequest(SegmentTerms.of("default", "order", 100), 3, -1);
        loses.set(true);
        var e = assertThrows(CompletionException.class, () -> join(store.allocate(request)));
        assertTrue(assertInstanceOf(StoreException.class, e.getCause()).outcomeUnknown());
        SegmentReply reply = join(store.allocate(request));
        assertEquals(i * 6L + 4, assertInstanceOf(SegmentReply.Granted.class, reply).first());
      }
    }
  }

  /** It is committed, and whoever did it hears that the connection is gone. */
  private static void loseReply(Connection target, String sql, AtomicBoolean loses)
      throws SQLException {
    if (sql.equals("COMMIT") && loses.getAndSet(false)) {
      try (Statement statement = target.createStatement()) {
        statement.execute(sql);
      }
      throw new SQLException("reply lost", "08006");
    }
  }

  private void refuse(Connection target, String sql, AtomicInteger refusals) throws SQLException {
    if (sql.equals("COMMIT") && refusals.get() > 0) {
      refusals.decrementAndGet();
      try (Statement statement = target.createStatement()) {
        statement.execute("ROLLBACK");
      }
      throw refusedCommit;
    }
  }

  /** C46: whoever comes in between is noticed at every level, and nobody is kept out for ever. */
  @ParameterizedTest
  @ValueSource(strings = {"READ UNCOMMITTED", "READ COMMITTED", "REPEATABLE READ", "SERIALIZABLE"})
  void allocateAndClaim_anyIsolation_areDisjoint(String level) throws Exception {
    String database = freshDatabase();
    JdbcWorkerStore.open(adminUrl(database)).close();
    try (JdbcWorkerStore first = JdbcWorkerStore.open(adminUrl(database))) {
      claimed(first, "first"); // so that the namespace is known
    }
    List<FutureTask<List<Long>>> tasks = new ArrayList<>();
    for (int i = 0; i < CROWD; i++) {
      ClaimRequest claim = claimOfMany("p" + i);
      tasks.add(new FutureTask<>(() -> crowded(database, level, claim)));
    }
    tasks.forEach(task -> new Thread(task, "crowd").start());
    Set<Long> ids = new HashSet<>();
    Set<Long> workers = new HashSet<>();
    for (FutureTask<List<Long>> task : tasks) {
      List<Long> all = task.get(ANSWER_S, TimeUnit.SECONDS);
      assertTrue(workers.add(all.get(0)), all.get(0) + " twice");
      all.subList(1, all.size()).forEach(id -> assertTrue(ids.add(id), id + " twice"));
    }
    assertEquals(CROWD * ALLOCATIONS, ids.size());
  }

  /** A worker id, and then what was allocated. */
  private List<Long> crowded(String database, String level, ClaimRequest claim) {
    List<Long> all = new ArrayList<>();
    try (JdbcWorkerStore leases =
        turn(() -> JdbcWorkerStore.open(isolated(database, level), Entropy.secure()))) {
      LeaseReply reply = turn(() -> join(leases.claim(claim)));
      var lease = assertInstanceOf(LeaseReply.Granted.class, reply, reply.toString());
      all.add((long) lease.row().workerId());
    }
    Dialect dialect = isolated(database, level);
    try (JdbcSegmentStore marks =
        turn(() -> JdbcSegmentStore.of(first -> Lanes.alone(dialect, first)))) {
      for (int i = 0; i < ALLOCATIONS; i++) {
        var request = new SegmentRequest(SegmentTerms.of("default", "order", 100), 1, -1);
        SegmentReply reply = turn(() -> join(marks.allocate(request)));
        all.add(assertInstanceOf(SegmentReply.Granted.class, reply).first());
      }
    }
    return all;
  }

  private ClaimRequest claimOfMany(String owner) {
    ClaimRequest one = claim(owner);
    return new ClaimRequest(
        TERMS,
        owner,
        one.nonce(),
        one.token(),
        100,
        199,
        -1,
        time.wallMillis(),
        10,
        BehindPolicy.REFUSE,
        false);
  }

  /** Where others come first again and again, nothing was done, and it is asked for again. */
  private static <T> T turn(Supplier<T> request) {
    for (int i = 1; i < TURNS; i++) {
      try {
        return request.get();
      } catch (CompletionException | StoreException e) {
        var refusal =
            assertInstanceOf(
                StoreException.class, e instanceof CompletionException ? e.getCause() : e);
        assertTrue(refusal.concernsRow(), refusal.toString());
        assertFalse(refusal.outcomeUnknown(), refusal.toString());
      }
    }
    return request.get();
  }

  /** A dialect whose transactions are at another level. */
  private Dialect isolated(String database, String level) {
    Dialect[] self = new Dialect[1];
    self[0] =
        overheard(
            adminUrl(database),
            (target, sql) -> {
              if (sql.equals(self[0].beginWriting())) {
                try (Statement statement = target.createStatement()) {
                  statement.execute(isolation(level));
                }
              }
            });
    return self[0];
  }

  /** What the database is set to by others is not what idgen's transactions run at. */
  @Test
  void connect_databaseOfAnotherIsolation_isToldItsOwn() throws SQLException {
    String database = freshDatabase();
    Dialect dialect = dialect(adminUrl(database));
    isolateByDefault(database, true);
    try (Connection c = dialect.connect()) {
      String level = ServerDialect.oneText(c, "SELECT " + isolationNow());
      assertEquals("READ COMMITTED", level.replace('-', ' ').toUpperCase(Locale.ROOT));
    } finally {
      isolateByDefault(database, false);
    }
  }

  /** Sets the level of the sessions' next transactions. */
  abstract String isolation(String level);

  /** An expression for the level of the session. */
  abstract String isolationNow();

  /** Makes new sessions serializable, or as usual. */
  abstract void isolateByDefault(String database, boolean serializable);

  @Test
  void open_unknownHost_isNamed() {
    StoreException e = refused(kind() + "://u:p@nowhere.invalid:1/db");
    String message = String.valueOf(e.getMessage());
    assertTrue(message.contains("UnknownHostException: nowhere.invalid"), message);
    assertFalse(e.permanent());
  }

  /** A dialect whose connections are overheard. */
  abstract Dialect overheard(String url, Overheard.Listener listener);

  /** What ends the connection that it is said on. */
  abstract String endItself();

  /** How the server says at a commit that it has rolled back instead. */
  abstract List<SQLException> rolledBackCommits();

  abstract void grantDelete(String database, String user, String table);

  abstract Dialect dialect(String url);
}
