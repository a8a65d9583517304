package dev.idgen.store.jdbc;

import dev.idgen.check.contract.TagStoreContract;
import dev.idgen.check.servers.MariadbServer;
import dev.idgen.store.TagStore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

class MariadbTagTest extends TagStoreContract {
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
  protected TagStore openClient() {
    return JdbcTagStore.open(server.url(database));
  }

  @Override
  protected boolean spoil(String tag) {
    server.execute(database, "UPDATE idgen_tag SET step = 0 WHERE tag = '" + tag + "'");
    return true;
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
