package dev.idgen.check.contract;

import dev.idgen.store.ClaimRequest;
import dev.idgen.store.ExtendRequest;
import dev.idgen.store.LeaseReply;
import dev.idgen.store.LeaseTerms;
import dev.idgen.store.ReleaseRequest;
import dev.idgen.store.WorkerStore;
import java.util.concurrent.CompletionStage;

/** A store behind a {@link LossyNetwork}. Thread-safe. */
public final class LossyWorkerStore implements WorkerStore {
  private final WorkerStore store;
  private final LossyNetwork network;

  /**
   * Puts a bad network before a store.
   *
   * @param store closed with this one
   */
  public LossyWorkerStore(WorkerStore store, LossyNetwork network) {
    this.store = store;
    this.network = network;
  }

  /** Lets every late request arrive now, the latest first. Their answers reach nobody. */
  public void deliverLate() {
    network.deliverLate();
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
    return network.sent(() -> store.claim(request));
  }

  @Override
  public CompletionStage<LeaseReply> extend(ExtendRequest request) {
    return network.sent(() -> store.extend(request));
  }

  @Override
  public CompletionStage<LeaseReply> release(ReleaseRequest request) {
    return network.sent(() -> store.release(request));
  }

  @Override
  public CompletionStage<LeaseReply> revoke(LeaseTerms terms, int workerId) {
    return network.sent(() -> store.revoke(terms, workerId));
  }

  @Override
  public CompletionStage<LeaseReply> fence(LeaseTerms terms, long wallMillis) {
    return network.sent(() -> store.fence(terms, wallMillis));
  }

  @Override
  public CompletionStage<Listing> list(String namespace) {
    return store.list(namespace);
  }

  @Override
  public void close() {
    store.close();
  }
}
