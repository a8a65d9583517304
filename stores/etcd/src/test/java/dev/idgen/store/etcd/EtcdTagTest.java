package dev.idgen.store.etcd;

import dev.idgen.check.contract.TagStoreContract;
import dev.idgen.check.servers.EtcdServer;
import dev.idgen.store.TagStore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

class EtcdTagTest extends TagStoreContract {
  private static EtcdServer server;

  private String url = "";

  @BeforeAll
  static void startServer() {
    server = EtcdServer.start();
  }

  @AfterAll
  static void endServer() {
    server.close();
  }

  @BeforeEach
  void makePlace() {
    url = server.freshUrl();
  }

  @Override
  protected TagStore openClient() {
    return EtcdTagStore.open(url);
  }

  @Override
  protected boolean spoil(String tag) {
    server.put(Session.parse(url).path() + "/tag/default/" + tag, "2 from the future");
    return true;
  }
}
