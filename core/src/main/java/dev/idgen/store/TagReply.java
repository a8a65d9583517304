package dev.idgen.store;

import org.jspecify.annotations.Nullable;

/** A store's answer to a write of a tag. */
public sealed interface TagReply {

  /** Written, and durable. */
  record Written(TagRow row) implements TagReply {}

  /**
   * Not written: the tag is at another version than the caller knows.
   *
   * @param row as it is; null: there is none
   */
  record Conflict(@Nullable TagRow row) implements TagReply {}
}
