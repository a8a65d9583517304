package dev.idgen.store.zookeeper;

import dev.idgen.check.servers.ZooKeeperServers;
import org.junit.jupiter.api.BeforeAll;

class ZooKeeperContractTest extends ZooKeeperLeaseContract {
  @BeforeAll
  static void startServers() {
    servers = ZooKeeperServers.start();
  }
}
