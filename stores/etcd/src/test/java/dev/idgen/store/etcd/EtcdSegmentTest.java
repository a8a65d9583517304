package dev.idgen.store.etcd;

import dev.idgen.check.contract.SegmentStoreContract;
import dev.idgen.check.servers.EtcdServer;
import dev.idgen.store.SegmentStore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

class EtcdSegmentTest extends SegmentStoreContract {
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
  protected SegmentStore openClient() {
    return EtcdSegmentStore.open(url);
  }

  /** Two clients write one key, and each write is flushed to the disk. */
  @Override
  protected int allocations() {
    return 50;
  }
}
