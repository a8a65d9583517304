package dev.idgen.server.engine;

import dev.idgen.IdBatch;
import dev.idgen.entropy.Entropy;
import dev.idgen.layout.Layout;
import dev.idgen.server.service.EngineHealth;
import dev.idgen.server.service.EngineKind;
import dev.idgen.server.service.NumberEngine;
import dev.idgen.snowflake.EngineOptions;
import dev.idgen.snowflake.EngineStatus;
import dev.idgen.snowflake.KeeperOptions;
import dev.idgen.snowflake.KeeperStatus;
import dev.idgen.snowflake.LeaseKeeper;
import dev.idgen.snowflake.SnowflakeEngine;
import dev.idgen.store.LeaseReply;
import dev.idgen.store.StoreException;
import dev.idgen.store.WorkerStore;
import dev.idgen.time.Scheduler;
import dev.idgen.time.TimeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The snowflake engine of a server with the keeper of its leases and their store. Comes up without
 * the store, says why it is not ready, and goes on as soon as the store can be used. Thread-safe.
 */
public final class SnowflakeRoom implements NumberEngine {
  private static final long READY_POLL_NANOS = 10_000_000;

  private final EngineOptions engineOptions;
  private final KeeperOptions keeperOptions;
  private final Opening<WorkerStore> opening;
  private final Lifecycle lifecycle;
  private final TimeSource time;
  private final String owner;
  private final Scheduler scheduler;
  private final Scheduler leases = Scheduler.daemon("idgen-leases");
  private final SnowflakeEngine engine;
  private final LayoutLife life;
  private final CompletableFuture<Void> ready = new CompletableFuture<>();

  private final LongAdder waits = new LongAdder();

  private volatile boolean held;
  private volatile boolean stopping;
  private volatile @Nullable LeaseKeeper keeper;

  /**
   * An engine that does nothing yet.
   *
   * @param owner names this process in the store
   * @param embedded whether the store shares this machine's clock
   */
  public SnowflakeRoom(
      EngineOptions engineOptions,
      KeeperOptions keeperOptions,
      Supplier<WorkerStore> opener,
      boolean embedded,
      TimeSource time,
      Lifecycle lifecycle,
      String owner) {
    this.engineOptions = engineOptions;
    this.keeperOptions = keeperOptions;
    this.opening = new Opening<>("store", opener, time, lifecycle::openFailed);
    this.lifecycle = lifecycle;
    this.owner = owner;
    this.time = time;
    this.scheduler = Scheduler.daemon("idgen-timers");
    this.engine = new SnowflakeEngine(engineOptions, time, scheduler, lifecycle, embedded);
    this.life = new LayoutLife(engineOptions.layout(), time, scheduler, lifecycle);
  }

  /** Begins to open the store, and tries until it can be used. */
  public void open() {
    opening.begin();
  }

  /**
   * Begins to claim, as soon as the store is open.
   *
   * @return completes when ids can be had for the first time; fails with a {@link
   *     dev.idgen.snowflake.StartException} when the store contradicts the settings
   */
  public CompletionStage<Void> start() {
    life.watch();
    var unused =
        opening
            .usable()
            .whenComplete(
                (opened, failure) -> {
                  if (failure == null) {
                    hold(opened);
                  } else {
                    fail(failure);
                  }
                });
    return ready;
  }

  /** What ends because the server was told to stop is no failure. */
  private void fail(Throwable failure) {
    if (!stopping) {
      ready.completeExceptionally(failure);
    }
  }

  private synchronized void hold(WorkerStore opened) {
    if (stopping) {
      return;
    }
    LeaseKeeper made =
        new LeaseKeeper(engine, opened, keeperOptions, owner, Entropy.operatingSystem(), leases);
    keeper = made;
    var unused =
        made.start()
            .whenComplete(
                (done, failure) -> {
                  if (failure != null) {
                    fail(failure);
                  } else {
                    held = true;
                    awaitFirstId();
                  }
                });
  }

  /** A lease may begin a little in the future: where the one before it ended. */
  private void awaitFirstId() {
    if (engine.status().ready()) {
      ready.complete(null);
    } else if (!stopping) {
      scheduler.schedule(READY_POLL_NANOS, this::awaitFirstId);
    }
  }

  @Override
  public EngineKind kind() {
    return EngineKind.SNOWFLAKE;
  }

  @Override
  public long waitNanos() {
    return TimeUnit.MILLISECONDS.toNanos(engineOptions.waitMs());
  }

  @Override
  public long tryNext() {
    return engine.tryNext();
  }

  @Override
  public CompletionStage<IdBatch> nextAsync(int count, long waitNanos) {
    CompletionStage<IdBatch> ids = engine.nextAsync(count, waitNanos);
    if (!ids.toCompletableFuture().isDone()) {
      waits.increment();
    }
    return ids;
  }

  /** Its time is not after now, as far as clocks may differ. */
  @Override
  public boolean mayHaveIssued(long id) {
    Layout layout = engineOptions.layout();
    long made = layout.startMillis(layout.tickOf(id));
    return made <= time.wallMillis() + engineOptions.maxSkewMs();
  }

  /** How many requests had to wait: the tick was used up, or the lease was being switched. */
  public long waits() {
    return waits.sum();
  }

  /** What the engine is able to do. */
  public EngineStatus status() {
    return engine.status();
  }

  /**
   * What the keeper of the leases holds.
   *
   * @return null: the store could not be opened yet
   */
  public @Nullable KeeperStatus keeperStatus() {
    LeaseKeeper keeping = keeper;
    return keeping == null ? null : keeping.status();
  }

  /**
   * Every worker id of the namespace that was ever claimed.
   *
   * @return fails with a {@link dev.idgen.store.StoreException}, at once while the store is not
   *     open
   */
  public CompletionStage<WorkerStore.Listing> workers() {
    WorkerStore store = opening.opened();
    return store == null
        ? CompletableFuture.failedFuture(notOpen())
        : store.list(keeperOptions.terms().namespace());
  }

  /**
   * Takes a worker id from its owner, who claims another one; it is free after its horizon and the
   * reuse delay.
   *
   * @return fails as {@link #workers}
   */
  public CompletionStage<LeaseReply> revoke(int workerId) {
    WorkerStore store = opening.opened();
    return store == null
        ? CompletableFuture.failedFuture(notOpen())
        : store.revoke(keeperOptions.terms(), workerId);
  }

  private StoreException notOpen() {
    return StoreException.refused(opening.problem());
  }

  /** How worker ids are claimed. */
  public KeeperOptions keeperOptions() {
    return keeperOptions;
  }

  @Override
  public EngineHealth health() {
    EngineStatus status = engine.status();
    List<String> reasons = new ArrayList<>(status.reasons());
    LeaseKeeper keeping = keeper;
    String problem = keeping == null ? opening.problem() : keeping.status().problem();
    if (!reasons.isEmpty() && !problem.isEmpty() && !reasons.contains(problem)) {
      reasons.add(problem);
    }
    return new EngineHealth(held, reasons);
  }

  /** The worker ids held now, ascending. */
  public List<Integer> workerIds() {
    return engine.status().workerIds();
  }

  /** How ids are taken. */
  EngineOptions options() {
    return engineOptions;
  }

  /** Issues nothing more. One tag that goes leaves it open: all snowflake tags share it. */
  public synchronized void end() {
    stopping = true;
    opening.stop();
    engine.close();
  }

  /**
   * Gives the lease back, after {@link #end}. Blocks.
   *
   * @param timeoutMs what the store does not take back by then comes free by itself
   */
  public void release(long timeoutMs) {
    LeaseKeeper keeping = keeper;
    if (keeping != null) {
      release(keeping, timeoutMs);
    }
    scheduler.close();
    leases.close();
  }

  private void release(LeaseKeeper keeping, long timeoutMs) {
    try {
      keeping.stop().toCompletableFuture().get(timeoutMs, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      lifecycle.renewFailed("release: no answer of the store within " + timeoutMs + " ms");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      lifecycle.renewFailed("release: " + e.getCause());
    }
  }

  /** Closes the store, on a thread of its own. */
  public CompletableFuture<Void> closeStore() {
    return opening.close();
  }
}
