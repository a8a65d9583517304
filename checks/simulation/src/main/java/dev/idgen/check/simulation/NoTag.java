package dev.idgen.check.simulation;

import dev.idgen.IdBatch;
import dev.idgen.IdException;
import dev.idgen.Reason;
import dev.idgen.server.service.EngineHealth;
import dev.idgen.server.service.EngineKind;
import dev.idgen.server.service.NumberEngine;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The engine of tags that nobody asks here. */
final class NoTag implements NumberEngine {
  @Override
  public EngineKind kind() {
    return EngineKind.SNOWFLAKE;
  }

  @Override
  public long tryNext() {
    return -1;
  }

  @Override
  public CompletionStage<IdBatch> nextAsync(int count, long waitNanos) {
    return CompletableFuture.failedFuture(
        new IdException(Reason.NO_LEASE, "engine: none (expected: segments)", 0));
  }

  @Override
  public long waitNanos() {
    return 0;
  }

  @Override
  public EngineHealth health() {
    return EngineHealth.WELL;
  }
}
