package dev.idgen.store.etcd;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class EtcdContractTest extends EtcdLeaseContract {
  private static EtcdMembers members;

  @BeforeAll
  static void startMembers() {
    members = EtcdMembers.start(1);
  }

  @AfterAll
  static void endMembers() {
    members.close();
  }

  @Override
  EtcdMembers members() {
    return members;
  }
}
