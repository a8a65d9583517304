package dev.idgen.check.simulation;

import dev.idgen.IdBatch;
import dev.idgen.sequence.SequenceEngine;
import dev.idgen.sequence.SequenceEvents;
import dev.idgen.sequence.SequenceOptions;
import dev.idgen.store.SegmentTerms;
import dev.idgen.store.StoreBreaker;
import dev.idgen.time.Scheduler;
import java.util.concurrent.CompletionStage;

/** A real sequence engine; what it says that it was given goes to the judge. */
final class SequenceIssuer implements Issuer {
  private final World world;
  private final int process;
  private final SegmentTerms terms;
  private final TagLedger ledger;
  private final SequenceEngine engine;
  private long maxHeld = -1;

  SequenceIssuer(
      SegmentCluster cluster,
      SegmentProcess process,
      SegmentTag tag,
      SegmentLink link,
      StoreBreaker breaker,
      Scheduler scheduler) {
    this.world = cluster.world();
    this.process = process.number();
    this.terms = tag.terms().get(link.database());
    this.ledger = cluster.ledger(terms.tag());
    this.engine =
        new SequenceEngine(
            terms, options(tag), link, breaker, process.time(), scheduler, new Listener());
  }

  private static SequenceOptions options(SegmentTag tag) {
    return SequenceOptions.defaults()
        .withLimits(tag.options().maxRetry(), tag.options().waitMs(), tag.options().callMs())
        .withCritical(tag.options().critical());
  }

  /** Never at once: each call asks the store. */
  @Override
  public long tryNext() {
    return -1;
  }

  @Override
  public CompletionStage<IdBatch> nextAsync(int count, long waitNanos) {
    return engine.nextAsync(count, waitNanos);
  }

  @Override
  public boolean hasContiguous(int count) {
    return true;
  }

  @Override
  public CompletionStage<IdBatch> nextContiguous(int count, long waitNanos) {
    return engine.nextAsync(count, waitNanos);
  }

  @Override
  public void raiseTo(long floor) {
    engine.raiseTo(floor);
  }

  @Override
  public void close() {
    engine.close();
  }

  @Override
  public String toString() {
    return engine.status().toString();
  }

  private final class Listener implements SequenceEvents {
    @Override
    public void allocated(long first, long count, int callers, long nanos) {
      maxHeld = ledger.holds(terms.residue(), process, first, count, maxHeld);
    }

    @Override
    public void allocateFailed(String why) {
      world.note(process, "allocation failed: " + why, terms.residue(), 0);
    }
  }
}
