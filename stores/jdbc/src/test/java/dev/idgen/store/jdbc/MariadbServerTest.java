package dev.idgen.store.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.check.servers.MariadbServer;
import dev.idgen.store.SegmentReply;
import dev.idgen.store.SegmentRequest;
import dev.idgen.store.SegmentTerms;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class MariadbServerTest extends DatabaseServerContract {
  private static MariadbServer server;

  @BeforeAll
  static void startServer() {
    server = MariadbServer.start("--log-bin", "--sync-binlog=1");
  }

  @AfterAll
  static void endServer() {
    server.close();
  }

  @Override
  String kind() {
    return "mariadb";
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
        "CREATE USER " + user + "@'127.0.0.1' IDENTIFIED BY '" + password + "'",
        "GRANT SELECT, INSERT, UPDATE ON " + database + ".* TO " + user + "@'127.0.0.1'");
  }

  @Override
  void grantDelete(String database, String user, String table) {
    server.execute(
        database, "GRANT DELETE ON " + database + "." + table + " TO " + user + "@'127.0.0.1'");
  }

  @Override
  Dialect dialect(String url) {
    return new MariadbDialect(DatabaseUrl.parse(url), "mariadb", new Patience(2_000));
  }

  @Override
  Dialect overheard(String url, Overheard.Listener listener) {
    return new MariadbDialect(DatabaseUrl.parse(url), "mariadb", new Patience(2_000)) {
      @Override
      Connection open(DatabaseUrl address) throws SQLException {
        return Overheard.connection(super.open(address), listener);
      }
    };
  }

  @Override
  String endItself() {
    return "KILL CONNECTION_ID()";
  }

  @Override
  List<SQLException> rolledBackCommits() {
    return List.of(
        new SQLException("Deadlock found when trying to get lock", "40001", 1213),
        new SQLException("Plugin instructed the server to rollback", "40000", 3101));
  }

  /** What MySQL's usual kind of password needs, and the server at hand does not know. */
  @Test
  void explain_passwordThatNeedsAKey_saysWhatToSet() {
    Dialect dialect = dialect("mysql://u:p@127.0.0.1:1/db");
    SQLException e =
        new SQLException(
            "RSA public key is not available client side (option serverRsaPublicKeyFile not set)",
            "S1010");
    assertTrue(dialect.permanent(e));
    assertEquals(
        "mariadb: mysql://127.0.0.1:1/db: the password is sent to nobody unknown (expected:"
            + " sslMode=verify-full, or serverRsaPublicKeyFile=<file>, or in a trusted network"
            + " allowPublicKeyRetrieval=true behind the address)",
        dialect.explain(e));
  }

  /** A replica that nobody waits for may lack the last writes when it takes over. */
  @Test
  void risks_replicaThatAcknowledgesLate_isTold() throws SQLException {
    String database = freshDatabase();
    Dialect dialect = dialect(adminUrl(database));
    try (MariadbServer replica = MariadbServer.start();
        Connection c = dialect.connect()) {
      replica.receiveFrom(server);
      assertEquals(
          List.of(
              "replicas acknowledge after the commit: a failover may lose writes (expected:"
                  + " semi-synchronous replication, or a cluster)"),
          dialect.risks(c));
      try (JdbcSegmentStore marks = JdbcSegmentStore.open(adminUrl(database));
          JdbcTagStore tags = JdbcTagStore.open(adminUrl(database));
          JdbcWorkerStore leases = JdbcWorkerStore.open(adminUrl(database))) {
        assertEquals(1, marks.risks().size());
        assertEquals(marks.risks(), tags.risks());
        assertEquals(marks.risks(), leases.risks());
      }
      execute(database, "SET GLOBAL rpl_semi_sync_master_enabled = 1");
      assertEquals(List.of(), dialect.risks(c));
    } finally {
      server.restart(); // without the replica, and with its usual settings
    }
  }

  @Test
  void risks_serverThatDoesNotWaitForTheDisk_areTold() throws SQLException {
    String database = freshDatabase();
    Dialect dialect = dialect(adminUrl(database));
    try (Connection c = dialect.connect()) {
      assertEquals(List.of(), dialect.risks(c));
      execute(database, "SET GLOBAL innodb_flush_log_at_trx_commit = 2");
      try {
        List<String> risks = dialect.risks(c);
        assertEquals(1, risks.size());
        assertTrue(risks.get(0).startsWith("innodb_flush_log_at_trx_commit is 2"), risks + "");
      } finally {
        execute(database, "SET GLOBAL innodb_flush_log_at_trx_commit = 1");
      }
    }
  }

  /** C45: kill -9 of the database right after an allocation: the next one is above. */
  @Test
  void server_killedAfterAnAllocation_goesOnAbove() {
    String database = freshDatabase();
    SegmentTerms terms = SegmentTerms.of("default", "order", 1_000);
    try (JdbcSegmentStore store = JdbcSegmentStore.open(adminUrl(database))) {
      long last = 0;
      for (int round = 0; round < 3; round++) {
        SegmentReply reply = answered(store, new SegmentRequest(terms, 10, -1));
        long first = assertInstanceOf(SegmentReply.Granted.class, reply).first();
        assertEquals(last + 1, first);
        last = first + 9;
        server.restart();
      }
    }
  }

  /** The connections of before the kill are found to be gone one by one. */
  private static SegmentReply answered(JdbcSegmentStore store, SegmentRequest request) {
    for (int i = 0; i < 10; i++) {
      SegmentReply reply =
          store.allocate(request).toCompletableFuture().exceptionally(e -> null).join();
      if (reply != null) {
        return reply;
      }
    }
    throw new IllegalStateException("no answer");
  }

  /** C45, for leases: what was acknowledged is there after kill -9 of the database. */
  @Test
  void server_killedAndStartedAgain_hasWhatItAcknowledged() {
    String database = freshDatabase();
    try (JdbcWorkerStore store = JdbcWorkerStore.open(adminUrl(database))) {
      assertServes(store);
      var before = store.list("orders").toCompletableFuture().join();

      server.restart();

      var unused = store.list("orders").toCompletableFuture().exceptionally(e -> null).join();
      var after = store.list("orders").toCompletableFuture().join();
      assertEquals(before.workers(), after.workers());
      assertEquals(before.namespace(), after.namespace());
      assertEquals(before.identity(), after.identity());
    }
  }
}
