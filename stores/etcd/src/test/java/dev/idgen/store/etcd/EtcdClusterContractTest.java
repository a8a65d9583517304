package dev.idgen.store.etcd;

import org.junit.jupiter.api.BeforeAll;

/** On three members, the one that leads killed in the middle. */
class EtcdClusterContractTest extends EtcdLeaseContract {
  @BeforeAll
  static void startMembers() {
    members = EtcdMembers.start(3);
  }
}
