package dev.idgen.server.service;

import dev.idgen.store.TagRow;

/** Makes the engine of a tag. Thread-safe. */
@FunctionalInterface
public interface TagEngines {

  /**
   * The engine of a tag: one of its own, or one that tags share.
   *
   * @throws IllegalArgumentException the row names none that this server has: name, value, expected
   */
  TagEngine engine(TagRow row);

  /**
   * A tag cannot be served: its callers are refused.
   *
   * @param why name, value, expected
   */
  default void notServed(TagRow row, String why) {}
}
