package dev.idgen.check.contract;

import dev.idgen.entropy.Entropy;
import dev.idgen.store.ClaimRequest;
import dev.idgen.store.ExtendRequest;
import dev.idgen.store.LeaseReply;
import dev.idgen.store.LeaseTerms;
import dev.idgen.store.ReleaseRequest;
import dev.idgen.store.StoreException;
import dev.idgen.store.WorkerStore;
import dev.idgen.store.memory.MemoryWorkerStore;
import dev.idgen.time.TimeSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** Clients of one store in memory, each closed for itself. */
final class MemoryClients {
  private final TimeSource time;
  private final boolean embedded;
  private int wiped;
  private MemoryWorkerStore store;

  MemoryClients(TimeSource time, boolean embedded) {
    this.time = time;
    this.embedded = embedded;
    this.store = fresh();
  }

  private MemoryWorkerStore fresh() {
    return new MemoryWorkerStore(
        "memory-" + wiped, time, Entropy.secure(), embedded, Runnable::run);
  }

  WorkerStore open() {
    return new Client(store);
  }

  void wipe() {
    wiped++;
    store = fresh();
  }

  private static final class Client implements WorkerStore {
    private final MemoryWorkerStore store;
    private volatile boolean closed;

    Client(MemoryWorkerStore store) {
      this.store = store;
    }

    private <T> CompletionStage<T> unlessClosed(Supplier<CompletionStage<T>> call) {
      return closed
          ? CompletableFuture.failedFuture(
              StoreException.refused("memory: closed (expected: an open store)"))
          : call.get();
    }

    @Override
    public String kind() {
      return store.kind();
    }

    @Override
    public boolean embedded() {
      return store.embedded();
    }

    @Override
    public CompletionStage<LeaseReply> claim(ClaimRequest request) {
      return unlessClosed(() -> store.claim(request));
    }

    @Override
    public CompletionStage<LeaseReply> extend(ExtendRequest request) {
      return unlessClosed(() -> store.extend(request));
    }

    @Override
    public CompletionStage<LeaseReply> release(ReleaseRequest request) {
      return unlessClosed(() -> store.release(request));
    }

    @Override
    public CompletionStage<LeaseReply> revoke(LeaseTerms terms, int workerId) {
      return unlessClosed(() -> store.revoke(terms, workerId));
    }

    @Override
    public CompletionStage<LeaseReply> fence(LeaseTerms terms, long wallMillis) {
      return unlessClosed(() -> store.fence(terms, wallMillis));
    }

    @Override
    public CompletionStage<Listing> list(String namespace) {
      return unlessClosed(() -> store.list(namespace));
    }

    @Override
    public void close() {
      closed = true;
    }
  }
}
