package dev.idgen.store;

/** Tells, once each, that a tag has used 70, 85 and 95 % of its ids. For one thread at a time. */
public final class NearEnd {
  private static final int[] PERCENT = {70, 85, 95};

  private final SegmentTerms terms;
  private int told; // of PERCENT

  /** Nothing is told yet. */
  public NearEnd(SegmentTerms terms) {
    this.terms = terms;
  }

  /**
   * The share that is passed for the first time.
   *
   * @param last the highest id that was given
   * @return the highest of those passed now; 0: none
   */
  public int passedBy(long last) {
    double span = (double) terms.maximum() - terms.start() + 1;
    double used = ((double) last - terms.start() + 1) / span * 100;
    int percent = 0;
    while (told < PERCENT.length && used >= PERCENT[told]) {
      percent = PERCENT[told];
      told++;
    }
    return percent;
  }
}
