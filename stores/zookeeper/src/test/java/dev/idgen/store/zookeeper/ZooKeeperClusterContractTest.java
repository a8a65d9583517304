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

/** On three servers, one of them killed in the middle. */
class ZooKeeperClusterContractTest extends WorkerStoreContract {
  private static final int SERVERS = 3;

  /** Most often it is the one that leads: of those that begin alike the highest number wins. */
  private static final int LAST = SERVERS - 1;

  private static ZooKeeperServers servers;

  private String url = "";

  @BeforeAll
  static void startServers() {
    servers = ZooKeeperServers.startCluster(SERVERS);
  }

  @AfterAll
  static void endServers() {
    servers.close();
  }

  @BeforeEach
  void makePlace() {
    url = servers.freshUrl();
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
    servers.kill(LAST);
    servers.startAgain(LAST);
  }
}
