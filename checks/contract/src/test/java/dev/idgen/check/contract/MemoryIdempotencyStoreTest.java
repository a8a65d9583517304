package dev.idgen.check.contract;

import dev.idgen.store.IdempotencyStore;
import dev.idgen.store.memory.MemoryIdempotencyStore;

class MemoryIdempotencyStoreTest extends IdempotencyStoreContract {
  private MemoryIdempotencyStore store = new MemoryIdempotencyStore(time);

  @Override
  protected IdempotencyStore openClient() {
    return store.client();
  }

  @Override
  protected void wipe() {
    store = new MemoryIdempotencyStore(time);
  }
}
