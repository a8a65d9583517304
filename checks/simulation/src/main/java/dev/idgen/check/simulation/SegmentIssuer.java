package dev.idgen.check.simulation;

import dev.idgen.IdBatch;
import dev.idgen.segment.SegmentEngine;
import dev.idgen.segment.SegmentEvents;
import dev.idgen.store.SegmentTerms;
import dev.idgen.store.StoreBreaker;
import dev.idgen.time.Scheduler;
import java.util.concurrent.CompletionStage;

/** A real segment engine; what it says that it holds goes to the judge. */
final class SegmentIssuer implements Issuer {
  private final World world;
  private final int process;
  private final SegmentTerms terms;
  private final long stepMax;
  private final TagLedger ledger;
  private final SegmentEngine engine;
  private long maxHeld = -1;

  SegmentIssuer(
      SegmentCluster cluster,
      SegmentProcess process,
      SegmentTag tag,
      SegmentLink link,
      StoreBreaker breaker,
      Scheduler scheduler) {
    this.world = cluster.world();
    this.process = process.number();
    this.terms = tag.terms().get(link.database());
    this.stepMax = tag.options().stepMax();
    this.ledger = cluster.ledger(terms.tag());
    this.engine =
        new SegmentEngine(
            terms, tag.options(), link, breaker, process.time(), scheduler, new Listener());
  }

  @Override
  public long tryNext() {
    return engine.tryNext();
  }

  @Override
  public CompletionStage<IdBatch> nextAsync(int count, long waitNanos) {
    return engine.nextAsync(count, waitNanos);
  }

  @Override
  public boolean hasContiguous(int count) {
    return terms.modulus() == 1 && count <= stepMax;
  }

  @Override
  public CompletionStage<IdBatch> nextContiguous(int count, long waitNanos) {
    return engine.nextContiguous(count, waitNanos);
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

  private final class Listener implements SegmentEvents {
    @Override
    public void fetched(long first, long count, long nanos) {
      maxHeld = ledger.holds(terms.residue(), process, first, count, maxHeld);
    }

    @Override
    public void fetchFailed(String why) {
      world.note(process, "fetch failed: " + why, terms.residue(), 0);
    }

    @Override
    public void passedOver(long ids) {
      world.note(process, "passed over", ids, 0);
    }

    @Override
    public void wasted(long ids) {
      world.note(process, "wasted", ids, 0);
    }
  }
}
