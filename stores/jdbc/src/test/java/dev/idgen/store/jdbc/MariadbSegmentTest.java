package dev.idgen.store.jdbc;

import dev.idgen.check.contract.SegmentStoreContract;
import dev.idgen.check.servers.MariadbServer;
import dev.idgen.store.SegmentStore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

class MariadbSegmentTest extends SegmentStoreContract {
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
  protected SegmentStore openClient() {
    return JdbcSegmentStore.open(server.url(database));
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
