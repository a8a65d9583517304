package dev.idgen.check.contract;

import dev.idgen.store.WorkerStore;

class EmbeddedMemoryStoreTest extends WorkerStoreContract {
  private final MemoryClients clients = new MemoryClients(time, true);

  @Override
  protected WorkerStore openClient() {
    return clients.open();
  }

  @Override
  protected void wipe() {
    clients.wipe();
  }
}
