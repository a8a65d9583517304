package dev.idgen.store.etcd;

import org.junit.jupiter.api.BeforeAll;

class EtcdContractTest extends EtcdLeaseContract {
  @BeforeAll
  static void startMembers() {
    members = EtcdMembers.start(1);
  }
}
