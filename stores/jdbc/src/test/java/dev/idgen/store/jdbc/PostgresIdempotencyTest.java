package dev.idgen.store.jdbc;

import dev.idgen.check.contract.IdempotencyStoreContract;
import dev.idgen.check.servers.PostgresServer;
import dev.idgen.store.IdempotencyStore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

class PostgresIdempotencyTest extends IdempotencyStoreContract {
  private static final int CONNECTIONS = 4;

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
  protected IdempotencyStore openClient() {
    return JdbcIdempotencyStore.open(this::dialect, CONNECTIONS);
  }

  private Dialect dialect() {
    return new PostgresDialect(DatabaseUrl.parse(server.schemaUrl(schema))) {
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
