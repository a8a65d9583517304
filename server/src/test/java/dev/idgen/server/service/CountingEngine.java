package dev.idgen.server.service;

import dev.idgen.IdBatch;
import dev.idgen.IdException;
import dev.idgen.IdRun;
import dev.idgen.Reason;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** An engine that counts up from a number, and remembers what it was told. For one thread. */
final class CountingEngine implements NumberEngine {
  final EngineKind kind;
  long next;
  long floor;
  boolean closed;
  Runnable meanwhile = () -> {}; // done while a request is on its way to it

  CountingEngine(EngineKind kind, long first) {
    this.kind = kind;
    this.next = first;
  }

  @Override
  public EngineKind kind() {
    return kind;
  }

  @Override
  public long tryNext() {
    return closed ? -1 : next++;
  }

  @Override
  public CompletionStage<IdBatch> nextAsync(int count, long waitNanos) {
    meanwhile.run();
    if (closed) {
      return CompletableFuture.failedFuture(new IdException(Reason.DRAINING, "closed", 0));
    }
    next += count;
    return CompletableFuture.completedFuture(
        new IdBatch(List.of(new IdRun(next - count, count, 1))));
  }

  @Override
  public long waitNanos() {
    return 1_000_000;
  }

  @Override
  public EngineHealth health() {
    return new EngineHealth(true, List.of());
  }

  @Override
  public void raiseTo(long to) {
    floor = Math.max(floor, to);
  }

  @Override
  public void close() {
    closed = true;
  }
}
