package dev.idgen.store.jdbc;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.idgen.check.servers.PostgresServer;
import dev.idgen.store.SegmentReply;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class PostgresPoolTest extends DatabasePoolContract {
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
  String freshDatabase() {
    return server.freshDatabase();
  }

  @Override
  String url(String database) {
    return server.url(database);
  }

  @Override
  ServerDialect dialect(String url) {
    return new PostgresDialect(DatabaseUrl.parse(url), new Patience(2_000));
  }

  @Override
  String countOfOthers() {
    return "SELECT count(*) FROM pg_stat_activity"
        + " WHERE datname = current_database() AND pid <> pg_backend_pid()";
  }

  @Override
  void execute(String database, String sql) {
    server.execute(database, sql);
  }

  @Test
  void allocate_serverHasCrashed_isGrantedAgain() {
    try (JdbcSegmentStore store = JdbcSegmentStore.open(url(freshDatabase()))) {
      allocated(store, "order");
      server.crash();
      assertInstanceOf(
          SegmentReply.Granted.class, answered(() -> store.allocate(request("order"))));
    }
  }
}
