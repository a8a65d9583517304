package dev.idgen.store;

import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what is set for each tag of a namespace.
 *
 * <p>Every write of a namespace gets the next revision, and nobody sees a revision before all lower
 * ones: who asks for what came after the last one that it saw misses nothing. A stage fails with a
 * {@link StoreException} and nothing else. A write whose answer was lost may have been made: the
 * version tells. Thread-safe. Nothing here blocks the caller.
 */
public interface TagStore extends AutoCloseable {

  /** The most rows of one answer. */
  int PAGE = 1000;

  /**
   * Reads one tag.
   *
   * @return a tombstone too; null: there never was one; fails with a permanent {@link
   *     StoreException} of that row alone where its row cannot be read
   */
  CompletionStage<@Nullable TagRow> read(String namespace, String tag);

  /**
   * Replaces a tag's row: {@link TagRules#write}. One that cannot be read is not replaced.
   *
   * @param knownVersion of the row that it was made from, a tombstone's too; 0: there was none
   */
  CompletionStage<TagReply> write(String namespace, TagRow next, long knownVersion);

  /**
   * Tells what was written after a revision. A row that cannot be read keeps none of the others
   * back.
   *
   * @param revision the last one that the caller saw; 0: everything
   */
  CompletionStage<TagChanges> changes(String namespace, long revision);

  /** Ends the connection. Requests under way may fail. Closing twice does nothing. */
  @Override
  void close();
}
