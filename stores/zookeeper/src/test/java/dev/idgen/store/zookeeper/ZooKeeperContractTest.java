package dev.idgen.store.zookeeper;

import dev.idgen.check.contract.WorkerStoreContract;
import dev.idgen.check.servers.ZooKeeperServers;
import dev.idgen.entropy.Entropy;
import dev.idgen.store.StoreAddress;
import dev.idgen.store.WorkerStore;
import org.apache.zookeeper.ZKUtil;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

class ZooKeeperContractTest extends WorkerStoreContract {
  private static ZooKeeperServers server;

  private String url = "";

  @BeforeAll
  static void startServer() {
    server = ZooKeeperServers.start();
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
    return ZooKeeperWorkerStore.open(
        ZooKeeperWorkerStore.parse(url), told -> time.wallMillis(), Entropy.operatingSystem());
  }

  @Override
  protected void wipe() {
    StoreAddress address = ZooKeeperWorkerStore.parse(url);
    try {
      ZooKeeper client = new ZooKeeper(address.hosts(), 10_000, event -> {});
      ZKUtil.deleteRecursive(client, address.path());
      client.close();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  protected void restartServer() {
    server.kill(0);
    server.startAgain(0);
  }
}
