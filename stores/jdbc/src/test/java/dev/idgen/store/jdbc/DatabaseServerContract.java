package dev.idgen.store.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.store.BehindPolicy;
import dev.idgen.store.ClaimRequest;
import dev.idgen.store.ExtendRequest;
import dev.idgen.store.LeaseReply;
import dev.idgen.store.LeaseTerms;
import dev.idgen.store.ReleaseRequest;
import dev.idgen.store.SegmentReply;
import dev.idgen.store.SegmentRequest;
import dev.idgen.store.SegmentTerms;
import dev.idgen.store.StoreException;
import dev.idgen.store.WorkerRow;
import dev.idgen.time.TimeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

/** What every database server must do beside the contract of leases, with its own clock. */
abstract class DatabaseServerContract {
  private static final long WINDOW = 60_000;
  private static final LeaseTerms TERMS =
      new LeaseTerms("orders", "41/10/12", WINDOW, 5_000, 2_000);

  private final TimeSource time = TimeSource.system();
  private long numbers = 1;

  abstract String kind();

  /** An empty database. */
  abstract String freshDatabase();

  abstract String url(String user, String password, String database);

  abstract String adminUrl(String database);

  abstract void execute(String database, String... statements);

  /** Makes an account that may use the tables and make none. */
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
                try (JdbcWorkerStore store = JdbcWorkerStore.open(adminUrl(database))) {
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
    String url = url("app", "secret", database);
    try (JdbcWorkerStore store = JdbcWorkerStore.open(url);
        JdbcSegmentStore segments = JdbcSegmentStore.open(url)) {
      assertServes(store);
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

  abstract Dialect dialect(String url);
}
