package dev.idgen.store;

import dev.idgen.entropy.Entropy;
import java.util.Objects;
import java.util.concurrent.CompletionStage;

/** What every driver has in common: all five writing operations are one kind of transaction. */
public abstract class AbstractWorkerStore implements WorkerStore {
  private final Entropy entropy;

  /**
   * A driver.
   *
   * @param entropy breaks ties between worker ids that are equally free
   */
  protected AbstractWorkerStore(Entropy entropy) {
    this.entropy = Objects.requireNonNull(entropy, "entropy");
  }

  /**
   * Reads, decides and writes in one transaction, and answers once that is durable.
   *
   * @param operation what to read, and how to decide
   * @return fails with a {@link StoreException} and nothing else
   */
  protected abstract CompletionStage<LeaseReply> transact(StoreOperation operation);

  @Override
  public final CompletionStage<LeaseReply> claim(ClaimRequest request) {
    return transact(StoreOperation.claim(request, entropy));
  }

  @Override
  public final CompletionStage<LeaseReply> extend(ExtendRequest request) {
    return transact(StoreOperation.extend(request));
  }

  @Override
  public final CompletionStage<LeaseReply> release(ReleaseRequest request) {
    return transact(StoreOperation.release(request));
  }

  @Override
  public final CompletionStage<LeaseReply> revoke(LeaseTerms terms, int workerId) {
    if (workerId < 0) {
      throw new IllegalArgumentException("workerId: " + workerId + " (expected: >= 0)");
    }
    return transact(StoreOperation.revoke(terms, workerId));
  }

  @Override
  public final CompletionStage<LeaseReply> fence(LeaseTerms terms, long wallMillis) {
    return transact(StoreOperation.fence(terms, wallMillis));
  }
}
