package dev.idgen.store;

import java.util.concurrent.CompletionStage;

/**
 * Keeps what was answered to requests that bear an idempotency key, so that a request which is sent
 * again gets the reply of the first one, from whatever process.
 *
 * <p>An attempt is begun, then done, then finished. Each operation is one transaction: read the
 * {@link IdempotencyRow}, ask {@link IdempotencyRules}, write the {@link IdempotencyDecision} on
 * the condition that the row is still as it was read, answer once that is durable. A caller that
 * does not hear an answer asks the same again: what was done is then found and adopted. So it may
 * answer with its ids only after it has heard {@link Finish#STORED}; whatever else happens, it
 * throws them away. A stage fails with a {@link StoreException} and nothing else.
 *
 * <p>All times are by the store's clock. Thread-safe. Nothing here blocks the caller.
 */
public interface IdempotencyStore extends AutoCloseable {

  /** The most entries that one call of {@link #purge} deletes. */
  int MAX_PURGE = 1000;

  /** What became of a reply. */
  enum Finish {
    /** It is stored, and is what every later request under the key gets: it may go out. */
    STORED,
    /**
     * The entry is not the attempt's any more: its time was over, or another attempt has taken it.
     * What the attempt has done must not go out.
     */
    LOST
  }

  /** Which kind of store this is, for logs: {@code sqlite}, {@code postgres} and so on. */
  String kind();

  /**
   * Begins an attempt, or tells what became of an earlier one: {@link IdempotencyRules#begin}.
   *
   * <p>Of several at once one is {@link IdempotencyReply.Started}. The most keys of a caller may be
   * exceeded by as many attempts as are under way with the store at one moment, and never by more;
   * expired entries do not count.
   */
  CompletionStage<IdempotencyReply> begin(IdempotencyRequest request);

  /**
   * Stores the reply of an attempt: {@link IdempotencyRules#finish}.
   *
   * @param attempt as it was begun
   * @param reply see {@link IdempotencyRow#reply}
   * @throws IllegalArgumentException the reply cannot be kept
   */
  CompletionStage<Finish> finish(IdempotencyEntry entry, long attempt, String reply);

  /**
   * Gives an attempt up that has failed: {@link IdempotencyRules#abandon}.
   *
   * @return whether it was in flight; false for one that was repeated, too
   */
  CompletionStage<Boolean> abandon(IdempotencyEntry entry, long attempt);

  /**
   * Deletes expired entries, of whatever namespace, those first that ended first. Nothing depends
   * on it but the space that they take.
   *
   * @param most how many at most, 1..{@link #MAX_PURGE}
   * @return how many; {@code most}: there may be more
   */
  CompletionStage<Integer> purge(int most);

  /** Ends the connection. Requests under way may fail. Closing twice does nothing. */
  @Override
  void close();

  /**
   * Refuses a number of entries that no purge deletes.
   *
   * @param most as for {@link #purge}
   */
  static void requirePurge(int most) {
    if (most < 1 || most > MAX_PURGE) {
      throw new IllegalArgumentException("most: " + most + " (expected: 1.." + MAX_PURGE + ")");
    }
  }
}
