package dev.idgen.server.main;

import dev.idgen.server.config.StoreUrl;
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

  /** The store that an address means. */
  static StoreOpener of(StoreUrl url) {
    return () -> new dev.idgen.store.memory.MemoryWorkerStore(dev.idgen.time.TimeSource.system(), dev.idgen.entropy.Entropy.operatingSystem());
  }
}
