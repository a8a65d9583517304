package dev.idgen.store.jdbc;

import dev.idgen.check.contract.TagStoreContract;
import dev.idgen.check.servers.PostgresServer;
import dev.idgen.store.TagStore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

class PostgresTagTest extends TagStoreContract {
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
  protected TagStore openClient() {
    return JdbcTagStore.open(server.schemaUrl(schema));
  }

  @Override
  protected boolean spoil(String tag) {
    server.execute(
        "postgres", "UPDATE " + schema + ".idgen_tag SET step = 0 WHERE tag = '" + tag + "'");
    return true;
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
