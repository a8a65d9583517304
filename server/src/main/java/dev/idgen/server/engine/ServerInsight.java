package dev.idgen.server.engine;

import dev.idgen.server.log.AuditLog;
import dev.idgen.server.service.ServerAdmin;
import dev.idgen.server.service.ServiceException;
import dev.idgen.server.service.ServiceReason;
import dev.idgen.snowflake.EngineStatus;
import dev.idgen.snowflake.KeeperOptions;
import dev.idgen.snowflake.KeeperStatus;
import dev.idgen.store.LeaseReply;
import dev.idgen.store.WorkerRow;
import dev.idgen.store.WorkerStore;
import dev.idgen.time.TimeSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Shows the leases of a namespace, this server's clock and its audit log. Thread-safe. */
public final class ServerInsight implements ServerAdmin {
  private static final long LISTING_NANOS = TimeUnit.SECONDS.toNanos(15);

  /** They share a thread with those who write. */
  private static final int MAX_READERS = 8;

  private static final long RETRY_MS = 1000;

  private final SnowflakeRoom room;
  private final AuditLog audit;
  private final TimeSource time;
  private final AtomicInteger readers =
      new AtomicInteger(); // 0..MAX_READERS, for longer than a moment
  private final AtomicBoolean asking = new AtomicBoolean();

  private volatile int used = -1;
  private volatile long askedNanos;
  private volatile boolean asked;

  public ServerInsight(SnowflakeRoom room, AuditLog audit, TimeSource time) {
    this.room = room;
    this.audit = audit;
    this.time = time;
  }

  @Override
  public CompletionStage<WorkerStore.Listing> workers() {
    return room.workers().handle(ServerInsight::answered);
  }

  private static <T> T answered(@Nullable T value, @Nullable Throwable failure) {
    if (value != null) {
      return value;
    }
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    String why = cause == null ? "no answer" : String.valueOf(cause.getMessage());
    throw new ServiceException(ServiceReason.STORE_UNAVAILABLE, why, RETRY_MS);
  }

  @Override
  public long reuseDelayMs() {
    return room.keeperOptions().terms().reuseDelayMs();
  }

  @Override
  public CompletionStage<WorkerRow> release(int workerId, String by) {
    return room.revoke(workerId)
        .handle(ServerInsight::answered)
        .thenApply(reply -> released(workerId, by, reply));
  }

  private WorkerRow released(int workerId, String by, LeaseReply reply) {
    if (reply instanceof LeaseReply.Granted granted) {
      audit.record("worker id taken away", "worker", workerId, "by", by);
      return granted.row();
    }
    String why =
        reply instanceof LeaseReply.Refused refused ? refused.message() : "worker: " + workerId;
    throw new ServiceException(ServiceReason.INVALID_ID, why);
  }

  @Override
  public ClockState clock() {
    EngineStatus engine = room.status();
    KeeperStatus keeper = room.keeperStatus();
    return new ClockState(
        time.wallMillis(),
        keeper == null ? 0 : keeper.offsetMs(),
        room.options().maxSkewMs(),
        engine.rollbacks(),
        engine.leaps(),
        engine.horizonMillis(),
        engine.workerIds(),
        room.options().layout().end().toEpochMilli(),
        engine.reasons());
  }

  @Override
  public CompletionStage<AuditPage> audit(long before, int limit) {
    if (readers.incrementAndGet() > MAX_READERS) {
      readers.decrementAndGet();
      return CompletableFuture.failedFuture(
          new ServiceException(
              ServiceReason.OVERLOADED,
              "audit log: read by " + MAX_READERS + " others (expected: fewer at a time)",
              RETRY_MS));
    }
    return audit
        .page(before, limit)
        .whenComplete((page, failure) -> readers.decrementAndGet())
        .thenApply(page -> new AuditPage(page.lines(), page.next()));
  }

  /**
   * How many worker ids are not free, as the store said some seconds ago.
   *
   * @return -1: not known yet
   */
  public int workersUsed() {
    long now = time.monotonicNanos();
    if ((!asked || now - askedNanos > LISTING_NANOS) && asking.compareAndSet(false, true)) {
      asked = true;
      askedNanos = now;
      var unused =
          room.workers()
              .whenComplete(
                  (listing, failure) -> {
                    used = failure == null ? used(listing) : -1;
                    asking.set(false);
                  });
    }
    return used;
  }

  private int used(WorkerStore.Listing listing) {
    long now = listing.storeMillis();
    return (int)
        listing.workers().stream()
            .filter(row -> row.owner() != null && row.horizonMillis() + reuseDelayMs() > now)
            .count();
  }

  /** How many worker ids this server may claim. */
  public int workersSize() {
    KeeperOptions options = room.keeperOptions();
    return options.lastWorkerId() - options.firstWorkerId() + 1;
  }
}
