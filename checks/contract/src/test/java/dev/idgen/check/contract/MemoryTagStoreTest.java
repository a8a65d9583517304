package dev.idgen.check.contract;

import dev.idgen.store.TagStore;
import dev.idgen.store.memory.MemoryTagStore;

class MemoryTagStoreTest extends TagStoreContract {
  private MemoryTagStore store = new MemoryTagStore();

  @Override
  protected TagStore openClient() {
    return store.client();
  }

  @Override
  protected void wipe() {
    store = new MemoryTagStore("another");
  }
}
