package dev.idgen.store.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.check.servers.PostgresServer;
import dev.idgen.store.SegmentReply;
import dev.idgen.store.SegmentRequest;
import dev.idgen.store.SegmentTerms;
import dev.idgen.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.TimeZone;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class PostgresServerTest extends DatabaseServerContract {
  private static PostgresServer server;

  @BeforeAll
  static void startServer() {
    server = PostgresServer.start();
  }

  @AfterAll
  static void endServer() {
    server.close();
  }

  @Override
  String kind() {
    return "postgres";
  }

  @Override
  String freshDatabase() {
    return server.freshDatabase();
  }

  @Override
  String url(String user, String password, String database) {
    return server.url(user, password, database);
  }

  @Override
  String adminUrl(String database) {
    return server.url(database);
  }

  @Override
  void execute(String database, String... statements) {
    server.execute(database, statements);
  }

  @Override
  void makeUser(String database, String user, String password) {
    server.execute(
        database,
        "CREATE ROLE " + user + " LOGIN PASSWORD '" + password + "'",
        "GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA public TO " + user);
  }

  @Override
  void grantDelete(String database, String user, String table) {
    server.execute(database, "GRANT DELETE ON " + table + " TO " + user);
  }

  /** Found at the start, not by the first request that needs it. */
  @Test
  void open_oneGrantMissing_saysSoAtOnce() {
    String database = freshDatabase();
    JdbcWorkerStore.open(adminUrl(database)).close();
    makeUser(database, "narrow", "secret");
    grantDelete(database, "narrow", "idgen_idempotency");
    String url = url("narrow", "secret", database);
    Map<String, Consumer<String>> needing = new TreeMap<>();
    for (String table : List.of("idgen_namespace", "idgen_worker")) {
      needing.put(table, address -> JdbcWorkerStore.open(address).close());
    }
    for (String table : List.of("id_alloc", "idgen_residue", "idgen_fence")) {
      needing.put(table, address -> JdbcSegmentStore.open(address).close());
    }
    for (String table :
        List.of("idgen_tag", "idgen_revision", "idgen_idempotency", "idgen_idempotency_use")) {
      needing.put(table, address -> JdbcTagStore.open(address).close());
    }
    needing.forEach(
        (table, open) -> {
          requireGrant(database, "INSERT", table, () -> open.accept(url));
          requireGrant(database, "UPDATE", table, () -> open.accept(url));
        });
    requireGrant(database, "DELETE", "idgen_idempotency", () -> JdbcTagStore.open(url).close());
    needing.values().forEach(open -> open.accept(url));
  }

  private void requireGrant(String database, String right, String table, Runnable open) {
    execute(database, "REVOKE " + right + " ON " + table + " FROM narrow");
    StoreException e = assertThrows(StoreException.class, open::run, () -> right + " on " + table);
    assertTrue(e.permanent(), e.toString());
    assertTrue(String.valueOf(e.getMessage()).contains("grants of the documentation"), e::toString);
    execute(database, "GRANT " + right + " ON " + table + " TO narrow");
  }

  @Override
  Dialect dialect(String url) {
    return new PostgresDialect(DatabaseUrl.parse(url), new Patience(2_000));
  }

  @Override
  Dialect overheard(String url, Overheard.Listener listener) {
    return new PostgresDialect(DatabaseUrl.parse(url), new Patience(2_000)) {
      @Override
      Connection open(DatabaseUrl address) throws SQLException {
        return Overheard.connection(super.open(address), listener);
      }
    };
  }

  @Override
  String isolation(String level) {
    return "SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL " + level;
  }

  @Override
  String isolationNow() {
    return "current_setting('transaction_isolation')";
  }

  @Override
  void isolateByDefault(String database, boolean serializable) {
    String level = serializable ? "'serializable'" : "DEFAULT";
    execute(
        database, "ALTER DATABASE " + database + " SET default_transaction_isolation = " + level);
  }

  @Override
  String endItself() {
    return "SELECT pg_terminate_backend(pg_backend_pid())";
  }

  @Override
  List<SQLException> rolledBackCommits() {
    return List.of(
        new SQLException("could not serialize access", "40001"),
        new SQLException("deadlock detected", "40P01"));
  }

  /** What the server finds when it commits, seen with a check that is put off until then. */
  @Test
  void allocate_serverThatRollsACommitBack_isAskedAgain() {
    String database = freshDatabase();
    try (JdbcSegmentStore store = JdbcSegmentStore.open(adminUrl(database))) {
      execute(
          database,
          "CREATE SEQUENCE tries",
          "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS"
              + " $$ BEGIN IF nextval('tries') < 3 THEN"
              + " RAISE EXCEPTION 'could not serialize access' USING ERRCODE = '40001';"
              + " END IF; RETURN NULL; END $$",
          "CREATE CONSTRAINT TRIGGER refuse AFTER INSERT ON id_alloc DEFERRABLE INITIALLY DEFERRED"
              + " FOR EACH ROW EXECUTE FUNCTION refuse()");
      var request = new SegmentRequest(SegmentTerms.of("default", "order", 100), 10, -1);
      SegmentReply reply = store.allocate(request).toCompletableFuture().join();
      assertEquals(1, assertInstanceOf(SegmentReply.Granted.class, reply).first());
    }
  }

  /** Nobody else is at work on the tables: another attempt finds the same. */
  @Test
  void open_anotherTableInTheWay_saysSo() {
    String database = freshDatabase();
    execute(database, "CREATE TABLE idgen_worker (id INTEGER)");
    StoreException e =
        assertThrows(StoreException.class, () -> JdbcWorkerStore.open(adminUrl(database)).close());
    assertTrue(e.permanent(), e.toString());
    String message = String.valueOf(e.getMessage());
    assertTrue(message.contains("already exists (expected: a database or schema of its"), message);
  }

  /** Times of day in tables are read by people and tools of any place. */
  @Test
  void allocate_processInAnotherZone_writesUtc() throws SQLException {
    String database = freshDatabase();
    TimeZone before = TimeZone.getDefault();
    TimeZone.setDefault(TimeZone.getTimeZone("Pacific/Auckland"));
    try (JdbcSegmentStore store = JdbcSegmentStore.open(adminUrl(database));
        Connection c = dialect(adminUrl(database)).connect()) {
      var request = new SegmentRequest(SegmentTerms.of("default", "order", 100), 10, -1);
      store.allocate(request).toCompletableFuture().join();
      String sql =
          "SELECT max(abs(extract(epoch FROM (now() AT TIME ZONE 'UTC') - update_time)))::bigint"
              + " FROM id_alloc";
      assertTrue(ServerDialect.oneLong(c, sql) < 600, "update_time in local time");
    } finally {
      TimeZone.setDefault(before);
    }
  }

  @Test
  void connect_databaseThatDoesNotWaitForTheDisk_isToldToWait() throws SQLException {
    String database = freshDatabase();
    execute(database, "ALTER DATABASE " + database + " SET synchronous_commit = off");
    try (Connection c = dialect(adminUrl(database)).connect()) {
      assertEquals("on", ServerDialect.oneText(c, "SHOW synchronous_commit"));
    }
  }

  @Test
  void risks_replicaOrNot_areTold() throws SQLException {
    try (Connection c = dialect(adminUrl("postgres")).connect()) {
      assertEquals(List.of(), dialect(adminUrl("postgres")).risks(c));
    }
  }

  @Test
  void identity_any_namesServerAndTimeline() throws SQLException {
    String database = freshDatabase();
    JdbcWorkerStore.open(adminUrl(database)).close();
    Dialect dialect = dialect(adminUrl(database));
    try (Connection c = dialect.connect()) {
      String identity = Rows.identity(c, dialect);
      assertTrue(identity.matches("[0-9a-f]{32}/\\d+/00000001"), identity);
    }
  }
}
