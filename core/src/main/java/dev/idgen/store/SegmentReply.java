package dev.idgen.store;

import org.jspecify.annotations.Nullable;

/** A store's answer about one tag. */
public sealed interface SegmentReply {

  /**
   * These ids are the caller's alone: {@code first}, {@code first + stride}, and so on.
   *
   * @param first the smallest, 0 or more
   * @param count how many, 1 or more; fewer than asked for at the end of the tag
   * @param stride distance between neighbours, 1 or more
   * @param skipped whether ids were left out, since acknowledged writes may have been lost
   * @param row after the write
   */
  record Granted(long first, long count, long stride, boolean skipped, SegmentRow row)
      implements SegmentReply {

    /** The largest id. */
    public long lastInclusive() {
      return first + (count - 1) * stride;
    }
  }

  /**
   * The row is as asked for.
   *
   * @param row null: there is none, and none was needed
   */
  record Changed(@Nullable SegmentRow row) implements SegmentReply {}

  /**
   * No, and nothing was written.
   *
   * @param reason which kind of no
   * @param message name, value, expected
   */
  record Refused(Reason reason, String message) implements SegmentReply {}

  /** Why a store said no. */
  enum Reason {
    /** The tag's maximum is reached. */
    EXHAUSTED,
    /** The tag was removed. */
    REMOVED
  }
}
