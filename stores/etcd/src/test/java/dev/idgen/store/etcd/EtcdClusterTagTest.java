package dev.idgen.store.etcd;

import dev.idgen.check.contract.TagStoreContract;
import dev.idgen.store.TagStore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

class EtcdClusterTagTest extends TagStoreContract {
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
  protected TagStore openClient() {
    return EtcdTagStore.open(url);
  }

  @Override
  protected void wipe() {
    members.wipe(url);
  }

  @Override
  protected void restartServer() {
    members.restartLeader();
  }

  @Override
  protected boolean spoil(String tag) {
    members.put(url, "tag/default/" + tag, "2 from the future");
    return true;
  }
}
