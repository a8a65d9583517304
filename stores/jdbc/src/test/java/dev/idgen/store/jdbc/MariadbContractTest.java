package dev.idgen.store.jdbc;

import dev.idgen.check.contract.WorkerStoreContract;
import dev.idgen.check.servers.MariadbServer;
import dev.idgen.entropy.Entropy;
import dev.idgen.store.WorkerStore;
import java.sql.Connection;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

class MariadbContractTest extends WorkerStoreContract {
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
  protected WorkerStore openClient() {
    Dialect dialect =
        new MariadbDialect(
            DatabaseUrl.parse(server.url(database)), "mariadb", new Patience(2_000)) {
          @Override
          public long nowMillis(Connection connection) {
            return time.wallMillis();
          }
        };
    return JdbcWorkerStore.open(dialect, Entropy.operatingSystem());
  }

  @Override
  protected void wipe() {
    server.execute(database, "DROP TABLE idgen_meta, idgen_namespace, idgen_worker");
  }

  @Override
  protected void restartServer() {
    server.restart();
  }
}
