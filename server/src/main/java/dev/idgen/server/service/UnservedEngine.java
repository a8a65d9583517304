package dev.idgen.server.service;

import dev.idgen.IdBatch;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Stands for the engine of a tag that this server cannot serve: a server of a newer version, or
 * with other settings, has made it. Issues nothing, and says why. Immutable.
 */
final class UnservedEngine implements NumberEngine {
  private final String tag;
  private final String why;

  /**
   * An engine that refuses.
   *
   * @param why name, value, expected
   */
  UnservedEngine(String tag, String why) {
    this.tag = tag;
    this.why = why;
  }

  @Override
  public EngineKind kind() {
    throw new IllegalStateException("tag: " + tag + ": " + why);
  }

  @Override
  public long tryNext() {
    return -1;
  }

  @Override
  public CompletionStage<IdBatch> nextAsync(int count, long waitNanos) {
    return CompletableFuture.failedFuture(
        new ServiceException(
            ServiceReason.ENGINE_MISMATCH,
            "tag: " + tag + ": this server cannot serve it: " + why));
  }

  @Override
  public long waitNanos() {
    return 0;
  }

  /** One tag of others is no reason to send callers elsewhere. */
  @Override
  public EngineHealth health() {
    return EngineHealth.WELL;
  }
}
