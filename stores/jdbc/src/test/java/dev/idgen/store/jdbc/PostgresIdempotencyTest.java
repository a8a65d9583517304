package dev.idgen.store.jdbc;

import dev.idgen.check.servers.PostgresServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

class PostgresIdempotencyTest extends ServerIdempotencyContract {
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
  Dialect dialect() {
    return new PostgresDialect(DatabaseUrl.parse(server.schemaUrl(schema)), new Patience(2_000)) {
      @Override
      public String now() {
        return String.valueOf(time.wallMillis());
      }
    };
  }

  @Override
  protected void wipe() {
    server.execute("postgres", "DROP SCHEMA " + schema + " CASCADE", "CREATE SCHEMA " + schema);
  }

  /** A server process for each connection: all end as in a crash. */
  @Override
  protected void restartServer() {
    server.crash();
  }
}
