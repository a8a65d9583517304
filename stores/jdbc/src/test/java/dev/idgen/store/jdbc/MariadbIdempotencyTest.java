package dev.idgen.store.jdbc;

import dev.idgen.check.contract.IdempotencyStoreContract;
import dev.idgen.check.servers.MariadbServer;
import dev.idgen.store.IdempotencyStore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

class MariadbIdempotencyTest extends IdempotencyStoreContract {
  private static final int CONNECTIONS = 4;

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
    return JdbcIdempotencyStore.open(this::dialect, CONNECTIONS);
  }

  private Dialect dialect() {
    return new MariadbDialect(DatabaseUrl.parse(server.url(database)), "mariadb") {
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
