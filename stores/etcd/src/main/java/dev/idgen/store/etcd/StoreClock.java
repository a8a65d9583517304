package dev.idgen.store.etcd;

/** The store's own clock. */
interface StoreClock {

  /**
   * Reads it anew.
   *
   * @throws dev.idgen.store.StoreException it cannot be read, or shows what no clock can show
   */
  void refresh();

  /** What it shows, in milliseconds since 1970, going on from the last reading. */
  long nowMillis();
}
