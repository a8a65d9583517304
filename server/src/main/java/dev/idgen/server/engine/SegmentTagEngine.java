package dev.idgen.server.engine;

import dev.idgen.IdBatch;
import dev.idgen.segment.SegmentEngine;
import dev.idgen.segment.SegmentStatus;
import dev.idgen.server.service.EngineGauges;
import dev.idgen.server.service.EngineHealth;
import dev.idgen.server.service.EngineKind;
import dev.idgen.server.service.NumberEngine;
import java.util.concurrent.CompletionStage;

/** Segments of one tag. Thread-safe. */
final class SegmentTagEngine implements NumberEngine {
  private final SegmentEngine engine;
  private final RunLimit runs;
  private final FetchMeter meter;
  private final long waitNanos;

  SegmentTagEngine(SegmentEngine engine, RunLimit runs, FetchMeter meter, long waitNanos) {
    this.engine = engine;
    this.runs = runs;
    this.meter = meter;
    this.waitNanos = waitNanos;
  }

  @Override
  public EngineKind kind() {
    return EngineKind.SEGMENT;
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
  public void requireContiguous(int count) {
    runs.require(count);
  }

  @Override
  public CompletionStage<IdBatch> nextContiguous(int count, long waitNanos) {
    requireContiguous(count);
    return engine.nextContiguous(count, waitNanos);
  }

  @Override
  public long waitNanos() {
    return waitNanos;
  }

  /** A tag whose store is away says so to its callers; the server is well all the same. */
  @Override
  public EngineHealth health() {
    return EngineHealth.WELL;
  }

  @Override
  public EngineGauges gauges() {
    SegmentStatus status = engine.status();
    return new EngineGauges(
        status.held(), status.runwayMs(), meter.fetches(), meter.failures(), meter.passedOver());
  }

  @Override
  public void raiseTo(long floor) {
    engine.raiseTo(floor);
  }

  @Override
  public void close() {
    engine.close();
  }
}
