package dev.idgen.store.zookeeper;

import dev.idgen.check.servers.ZooKeeperServers;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class ZooKeeperContractTest extends ZooKeeperLeaseContract {
  private static ZooKeeperServers servers;

  @BeforeAll
  static void startServers() {
    servers = ZooKeeperServers.start();
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
