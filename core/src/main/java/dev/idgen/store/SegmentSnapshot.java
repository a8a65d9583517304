package dev.idgen.store;

import org.jspecify.annotations.Nullable;

/**
 * What a driver read for one operation on a tag, in one transaction.
 *
 * @param identity which store answers
 * @param fence how often acknowledged writes were declared lost, see {@link NamespaceRow#fence}
 * @param firstIdentity which store the namespace began on
 * @param row the tag's; null: there is none
 */
public record SegmentSnapshot(
    String identity, long fence, String firstIdentity, @Nullable SegmentRow row) {

  /** Whether acknowledged writes may be gone that the row, or its absence, does not show. */
  boolean lossy() {
    return row == null
        ? fence > 0 || !identity.equals(firstIdentity)
        : row.fence() != fence || !row.identity().equals(identity);
  }
}
