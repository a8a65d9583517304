package dev.idgen.server.resp;

import dev.idgen.IdBatch;
import dev.idgen.IdException;
import dev.idgen.IdRun;
import dev.idgen.Reason;
import dev.idgen.server.service.EngineHealth;
import dev.idgen.server.service.EngineKind;
import dev.idgen.server.service.NumberEngine;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** An engine that does as a test says: counts up, refuses, fails, or keeps callers waiting. */
final class TestEngine implements NumberEngine {
  final AtomicLong next = new AtomicLong(1);
  private final EngineKind kind;
  private final BlockingQueue<Held> held = new LinkedBlockingQueue<>();
  volatile boolean hold;
  volatile @Nullable IdException refusal;
  volatile @Nullable RuntimeException fault;

  /** A call that is kept waiting. */
  record Held(int count, CompletableFuture<IdBatch> answer) {}

  TestEngine(EngineKind kind) {
    this.kind = kind;
  }

  @Override
  public EngineKind kind() {
    return kind;
  }

  @Override
  public long waitNanos() {
    return 1_000_000_000;
  }

  @Override
  public long tryNext() {
    RuntimeException broken = fault;
    if (broken != null) {
      throw broken;
    }
    return hold || refusal != null ? -1 : next.getAndIncrement();
  }

  @Override
  public CompletionStage<IdBatch> nextAsync(int count, long waitNanos) {
    IdException refused = refusal;
    if (refused != null) {
      return CompletableFuture.failedFuture(refused);
    }
    if (!hold) {
      return CompletableFuture.completedFuture(batch(count));
    }
    Held call = new Held(count, new CompletableFuture<>());
    held.add(call);
    return call.answer;
  }

  @Override
  public CompletionStage<IdBatch> nextContiguous(int count, long waitNanos) {
    return kind.marked()
        ? nextAsync(count, waitNanos)
        : NumberEngine.super.nextContiguous(count, waitNanos);
  }

  IdBatch batch(int count) {
    return new IdBatch(List.of(new IdRun(next.getAndAdd(count), count, 1)));
  }

  /** The next call that is kept waiting. */
  Held heldCall() {
    try {
      Held call = held.poll(20, TimeUnit.SECONDS);
      if (call == null) {
        throw new IllegalStateException("no call came");
      }
      return call;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** How many are kept waiting. */
  int heldCalls() {
    return held.size();
  }

  void answer(Held call) {
    call.answer.complete(batch(call.count));
  }

  void refuse(Reason reason, String message, long retryAfterMs) {
    refusal = new IdException(reason, message, retryAfterMs);
  }

  @Override
  public EngineHealth health() {
    return new EngineHealth(true, List.of());
  }
}
