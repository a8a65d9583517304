package dev.idgen.store;

import org.jspecify.annotations.Nullable;

/**
 * Decides every operation on the high-water mark of a tag: pure functions from what was read to
 * what is answered and written. Drivers ask them within one transaction.
 *
 * <p>The mark is durable before an id below it is used (I1). It is raised above three things: what
 * the row says, the floor that an administrator set, and the highest id that the caller knows of.
 */
public final class SegmentRules {
  private SegmentRules() {}

  /**
   * Gives ids to the caller: {@code new = max(mark, floor, the caller's highest) + count}.
   *
   * <p>Where acknowledged writes may be gone, since the store's identity or fence has changed or
   * the caller knows of a higher id, a gap is left out first: other callers may have been given
   * what the store has forgotten. A row that is missing on a store that was failed over or fenced
   * may have been forgotten too.
   */
  public static SegmentDecision allocate(SegmentSnapshot s, SegmentRequest r) {
    SegmentTerms terms = r.terms();
    SegmentRow row = s.row();
    if (row != null && row.removed()) {
      return refused(SegmentReply.Reason.REMOVED, terms, "was removed (expected: a tag in use)");
    }
    boolean lost = s.lossy() || r.mark() > (row == null ? -1 : row.maxId());
    long used = usedUpTo(row, r);
    long from = aligned(lost ? plus(used, gap(terms)) : used, terms);
    if (from < 0 || from > terms.maximum()) {
      return refused(
          SegmentReply.Reason.EXHAUSTED,
          terms,
          "ended at " + terms.maximum() + " (expected: ids left)");
    }
    long more = Math.min(r.count() - 1, (terms.maximum() - from) / terms.modulus()); // than one
    long last = from + more * terms.modulus();
    SegmentRow next =
        new SegmentRow(
            last, row == null ? 0 : row.floor(), s.identity(), s.fence(), versionAfter(row), false);
    return new SegmentDecision(
        new SegmentReply.Granted(from, more + 1, terms.modulus(), lost, next), next);
  }

  /** The highest id that may be used already; -1: none. */
  private static long usedUpTo(@Nullable SegmentRow row, SegmentRequest r) {
    long used = Math.max(r.terms().start() - 1, r.above());
    return row == null ? used : Math.max(used, Math.max(row.maxId(), row.floor() - 1));
  }

  /** The first id above {@code used} that is this database's; negative: there is none. */
  private static long aligned(long used, SegmentTerms terms) {
    if (used == Long.MAX_VALUE) {
      return -1;
    }
    long first = used + 1;
    long past = Math.floorMod(first - terms.residue(), (long) terms.modulus());
    return past == 0 ? first : plusOrNone(first, terms.modulus() - past);
  }

  private static long plusOrNone(long a, long b) {
    return a > Long.MAX_VALUE - b ? -1 : a + b;
  }

  /** How far the gap reaches: its ids are a modulus apart. */
  private static long gap(SegmentTerms terms) {
    return terms.gap() > Long.MAX_VALUE / terms.modulus()
        ? Long.MAX_VALUE
        : terms.gap() * terms.modulus();
  }

  private static long plus(long a, long b) {
    return a > Long.MAX_VALUE - b ? Long.MAX_VALUE : a + b;
  }

  /**
   * Keeps every later id at or above a floor. One that is not above what there is changes nothing.
   *
   * @param floor no later id is below, 0 or more
   */
  public static SegmentDecision raise(SegmentSnapshot s, SegmentTerms terms, long floor) {
    SegmentRow row = s.row();
    if (row != null && row.removed()) {
      return refused(SegmentReply.Reason.REMOVED, terms, "was removed (expected: a tag in use)");
    }
    if (row != null && floor <= row.floor()) {
      return new SegmentDecision(new SegmentReply.Changed(row), null);
    }
    SegmentRow next = row == null ? fresh(s, terms, floor) : raised(row, floor);
    return new SegmentDecision(new SegmentReply.Changed(next), next);
  }

  private static SegmentRow raised(SegmentRow row, long floor) {
    return new SegmentRow(
        row.maxId(), floor, row.identity(), row.fence(), row.version() + 1, row.removed());
  }

  /** The row of a tag that was never used, or was forgotten. */
  private static SegmentRow fresh(SegmentSnapshot s, SegmentTerms terms, long floor) {
    long used = terms.start() - 1;
    return new SegmentRow(
        s.lossy() ? plus(used, gap(terms)) : used, floor, s.identity(), s.fence(), 1, false);
  }

  /**
   * Leaves a tombstone, which keeps the mark; of a tag that was never used, too: a process that has
   * not heard of the removal must not begin with it.
   */
  public static SegmentDecision remove(SegmentSnapshot s, SegmentTerms terms) {
    SegmentRow row = s.row();
    if (row != null && row.removed()) {
      return new SegmentDecision(new SegmentReply.Changed(row), null);
    }
    SegmentRow last = row == null ? unused(s, terms) : row;
    SegmentRow next =
        new SegmentRow(
            last.maxId(), last.floor(), last.identity(), last.fence(), last.version() + 1, true);
    return new SegmentDecision(new SegmentReply.Changed(next), next);
  }

  /** Nothing was given, as far as the store knows: made again, it may start lower. */
  private static SegmentRow unused(SegmentSnapshot s, SegmentTerms terms) {
    long mark = s.lossy() ? plus(terms.start() - 1, gap(terms)) : -1;
    return new SegmentRow(mark, 0, s.identity(), s.fence(), 0, false);
  }

  /** Takes a tombstone away: the tag goes on above its mark. */
  public static SegmentDecision revive(SegmentSnapshot s) {
    SegmentRow row = s.row();
    if (row == null || !row.removed()) {
      return new SegmentDecision(new SegmentReply.Changed(row), null);
    }
    SegmentRow next =
        new SegmentRow(
            row.maxId(), row.floor(), row.identity(), row.fence(), row.version() + 1, false);
    return new SegmentDecision(new SegmentReply.Changed(next), next);
  }

  private static long versionAfter(@Nullable SegmentRow row) {
    return row == null ? 1 : row.version() + 1;
  }

  private static SegmentDecision refused(
      SegmentReply.Reason reason, SegmentTerms terms, String state) {
    return new SegmentDecision(
        new SegmentReply.Refused(reason, "tag: " + terms.tag() + ": " + state), null);
  }
}
