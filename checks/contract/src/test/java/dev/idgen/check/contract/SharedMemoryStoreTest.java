package dev.idgen.check.contract;

import dev.idgen.store.WorkerStore;

class SharedMemoryStoreTest extends WorkerStoreContract {
  private final MemoryClients clients = new MemoryClients(time, false);

  @Override
  protected WorkerStore openClient() {
    return clients.open();
  }

  @Override
  protected void wipe() {
    clients.wipe();
  }
}
