package dev.idgen.server.service;

import dev.idgen.IdBatch;
import dev.idgen.store.TagRow;
import dev.idgen.store.UnreadTag;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Stands for the engine of a tag that this server cannot serve: a server of a newer version, or
 * with other settings, has made it, or its row cannot be read. Issues nothing, and says why. A
 * value.
 *
 * @param tag its name
 * @param why name, value, expected
 * @param unread whether its row cannot be read
 */
record UnservedEngine(String tag, String why, boolean unread) implements NumberEngine {

  /** Of a tag whose settings this server does not have. */
  UnservedEngine(String tag, String why) {
    this(tag, why, false);
  }

  /** Of a tag whose row cannot be read. */
  UnservedEngine(UnreadTag tag) {
    this(tag.tag(), tag.why(), true);
  }

  /** What is taken for set where nothing could ever be read. */
  static TagRow rowOf(String tag) {
    return new TagRow(
        tag, "unread", "", "", 0, 0, 1, 1, 1, false, 0, 0, "", "", 0, 0, 0, false, 0, 0);
  }

  /** What any call for the tag is told. */
  ServiceException refusal() {
    return new ServiceException(
        ServiceReason.ENGINE_MISMATCH, "tag: " + tag + ": this server cannot serve it: " + why);
  }

  /**
   * Which engine it would be says nothing of what is here.
   *
   * @throws ServiceException always
   */
  @Override
  public EngineKind kind() {
    throw refusal();
  }

  @Override
  public long tryNext() {
    return -1;
  }

  @Override
  public CompletionStage<IdBatch> nextAsync(int count, long waitNanos) {
    return CompletableFuture.failedFuture(refusal());
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
