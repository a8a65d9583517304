package dev.idgen.store.etcd;

import dev.idgen.check.contract.SegmentStoreContract;
import dev.idgen.store.SegmentStore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

class EtcdClusterSegmentTest extends SegmentStoreContract {
  private static EtcdMembers members;

  private String url = "";

  @BeforeAll
  static void startMembers() {
    members = EtcdMembers.start(3);
  }

  @AfterAll
  static void endMembers() {
    members.close();
  }

  @BeforeEach
  void makePlace() {
    url = members.freshUrl();
  }

  @Override
  protected SegmentStore openClient() {
    return EtcdSegmentStore.open(url);
  }

  @Override
  protected void wipe() {
    members.wipe(url);
  }

  @Override
  protected void restartServer() {
    members.restartLeader();
  }

  /** Two clients write one key, and each write is flushed to the disks of two members. */
  @Override
  protected int allocations() {
    return 20;
  }
}
