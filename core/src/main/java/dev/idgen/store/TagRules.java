package dev.idgen.store;

import org.jspecify.annotations.Nullable;

/**
 * Decides every write of a tag: a pure function from what was read to what is answered and written.
 * Drivers ask it within one transaction, and write what a {@link TagReply.Written} carries.
 */
public final class TagRules {
  private TagRules() {}

  /**
   * Replaces a tag's row if it is at the version that the caller knows. The floor never falls.
   *
   * @param current the row as it is; null: there is none
   * @param next what is to be there; its version and revision are not looked at
   * @param knownVersion of the row that {@code next} was made from; 0: there was none
   * @param revision the next one of the namespace
   */
  public static TagReply write(
      @Nullable TagRow current, TagRow next, long knownVersion, long revision) {
    long version = current == null ? 0 : current.version();
    if (version != knownVersion) {
      return new TagReply.Conflict(current);
    }
    if (current != null && next.floor() < current.floor()) {
      throw new IllegalArgumentException(
          "floor: " + next.floor() + " (expected: >= " + current.floor() + ", it only rises)");
    }
    return new TagReply.Written(next.written(version + 1, revision));
  }
}
