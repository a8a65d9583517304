package dev.idgen.server.service;

import dev.idgen.store.TagRow;
import org.jspecify.annotations.Nullable;

/** What administrators do to tags, for the audit log. Must not block. */
public interface TagEvents {

  /** Listens to nothing. */
  TagEvents NONE = new TagEvents() {};

  /**
   * A tag was made or changed.
   *
   * @param before null: there was none, or it was removed
   * @param by who wanted it
   * @param forced whether its engine was changed under ids that may have been issued
   */
  default void tagWritten(TagRow after, @Nullable TagRow before, String by, boolean forced) {}

  /**
   * A tag was removed.
   *
   * @param by who wanted it
   */
  default void tagRemoved(TagRow tombstone, String by) {}

  /**
   * No later id of a tag is below its floor.
   *
   * @param by who wanted it
   */
  default void tagRaised(TagRow row, String by) {}

  /**
   * Hears of what may have been done: the store was asked, and its answer was lost. A row is at the
   * version that it had before.
   */
  default TagEvents unknown() {
    return this;
  }
}
