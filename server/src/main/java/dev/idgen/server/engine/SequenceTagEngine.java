package dev.idgen.server.engine;

import dev.idgen.IdBatch;
import dev.idgen.sequence.SequenceEngine;
import dev.idgen.server.service.EngineGauges;
import dev.idgen.server.service.EngineHealth;
import dev.idgen.server.service.EngineKind;
import dev.idgen.server.service.NumberEngine;
import java.util.concurrent.CompletionStage;

/** The sequence of one tag. Thread-safe. */
final class SequenceTagEngine implements NumberEngine {
  private final SequenceEngine engine;
  private final RunLimit runs;
  private final FetchMeter meter;
  private final long waitNanos;

  SequenceTagEngine(SequenceEngine engine, RunLimit runs, FetchMeter meter, long waitNanos) {
    this.engine = engine;
    this.runs = runs;
    this.meter = meter;
    this.waitNanos = waitNanos;
  }

  @Override
  public EngineKind kind() {
    return EngineKind.SEQUENCE;
  }

  /** Never: each call asks the store. */
  @Override
  public long tryNext() {
    return -1;
  }

  @Override
  public CompletionStage<IdBatch> nextAsync(int count, long waitNanos) {
    return engine.nextAsync(count, waitNanos);
  }

  /** What one caller gets follows one another anyway. */
  @Override
  public void requireContiguous(int count) {
    runs.require(count);
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

  /** It holds nothing: each call asks the store. */
  @Override
  public EngineGauges gauges() {
    return new EngineGauges(0, -1, meter.fetches(), meter.failures(), 0);
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
