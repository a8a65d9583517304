package dev.idgen.server.service;

import dev.idgen.IdBatch;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Stands for the engine of a tag that this server cannot serve, though another one may: of a newer
 * version, or with other settings. Refuses every call. Thread-safe.
 */
final class UnservedEngine implements TagEngine {
  private final String why;

  UnservedEngine(String why) {
    this.why = why;
  }

  /** Nobody sees it, since no id is ever issued. */
  @Override
  public EngineKind kind() {
    return EngineKind.SEGMENT;
  }

  @Override
  public long tryNext() {
    return -1;
  }

  @Override
  public CompletionStage<IdBatch> nextAsync(int count, long waitNanos) {
    return CompletableFuture.failedFuture(new ServiceException(ServiceReason.ENGINE_MISMATCH, why));
  }

  @Override
  public long waitNanos() {
    return 0;
  }

  @Override
  public EngineHealth health() {
    return new EngineHealth(true, List.of());
  }
}
