package dev.idgen.store.zookeeper;

import dev.idgen.check.servers.ZooKeeperServers;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** On three servers, one of them killed in the middle. */
class ZooKeeperClusterContractTest extends ZooKeeperLeaseContract {
  private static ZooKeeperServers servers;

  @BeforeAll
  static void startServers() {
    servers = ZooKeeperServers.startCluster(3);
  }

  @AfterAll
  static void endServers() {
    servers.close();
  }

  @Override
  ZooKeeperServers servers() {
    return servers;
  }
}
