package dev.idgen.snowflake;

import dev.idgen.IdBatch;
import dev.idgen.IdGenerator;
import dev.idgen.LeaseException;
import dev.idgen.entropy.Entropy;
import dev.idgen.layout.Layout;
import dev.idgen.store.LeaseTerms;
import dev.idgen.store.WorkerStore;
import dev.idgen.store.file.FileWorkerStore;
import dev.idgen.time.Scheduler;
import dev.idgen.time.TimeSource;
import java.nio.file.Path;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Time-based ids for an application, in one line: an engine, the keeper of its worker id, and the
 * store they share. Thread-safe. Keep one for the life of the process.
 */
public final class Snowflake implements IdGenerator {
  private static final long START_WAIT_MS = 10_000;
  private static final long STOP_WAIT_MS = 5_000;
  private static final long READY_PAUSE_NANOS = 5_000_000;
  private static final long FILE_WINDOW_MS = 2_000;
  private static final int RENEWALS_PER_WINDOW = 6;

  private final SnowflakeEngine engine;
  private final LeaseKeeper keeper;
  private final WorkerStore store;
  private final Scheduler timers;
  private final Scheduler leases;

  private Snowflake(
      SnowflakeEngine engine,
      LeaseKeeper keeper,
      WorkerStore store,
      Scheduler timers,
      Scheduler leases) {
    this.engine = engine;
    this.keeper = keeper;
    this.store = store;
    this.timers = timers;
    this.leases = leases;
  }

  /**
   * Ids under a worker id that is leased from a store, on the usual terms.
   *
   * @param store closed with the generator
   * @throws LeaseException no worker id within 10 s: the message says what the store answered
   * @throws StartException the store's namespace has another layout
   */
  public static Snowflake leased(WorkerStore store) {
    EngineOptions options = EngineOptions.defaults();
    return leased(
        store, options, KeeperOptions.leased(options, "default", store.embedded()), START_WAIT_MS);
  }

  /**
   * Ids under a fixed worker id, with nothing but a local file.
   *
   * <p>The file remembers how far ids may have been issued, so that a restart goes on above,
   * whatever the clock reads by then. One process at a time may have it. What it cannot know:
   * whether another machine was given the same worker id (that is the caller's promise), and that
   * it was deleted or put back from a backup.
   *
   * @param workerId 0..1023; there is no default
   * @param stateFile made if it is missing; beside it lies its lock
   * @throws IllegalArgumentException the worker id does not fit the layout
   * @throws dev.idgen.store.StoreException another process has the file, or it is damaged: the
   *     message says what to do
   * @throws LeaseException the clock is behind what was issued before: the message says how far
   */
  public static Snowflake fixed(int workerId, Path stateFile) {
    return fixed(workerId, stateFile, EngineOptions.defaults());
  }

  /**
   * Ids under a fixed worker id, with nothing but a local file, taken as the options say.
   *
   * @param workerId 0..layout maximum
   * @param stateFile made if it is missing; beside it lies its lock
   * @param options how ids are taken
   * @throws IllegalArgumentException the worker id does not fit the layout
   * @throws dev.idgen.store.StoreException another process has the file, or it is damaged: the
   *     message says what to do
   * @throws LeaseException the clock is behind what was issued before: the message says how far
   */
  public static Snowflake fixed(int workerId, Path stateFile, EngineOptions options) {
    LeaseTerms terms =
        new LeaseTerms(
            "default",
            options.layout().describe(),
            FILE_WINDOW_MS,
            2 * options.maxSkewMs(),
            options.maxSkewMs());
    KeeperOptions keeping =
        KeeperOptions.leased(options, "default", true)
            .withTerms(terms, FILE_WINDOW_MS / RENEWALS_PER_WINDOW)
            .withFixed(workerId, options.layout().maxWorker());
    return leased(FileWorkerStore.openFile(stateFile), options, keeping, START_WAIT_MS);
  }

  /**
   * Ids under leased worker ids.
   *
   * @param store closed with the generator, and when this fails
   * @param options how ids are taken
   * @param terms which worker ids, on what terms
   * @param startWaitMs how long to wait for them
   * @throws LeaseException none within that time: the message says what the store answered
   * @throws StartException the store contradicts the options
   */
  public static Snowflake leased(
      WorkerStore store, EngineOptions options, KeeperOptions terms, long startWaitMs) {
    return leased(store, options, terms, startWaitMs, EngineEvents.NONE);
  }

  /**
   * Ids under leased worker ids, told about.
   *
   * @param store closed with the generator, and when this fails
   * @param options how ids are taken
   * @param terms which worker ids, on what terms
   * @param startWaitMs how long to wait until ids are issued
   * @param events told about clock and leases
   * @throws LeaseException not within that time: the message says what is missing
   * @throws StartException the store contradicts the options
   */
  public static Snowflake leased(
      WorkerStore store,
      EngineOptions options,
      KeeperOptions terms,
      long startWaitMs,
      EngineEvents events) {
    TimeSource time = TimeSource.system();
    Scheduler timers = Scheduler.daemon("idgen-timers");
    Scheduler leases = Scheduler.daemon("idgen-leases");
    Snowflake ids;
    boolean made = false;
    try {
      options.layout().checkedForStart(time.wallMillis());
      Entropy entropy = Entropy.operatingSystem();
      SnowflakeEngine engine = new SnowflakeEngine(options, time, timers, events, store.embedded());
      LeaseKeeper keeper =
          new LeaseKeeper(engine, store, terms, Owners.fresh(entropy), entropy, leases);
      ids = new Snowflake(engine, keeper, store, timers, leases);
      made = true;
    } finally {
      if (!made) {
        timers.close();
        leases.close();
        store.close();
      }
    }
    ids.start(startWaitMs);
    return ids;
  }

  private void start(long waitMs) {
    boolean held = false;
    try {
      long deadline = engine.time().monotonicNanos() + waitMs * 1_000_000;
      await(keeper.start(), waitMs);
      awaitReady(deadline, waitMs);
      held = true;
    } catch (TimeoutException e) {
      throw notStarted("worker id: none", keeper.status().problem(), waitMs);
    } finally {
      if (!held) {
        close();
      }
    }
  }

  /** After a crash the lease begins where the former one could have ended: a moment from now. */
  private void awaitReady(long deadlineNanos, long waitMs) {
    TimeSource time = engine.time();
    EngineStatus status = engine.status();
    while (!status.ready()) {
      if (time.monotonicNanos() >= deadlineNanos) {
        throw notStarted("ids: none", String.join("; ", status.reasons()), waitMs);
      }
      if (Thread.currentThread().isInterrupted()) {
        throw new IllegalStateException("wait: interrupted (expected: a lease that has begun)");
      }
      time.pause(READY_PAUSE_NANOS);
      status = engine.status();
    }
  }

  private static LeaseException notStarted(String what, String why, long waitMs) {
    return new LeaseException(what + " within " + waitMs + " ms: " + why, waitMs);
  }

  @Override
  public long next() {
    return engine.next();
  }

  @Override
  public void fill(long[] into) {
    engine.fill(into);
  }

  @Override
  public IdBatch nextBatch(int count) {
    return engine.nextBatch(count);
  }

  /** Bits, tick and epoch of the ids. */
  public Layout layout() {
    return engine.layout();
  }

  /** The engine: status, and taking without blocking. */
  public SnowflakeEngine engine() {
    return engine;
  }

  /** What is held, and what is wrong. */
  public KeeperStatus leaseStatus() {
    return keeper.status();
  }

  /** Gives the worker id back, waiting at most 5 s for the store, and closes the store. */
  @Override
  public void close() {
    engine.close();
    try {
      await(keeper.stop(), STOP_WAIT_MS);
    } catch (TimeoutException e) {
      // The store did not take it back in time: the worker id comes free by itself, after its
      // horizon.
      engine.events().renewFailed("release: no answer within " + STOP_WAIT_MS + " ms");
    } finally {
      timers.close();
      leases.close();
      store.close();
    }
  }

  private static void await(CompletionStage<Void> stage, long millis) throws TimeoutException {
    try {
      stage.toCompletableFuture().get(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("wait: interrupted (expected: an answer of the store)", e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new IllegalStateException(e.getCause());
    }
  }
}
