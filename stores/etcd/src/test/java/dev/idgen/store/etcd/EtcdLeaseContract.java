package dev.idgen.store.etcd;

import dev.idgen.check.contract.WorkerStoreContract;
import dev.idgen.entropy.Entropy;
import dev.idgen.store.StoreAddress;
import dev.idgen.store.WorkerStore;
import org.junit.jupiter.api.BeforeEach;

/** Leases on etcd; which members is said by who extends it. */
abstract class EtcdLeaseContract extends WorkerStoreContract {
  private String url = "";

  /** Started before all tests of a class. */
  abstract EtcdMembers members();

  @BeforeEach
  void makePlace() {
    url = members().freshUrl();
  }

  @Override
  protected WorkerStore openClient() {
    StoreClock clock =
        new StoreClock() {
          @Override
          public void refresh() {
            // The test sets it.
          }

          @Override
          public long nowMillis() {
            return time.wallMillis();
          }
        };
    return EtcdWorkerStore.open(address(), clock, Entropy.operatingSystem());
  }

  private StoreAddress address() {
    return Session.parse(url);
  }

  @Override
  protected void wipe() {
    members().wipe(url);
  }

  @Override
  protected void restartServer() {
    members().restartLeader();
  }
}
