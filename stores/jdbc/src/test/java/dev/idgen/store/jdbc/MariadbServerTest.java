package dev.idgen.store.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.check.servers.MariadbServer;
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
    server = MariadbServer.start();
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
  Dialect dialect(String url) {
    return new MariadbDialect(DatabaseUrl.parse(url), "mariadb");
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
