package dev.idgen.server.service;

import dev.idgen.IdBatch;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Issues ids for tags, within limits. The one thing that transports call. Thread-safe; nothing here
 * blocks the caller.
 */
public final class IdService {
  private static final long RETRY_SOON_MS = 1000;

  private final TagDirectory tags;
  private final Supplier<EngineHealth> health;
  private final int maxWaiting;
  private final CompletableFuture<Void> quiet = new CompletableFuture<>();

  /** Calls whose ids are not there yet: 0..maxWaiting. */
  private final AtomicInteger waiting = new AtomicInteger();

  /** Set once, before {@link #waiting} is read for the last time. */
  private volatile boolean draining;

  /**
   * A service over the tags that there are.
   *
   * @param health whether the server can issue ids, beside its being told to stop
   * @param maxWaiting how many calls may wait at a time
   */
  public IdService(TagDirectory tags, Supplier<EngineHealth> health, int maxWaiting) {
    this.tags = tags;
    this.health = health;
    this.maxWaiting = maxWaiting;
  }

  /**
   * The tag of a name.
   *
   * @param name null: the default
   * @throws ServiceException the name cannot be one, there is none, or that is not known yet
   */
  public Tag tag(@Nullable String name) {
    return tags.find(name);
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

  /** An engine may be replaced while a call is on its way to it: then the next one is asked. */
  private CompletionStage<IdBatch> begin(Tag tag, int count) {
    return attempt(tag, count)
        .handle(
            (batch, failure) -> {
              if (failure == null) {
                return CompletableFuture.completedFuture(batch);
              }
              Tag now = wasReplaced(failure) ? tags.find(tag.name()) : tag;
              return now.engine() == tag.engine()
                  ? CompletableFuture.<IdBatch>failedFuture(failure)
                  : attempt(now, count).toCompletableFuture();
            })
        .thenCompose(stage -> stage);
  }

  private boolean wasReplaced(Throwable failure) {
    return !draining && ServiceException.of(failure).reason() == ServiceReason.DRAINING;
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

  private static CompletionStage<IdBatch> attempt(Tag tag, int count) {
    try {
      return tag.engine().nextAsync(count, tag.engine().waitNanos());
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /** Whether ids can be had, and if not, why. */
  public EngineHealth health() {
    EngineHealth server = health.get();
    if (!draining) {
      return server;
    }
    return new EngineHealth(server.started(), List.of(stopping().detail()));
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
