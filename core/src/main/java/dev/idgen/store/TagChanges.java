package dev.idgen.store;

import java.util.List;

/**
 * Tags that were written after a revision. A value; immutable.
 *
 * @param identity which store answers: another one than before, or a head below what the caller has
 *     seen, means that it has lost writes, and all is to be read again from revision 0
 * @param head the latest revision of the namespace; 0: nothing was ever written
 * @param rows in the order of their revisions, each tag once, tombstones too
 * @param unread tags of whose rows the same would be told if they could be read; those of an
 *     unknown revision are told whenever rows are looked at
 * @param complete whether there are no more; if not, go on after the last of them
 */
public record TagChanges(
    String identity, long head, List<TagRow> rows, List<UnreadTag> unread, boolean complete) {

  /** Copies the lists. */
  public TagChanges {
    rows = List.copyOf(rows);
    unread = List.copyOf(unread);
  }

  /** Changes that can all be read. */
  public TagChanges(String identity, long head, List<TagRow> rows, boolean complete) {
    this(identity, head, rows, List.of(), complete);
  }
}
