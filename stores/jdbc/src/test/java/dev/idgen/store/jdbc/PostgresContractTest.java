package dev.idgen.store.jdbc;

import dev.idgen.check.contract.WorkerStoreContract;
import dev.idgen.check.servers.PostgresServer;
import dev.idgen.entropy.Entropy;
import dev.idgen.store.WorkerStore;
import java.sql.Connection;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

class PostgresContractTest extends WorkerStoreContract {
  private static PostgresServer server;

  private String schema = "";

  @BeforeAll
  static void startServer() {
    server = PostgresServer.start();
  }

  @AfterAll
  static void endServer() {
    server.close();
  }

  @BeforeEach
  void makePlace() {
    schema = server.freshSchema();
  }

  @Override
  protected WorkerStore openClient() {
    Dialect dialect =
        new PostgresDialect(DatabaseUrl.parse(server.schemaUrl(schema)), new Patience(2_000)) {
          @Override
          public long nowMillis(Connection connection) {
            return time.wallMillis();
          }
        };
    return JdbcWorkerStore.open(dialect, Entropy.operatingSystem());
  }

  @Override
  protected void wipe() {
    server.execute("postgres", "DROP SCHEMA " + schema + " CASCADE", "CREATE SCHEMA " + schema);
  }

  @Override
  protected void restartServer() {
    server.crash();
  }
}
