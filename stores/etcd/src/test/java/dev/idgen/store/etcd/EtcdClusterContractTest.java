package dev.idgen.store.etcd;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** On three members, the one that leads killed in the middle. */
class EtcdClusterContractTest extends EtcdLeaseContract {
  private static EtcdMembers members;

  @BeforeAll
  static void startMembers() {
    members = EtcdMembers.start(3);
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
