package dev.idgen.store.etcd;

import dev.idgen.check.contract.IdempotencyStoreContract;
import dev.idgen.check.servers.EtcdServer;
import dev.idgen.store.IdempotencyStore;
import dev.idgen.store.StoreAddress;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

class EtcdIdempotencyTest extends IdempotencyStoreContract {
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
  protected IdempotencyStore openClient() {
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
    return EtcdIdempotencyStore.open(address(), clock);
  }

  private StoreAddress address() {
    return Session.parse(url);
  }

  @Override
  protected void wipe() {
    server.deleteAll(address().path() + "/");
  }

  @Override
  protected void restartServer() {
    server.kill();
    server.startAgain();
  }
}
