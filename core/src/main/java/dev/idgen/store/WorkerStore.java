package dev.idgen.store;

import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the leases on worker ids, in a store where an acknowledged conditional write stays.
 *
 * <p>Each operation is one transaction: read a {@link StoreSnapshot}, ask {@link LeaseRules}, write
 * the {@link Decision} on the condition that nothing of it has changed, answer once that is
 * durable. A stage fails with a {@link StoreException} and nothing else; every caller may repeat
 * every request. Thread-safe. Nothing here blocks the caller.
 */
public interface WorkerStore extends AutoCloseable {

  /**
   * Which kind of store this is, for logs and start lines: {@code sqlite}, {@code postgres} and so
   * on.
   */
  String kind();

  /** Whether the store serves one machine only and shares its clock. */
  boolean embedded();

  /** Grants a worker id: {@link LeaseRules#claim}. */
  CompletionStage<LeaseReply> claim(ClaimRequest request);

  /** Raises a horizon: {@link LeaseRules#extend}. */
  CompletionStage<LeaseReply> extend(ExtendRequest request);

  /** Gives a lease back: {@link LeaseRules#release}. */
  CompletionStage<LeaseReply> release(ReleaseRequest request);

  /** Takes a lease away from its holder, by an administrator: {@link LeaseRules#revoke}. */
  CompletionStage<LeaseReply> revoke(LeaseTerms terms, int workerId);

  /** Declares that acknowledged writes may be gone: {@link LeaseRules#fence}. */
  CompletionStage<LeaseReply> fence(LeaseTerms terms, long wallMillis);

  /** Reads every row of a namespace. */
  CompletionStage<Listing> list(String namespace);

  /**
   * Ends the connection. Requests under way may fail; leases stay as they are. Closing twice does
   * nothing.
   */
  @Override
  void close();

  /**
   * What {@link #list} read.
   *
   * @param namespace null: never seen
   * @param workers in order of worker ids
   * @param storeMillis the store's clock
   * @param identity which store answered
   */
  record Listing(
      @Nullable NamespaceRow namespace,
      List<WorkerRow> workers,
      long storeMillis,
      String identity) {

    /** Copies the list. */
    public Listing {
      workers = List.copyOf(workers);
    }
  }
}
