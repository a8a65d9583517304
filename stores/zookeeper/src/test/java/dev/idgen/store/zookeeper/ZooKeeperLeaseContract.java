package dev.idgen.store.zookeeper;

import dev.idgen.check.contract.WorkerStoreContract;
import dev.idgen.check.servers.ZooKeeperServers;
import dev.idgen.entropy.Entropy;
import dev.idgen.store.StoreAddress;
import dev.idgen.store.WorkerStore;
import org.apache.zookeeper.ZKUtil;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.BeforeEach;

/** Leases on ZooKeeper; which servers is said by who extends it. */
abstract class ZooKeeperLeaseContract extends WorkerStoreContract {
  private String url = "";

  /** Started before all tests of a class. */
  abstract ZooKeeperServers servers();

  @BeforeEach
  void makePlace() {
    url = servers().freshUrl();
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
    int last = servers().count() - 1; // of those that begin alike the highest number leads
    servers().kill(last);
    servers().startAgain(last);
  }
}
