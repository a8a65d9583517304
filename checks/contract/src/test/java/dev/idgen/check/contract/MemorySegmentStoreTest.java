package dev.idgen.check.contract;

import dev.idgen.store.SegmentStore;
import dev.idgen.store.memory.MemorySegmentStore;

class MemorySegmentStoreTest extends SegmentStoreContract {
  private MemorySegmentStore store = new MemorySegmentStore("one");

  @Override
  protected SegmentStore openClient() {
    return store.client();
  }

  @Override
  protected void wipe() {
    store = new MemorySegmentStore("another");
  }
}
