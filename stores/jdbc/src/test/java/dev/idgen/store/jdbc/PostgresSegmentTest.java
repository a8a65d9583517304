package dev.idgen.store.jdbc;

import dev.idgen.check.contract.SegmentStoreContract;
import dev.idgen.check.servers.PostgresServer;
import dev.idgen.store.SegmentStore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

class PostgresSegmentTest extends SegmentStoreContract {
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
  protected SegmentStore openClient() {
    return JdbcSegmentStore.open(server.schemaUrl(schema));
  }

  /** C46: in full with {@code -Didgen.allocations=1000}. */
  @Override
  protected int allocations() {
    return Integer.getInteger("idgen.allocations", 300);
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
