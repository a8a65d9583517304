package dev.idgen.store.jdbc;

import dev.idgen.check.servers.MariadbServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

class MariadbIdempotencyTest extends ServerIdempotencyContract {
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
  Dialect dialect() {
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
