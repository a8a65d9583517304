package dev.idgen.store;

import org.jspecify.annotations.Nullable;

/**
 * Tells, once each, that a tag has used 70, 85 and 95 % of its ids, and how long the rest lasts.
 * For one thread at a time.
 */
public final class NearEnd {
  private static final int[] PERCENT = {70, 85, 95};
  private static final double NANOS_PER_DAY = 86_400e9;

  private final SegmentTerms terms;
  private int told; // of PERCENT
  private boolean begun;
  private long firstLast; // the highest id when it was asked first, and when that was
  private long firstNanos;

  /** Nothing is told yet. */
  public NearEnd(SegmentTerms terms) {
    this.terms = terms;
  }

  /**
   * What is told.
   *
   * @param percent of the tag's ids that are used, 70, 85 or 95
   * @param daysLeft at the rate since this process began; -1: not known yet
   */
  public record Passed(int percent, long daysLeft) {}

  /**
   * The share that is passed for the first time; the highest, if there are several.
   *
   * @param last the highest id that was given
   * @param nowNanos monotonic time
   * @return null: none
   */
  public @Nullable Passed passedBy(long last, long nowNanos) {
    if (!begun) {
      begun = true;
      firstLast = last;
      firstNanos = nowNanos;
    }
    double span = (double) terms.maximum() - terms.start() + 1;
    double used = ((double) last - terms.start() + 1) / span * 100;
    int percent = 0;
    while (told < PERCENT.length && used >= PERCENT[told]) {
      percent = PERCENT[told];
      told++;
    }
    return percent == 0 ? null : new Passed(percent, daysLeft(last, nowNanos));
  }

  private long daysLeft(long last, long nowNanos) {
    double perNano = (double) (last - firstLast) / Math.max(1, nowNanos - firstNanos);
    return perNano <= 0 ? -1 : (long) ((terms.maximum() - last) / perNano / NANOS_PER_DAY);
  }
}
