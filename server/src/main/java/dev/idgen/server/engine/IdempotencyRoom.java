package dev.idgen.server.engine;

import dev.idgen.server.log.Log;
import dev.idgen.store.IdempotencyEntry;
import dev.idgen.store.IdempotencyReply;
import dev.idgen.store.IdempotencyRequest;
import dev.idgen.store.IdempotencyStore;
import dev.idgen.store.StoreException;
import dev.idgen.time.Scheduler;
import dev.idgen.time.TimeSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The store of idempotency keys, opened when the first key comes: most servers never see one. Has
 * what has expired deleted, little by little. Thread-safe.
 */
public final class IdempotencyRoom implements IdempotencyStore {
  private static final long OPEN_NANOS = 2_000_000_000L;
  private static final long PURGE_NANOS = 60_000_000_000L;
  private static final int PURGED_AT_ONCE = 500;

  private final String kind;
  private final Opening<IdempotencyStore> opening;
  private final Scheduler scheduler = Scheduler.daemon("idgen-keys");
  private final Seldom seldom;
  private final AtomicBoolean begun = new AtomicBoolean();

  /**
   * A room that opens nothing yet.
   *
   * @param opener may block
   */
  public IdempotencyRoom(String kind, Supplier<IdempotencyStore> opener, TimeSource time) {
    this.kind = kind;
    this.seldom = new Seldom(Log.of("keys"), time);
    this.opening = new Opening<>("keys", opener, time, this::notOpened);
  }

  private void notOpened(String why) {
    seldom.warn("idempotency keys not reached", why);
  }

  @Override
  public String kind() {
    return kind;
  }

  @Override
  public CompletionStage<IdempotencyReply> begin(IdempotencyRequest request) {
    return when(store -> store.begin(request));
  }

  @Override
  public CompletionStage<Finish> finish(IdempotencyEntry entry, long attempt, String reply) {
    return when(store -> store.finish(entry, attempt, reply));
  }

  @Override
  public CompletionStage<Boolean> abandon(IdempotencyEntry entry, long attempt) {
    return when(store -> store.abandon(entry, attempt));
  }

  @Override
  public CompletionStage<Integer> purge(int most) {
    return when(store -> store.purge(most));
  }

  private <T> CompletionStage<T> when(Function<IdempotencyStore, CompletionStage<T>> call) {
    if (begun.compareAndSet(false, true)) {
      opening.begin();
      scheduler.schedule(PURGE_NANOS, this::purge);
    }
    return opening.usable().isDone()
        ? opening.usable().thenCompose(call)
        : opened().thenCompose(call);
  }

  /** For a limited time: a store that is away has its callers come back later. */
  private CompletableFuture<IdempotencyStore> opened() {
    CompletableFuture<IdempotencyStore> wait = new CompletableFuture<>();
    Scheduler.Timer limit =
        scheduler.schedule(
            OPEN_NANOS,
            () -> wait.completeExceptionally(StoreException.refused(opening.problem())));
    var unused =
        opening
            .usable()
            .whenComplete(
                (store, failure) -> {
                  limit.cancel();
                  if (failure == null) {
                    wait.complete(store);
                  } else {
                    wait.completeExceptionally(failure);
                  }
                });
    return wait;
  }

  private void purge() {
    var unused =
        purge(PURGED_AT_ONCE)
            .whenComplete(
                (deleted, failure) -> {
                  if (failure != null) {
                    seldom.warn("expired keys not deleted", String.valueOf(failure.getMessage()));
                  }
                  boolean more = failure == null && deleted == PURGED_AT_ONCE;
                  scheduler.schedule(more ? 0 : PURGE_NANOS, this::purge);
                });
  }

  /** Opens it no more, and has no more deleted. */
  public void end() {
    opening.stop();
    scheduler.close();
  }

  /** Closes the store, on a thread of its own, after {@link #end}. */
  public CompletableFuture<Void> closeStore() {
    return opening.close();
  }

  @Override
  public void close() {
    end();
    var unused = closeStore();
  }
}
