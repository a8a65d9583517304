package dev.idgen.store.etcd;

import dev.idgen.check.contract.WorkerStoreContract;
import dev.idgen.check.servers.EtcdServer;
import dev.idgen.entropy.Entropy;
import dev.idgen.store.StoreAddress;
import dev.idgen.store.WorkerStore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

class EtcdContractTest extends WorkerStoreContract {
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
  protected WorkerStore openClient() {
    StoreClock clock =
        new StoreClock() {
          @Override
          public void refresh() {
            // The test sets it.
          }

          @Override
          public long nowMillis() {
            return time.wallMillis();
          }
        };
    return EtcdWorkerStore.open(address(), clock, Entropy.operatingSystem());
  }

  private StoreAddress address() {
    return Session.parse(url);
  }

  @Override
  protected void wipe() {
    server.deleteAll(address().path() + "/");
  }
}
