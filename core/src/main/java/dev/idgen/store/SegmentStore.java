package dev.idgen.store;

import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the high-water marks of tags, in a store where an acknowledged conditional write stays.
 *
 * <p>Each operation is one transaction: read the {@link SegmentRow} of a tag, ask {@link
 * SegmentRules}, write the {@link SegmentDecision} on the condition that the row is still as it was
 * read, answer once that is durable. A stage fails with a {@link StoreException} and nothing else.
 * A caller that does not hear the answer asks again and leaves a gap behind: what a lost answer
 * gave is never used. Thread-safe. Nothing here blocks the caller.
 */
public interface SegmentStore extends AutoCloseable {

  /** Which kind of store this is, for logs: {@code sqlite}, {@code postgres} and so on. */
  String kind();

  /** Raises a tag's mark and gives what lies below to the caller: {@link SegmentRules#allocate}. */
  CompletionStage<SegmentReply> allocate(SegmentRequest request);

  /**
   * Keeps every later id of a tag above a bound, by an administrator: {@link SegmentRules#raise}.
   *
   * @param floor no later id is below
   */
  CompletionStage<SegmentReply> raise(SegmentTerms terms, long floor);

  /** Leaves a tombstone, and every later allocation is refused: {@link SegmentRules#remove}. */
  CompletionStage<SegmentReply> remove(SegmentTerms terms);

  /** Takes the tombstone away, if there is one: {@link SegmentRules#revive}. */
  CompletionStage<SegmentReply> revive(SegmentTerms terms);

  /**
   * The same for a tag of which nobody has heard before: it has a tombstone only where the row of
   * the tag itself was lost.
   */
  default CompletionStage<SegmentReply> begin(SegmentTerms terms) {
    return revive(terms);
  }

  /**
   * Declares that acknowledged writes may be gone: the next allocation of each tag leaves a gap
   * out. Each call does so again. For the marks of this database alone; leases have a fence of
   * their own.
   *
   * @return how often that was declared
   */
  CompletionStage<Long> fence(String namespace);

  /**
   * Remembers which of several databases this one is for a namespace, at the first call. It is
   * never changed here: with another one, ids that were given would be given again.
   *
   * @param ifNew what it is if nobody has said so before; not heard where the namespace has marks:
   *     those were given by one database alone
   * @return what it is
   */
  CompletionStage<Residue> residue(String namespace, Residue ifNew);

  /**
   * Reads the row of a tag.
   *
   * @return null: there is none
   */
  CompletionStage<@Nullable SegmentRow> read(String namespace, String tag);

  /** Ends the connection. Requests under way may fail. Closing twice does nothing. */
  @Override
  void close();
}
