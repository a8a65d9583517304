package dev.idgen.server.main;

import dev.idgen.store.WorkerStore;

/** Opens the store of the leases. May block. */
@FunctionalInterface
interface StoreOpener {

  /**
   * Opens it.
   *
   * @throws dev.idgen.store.StoreException it cannot be used now; tried again
   */
  WorkerStore open();
}
