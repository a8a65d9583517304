package dev.idgen.check.contract;

import dev.idgen.store.IdempotencyEntry;
import dev.idgen.store.IdempotencyReply;
import dev.idgen.store.IdempotencyRequest;
import dev.idgen.store.IdempotencyStore;
import java.util.concurrent.CompletionStage;

/** A store behind a {@link LossyNetwork}. Thread-safe. */
public final class LossyIdempotencyStore implements IdempotencyStore {
  private final IdempotencyStore store;
  private final LossyNetwork network;

  /**
   * Puts a bad network before a store.
   *
   * @param store closed with this one
   */
  public LossyIdempotencyStore(IdempotencyStore store, LossyNetwork network) {
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
  public CompletionStage<IdempotencyReply> begin(IdempotencyRequest request) {
    return network.sent(() -> store.begin(request));
  }

  @Override
  public CompletionStage<Finish> finish(IdempotencyEntry entry, long attempt, String reply) {
    return network.sent(() -> store.finish(entry, attempt, reply));
  }

  @Override
  public CompletionStage<Boolean> abandon(IdempotencyEntry entry, long attempt) {
    return network.sent(() -> store.abandon(entry, attempt));
  }

  @Override
  public CompletionStage<Integer> purge(int most) {
    return network.sent(() -> store.purge(most));
  }

  @Override
  public void close() {
    store.close();
  }
}
