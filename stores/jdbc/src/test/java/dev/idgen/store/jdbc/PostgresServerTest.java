package dev.idgen.store.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.check.servers.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
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

  @Override
  Dialect dialect(String url) {
    return new PostgresDialect(DatabaseUrl.parse(url), new Patience(2_000));
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
