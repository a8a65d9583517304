package dev.idgen.store;

import org.jspecify.annotations.Nullable;

/**
 * Decides every write of a tag: a pure function from what was read to what is answered and written.
 * Drivers ask it within one transaction, and write what a {@link TagReply.Written} carries.
 */
public final class TagRules {
  private TagRules() {}

  /**
   * Replaces a tag's row if it is at the version that the caller knows. The floor never falls: what
   * would lower it was made from a row of the same version that a failover has lost.
   *
   * @param current the row as it is; null: there is none
   * @param next what is to be there; its version and revision are not looked at
   * @param knownVersion of the row that {@code next} was made from; 0: there was none
   * @param revision the next one of the namespace
   */
  public static TagReply write(
      @Nullable TagRow current, TagRow next, long knownVersion, long revision) {
    long version = current == null ? 0 : current.version();
    boolean falls = current != null && next.floor() < current.floor();
    if (version != knownVersion || falls) {
      return new TagReply.Conflict(current);
    }
    return new TagReply.Written(next.written(version + 1, revision));
  }
}
