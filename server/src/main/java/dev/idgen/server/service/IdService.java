package dev.idgen.server.service;

import dev.idgen.IdBatch;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Issues ids for tags, within limits. The one thing that transports call. Thread-safe; nothing here
 * blocks the caller.
 *
 * <p>Only the tag {@link Tag#DEFAULT} exists.
 */
public final class IdService {
  private static final long RETRY_SOON_MS = 1000;

  private final Tag defaultTag;
  private final long waitNanos;
  private final int maxWaiting;
  private final CompletableFuture<Void> quiet = new CompletableFuture<>();

  /** Calls whose ids are not there yet: 0..maxWaiting. */
  private final AtomicInteger waiting = new AtomicInteger();

  /** Set once, before {@link #waiting} is read for the last time. */
  private volatile boolean draining;

  /**
   * A service over one engine.
   *
   * @param engine of the default tag
   * @param waitNanos how long a call may wait for its ids
   * @param maxWaiting how many calls may wait at a time
   */
  public IdService(TagEngine engine, long waitNanos, int maxWaiting) {
    this.defaultTag = new Tag(Tag.DEFAULT, engine);
    this.waitNanos = waitNanos;
    this.maxWaiting = maxWaiting;
  }

  /** The tag that a call without one means. */
  public Tag defaultTag() {
    return defaultTag;
  }

  /**
   * The tag of a name.
   *
   * @param name null: the default
   * @throws ServiceException the name cannot be one, or there is none
   */
  public Tag tag(@Nullable String name) {
    if (name == null || name.equals(Tag.DEFAULT)) {
      return defaultTag;
    }
    Tag.requireName(name);
    throw new ServiceException(
        ServiceReason.UNKNOWN_TAG, "tag: " + name + " (expected: " + Tag.DEFAULT + ")");
  }

  /**
   * Takes one id if it is to be had at once.
   *
   * @return the id, 0 or more; -1 if {@link #issue} must be asked
   */
  public long tryIssue(Tag tag) {
    return draining ? -1 : tag.engine().tryNext();
  }

  /**
   * Takes ids as soon as they are to be had.
   *
   * @param count 1 or more
   * @return fails with {@link ServiceException}; completes on the caller's thread or on a timer's
   */
  public CompletionStage<IdBatch> issue(Tag tag, int count) {
    if (waiting.incrementAndGet() > maxWaiting) {
      end();
      return CompletableFuture.failedFuture(overloaded());
    }
    if (draining) { // read after the count was raised: drain() sees either the call or its refusal
      end();
      return CompletableFuture.failedFuture(stopping());
    }
    return begin(tag, count)
        .handle(
            (batch, failure) -> {
              end();
              if (failure != null) {
                throw explained(tag, ServiceException.of(failure));
              }
              return batch;
            });
  }

  /** That there is no lease tells nobody what to do; what the store has answered does. */
  private static ServiceException explained(Tag tag, ServiceException refusal) {
    if (refusal.reason() != ServiceReason.NO_LEASE) {
      return refusal;
    }
    List<String> reasons = tag.engine().health().reasons();
    if (reasons.isEmpty()) {
      return refusal; // it came back in between
    }
    return new ServiceException(
        refusal.reason(), String.join("; ", reasons), refusal.retryAfterMs());
  }

  private CompletionStage<IdBatch> begin(Tag tag, int count) {
    try {
      return tag.engine().nextAsync(count, waitNanos);
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /** Whether ids can be had, and if not, why. */
  public EngineHealth health() {
    EngineHealth engine = defaultTag.engine().health();
    if (!draining) {
      return engine;
    }
    return new EngineHealth(engine.started(), List.of(stopping().detail()));
  }

  /**
   * Refuses new calls from now on.
   *
   * @return completes when no call waits any more
   */
  public CompletionStage<Void> drain() {
    draining = true;
    if (waiting.get() == 0) {
      quiet.complete(null);
    }
    return quiet;
  }

  private void end() {
    if (waiting.decrementAndGet() == 0 && draining) {
      quiet.complete(null);
    }
  }

  private ServiceException overloaded() {
    return new ServiceException(
        ServiceReason.OVERLOADED,
        "waiting requests: more than " + maxWaiting + " (expected: at most that many at a time)",
        RETRY_SOON_MS);
  }

  private static ServiceException stopping() {
    return new ServiceException(ServiceReason.DRAINING, "the server is stopping", RETRY_SOON_MS);
  }
}
