package dev.idgen.server.http;

import dev.idgen.IdBatch;
import dev.idgen.IdException;
import dev.idgen.IdRun;
import dev.idgen.Reason;
import dev.idgen.layout.Layout;
import dev.idgen.layout.Layouts;
import dev.idgen.server.service.EngineHealth;
import dev.idgen.server.service.EngineKind;
import dev.idgen.server.service.NumberEngine;
import dev.idgen.store.TagRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** An engine that does as a test says: counts up, refuses, or keeps callers waiting. */
public final class FakeEngine implements NumberEngine {
  public static final Layout LAYOUT = Layouts.IDGEN;
  public static final long FIRST = LAYOUT.encode(92_000_000_123L, 7, 0);

  public final AtomicLong next = new AtomicLong(FIRST);
  private final BlockingQueue<CompletableFuture<IdBatch>> held = new LinkedBlockingQueue<>();
  public volatile boolean hold;
  public volatile @Nullable IdException refusal;
  public volatile @Nullable RuntimeException fault;
  public volatile EngineHealth health = new EngineHealth(true, List.of());
  public volatile int runLength = 4096;

  @Override
  public EngineKind kind() {
    return EngineKind.SNOWFLAKE;
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
    if (hold) {
      CompletableFuture<IdBatch> later = new CompletableFuture<>();
      held.add(later);
      return later;
    }
    return CompletableFuture.completedFuture(batch(count));
  }

  /** The next call that is kept waiting. */
  public CompletableFuture<IdBatch> heldCall() throws InterruptedException {
    CompletableFuture<IdBatch> call = held.poll(20, TimeUnit.SECONDS);
    if (call == null) {
      throw new IllegalStateException("no call came");
    }
    return call;
  }

  public IdBatch batch(int count) {
    List<IdRun> runs = new ArrayList<>();
    for (int left = count; left > 0; left -= runLength) {
      int length = Math.min(left, runLength);
      runs.add(new IdRun(next.getAndAdd(length), length, 1));
    }
    return new IdBatch(runs);
  }

  /** The engine of a tag: this one, under the name that the tag gives. */
  public NumberEngine of(TagRow row) {
    EngineKind named = Objects.requireNonNull(EngineKind.of(row.engine()));
    return named == EngineKind.SNOWFLAKE ? this : new Named(named);
  }

  private final class Named implements NumberEngine {
    private final EngineKind kind;

    @Override
    public CompletionStage<IdBatch> nextContiguous(int count, long waitNanos) {
      long first = next.getAndAdd(count);
      return CompletableFuture.completedFuture(new IdBatch(List.of(new IdRun(first, count, 1))));
    }

    Named(EngineKind kind) {
      this.kind = kind;
    }

    @Override
    public EngineKind kind() {
      return kind;
    }

    @Override
    public long tryNext() {
      return kind == EngineKind.SEQUENCE ? -1 : FakeEngine.this.tryNext();
    }

    @Override
    public CompletionStage<IdBatch> nextAsync(int count, long waitNanos) {
      return FakeEngine.this.nextAsync(count, waitNanos);
    }

    @Override
    public long waitNanos() {
      return FakeEngine.this.waitNanos();
    }

    @Override
    public EngineHealth health() {
      return health;
    }
  }

  public void refuse(Reason reason, String message, long retryAfterMs) {
    refusal = new IdException(reason, message, retryAfterMs);
  }

  @Override
  public EngineHealth health() {
    return health;
  }
}
