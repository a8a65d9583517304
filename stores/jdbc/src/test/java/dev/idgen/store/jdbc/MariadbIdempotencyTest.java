package dev.idgen.store.jdbc;

import dev.idgen.check.contract.IdempotencyStoreContract;
import dev.idgen.check.servers.MariadbServer;
import dev.idgen.store.IdempotencyStore;
import dev.idgen.time.TimeSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

class MariadbIdempotencyTest extends IdempotencyStoreContract {
  private static final JdbcOptions FEW = new JdbcOptions(6, 2, 2_000);

  private static MariadbServer server;

  private String database = "";

  @BeforeAll
  static void startServer() {
    server = MariadbServer.start();
  }

  @AfterAll
  static void endServer() {
    server.close();
  }

  @BeforeEach
  void makePlace() {
    database = server.freshDatabase();
  }

  @Override
  protected IdempotencyStore openClient() {
    Pool pool = new Pool(dialect(), FEW, TimeSource.system());
    return JdbcIdempotencyStore.of(
        Lanes.sharing(pool, FEW.pooled(), JdbcIdempotencyStore::prepare, pool::end));
  }

  private Dialect dialect() {
    return new MariadbDialect(
        DatabaseUrl.parse(server.url(database)), "mariadb", new Patience(2_000)) {
      @Override
      public String now() {
        return String.valueOf(time.wallMillis());
      }
    };
  }

  @Override
  protected void wipe() {
    server.execute("mysql", "DROP DATABASE " + database, "CREATE DATABASE " + database);
  }

  @Override
  protected void restartServer() {
    server.restart();
  }
}
