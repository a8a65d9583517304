package dev.idgen.server.service;

import dev.idgen.store.TagRow;

/** Makes the engine of a tag. Thread-safe. */
@FunctionalInterface
public interface TagEngines {

  /**
   * The engine of a tag: one of its own, or one that tags share.
   *
   * @param kind what the row names
   * @throws IllegalArgumentException this server has none such: name, value, expected
   */
  TagEngine engine(TagRow row, EngineKind kind);

  /**
   * A tag cannot be served: its callers are refused.
   *
   * @param why name, value, expected
   */
  default void notServed(String tag, String why) {}
}
