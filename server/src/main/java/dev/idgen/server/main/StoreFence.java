package dev.idgen.server.main;

import dev.idgen.entropy.Entropy;
import dev.idgen.server.config.Config;
import dev.idgen.server.config.Settings;
import dev.idgen.server.config.StoreUrl;
import dev.idgen.server.log.AuditLog;
import dev.idgen.snowflake.Owners;
import dev.idgen.store.LeaseReply;
import dev.idgen.store.Refusal;
import dev.idgen.store.SegmentStore;
import dev.idgen.store.StoreException;
import dev.idgen.store.WorkerStore;
import dev.idgen.time.TimeSource;
import java.nio.file.Files;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletionException;

/**
 * Tells the stores that writes which they had acknowledged may be gone: after a backup was put in
 * place, or a former primary came back. Ids of tags begin above a gap. New claims rest until every
 * lease that may have been lost has ended.
 */
public final class StoreFence {
  private static final long AUDIT_MS = 5_000;

  private StoreFence() {}

  /**
   * What a fence did.
   *
   * @param number counts the fences of the namespace
   * @param floor claims begin no earlier
   * @param databases how many, of those that keep the marks of tags, were told
   */
  public record Raised(long number, Instant floor, int databases) {}

  /** The store says no. */
  public static final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final boolean unknownNamespace;

    RefusedException(LeaseReply.Refused refused) {
      this(refused.message(), refused.reason() == Refusal.LOST);
    }

    RefusedException(String message, boolean unknownNamespace) {
      super(message);
      this.unknownNamespace = unknownNamespace;
    }

    /** Whether there is no such namespace in the store. */
    public boolean unknownNamespace() {
      return unknownNamespace;
    }
  }

  /**
   * Raises the fence of the namespace that the settings name, durably, and writes it to the audit
   * log. Blocks.
   *
   * @throws RefusedException the namespace was never used, or the clocks differ
   * @throws StoreException the store cannot be used, or the outcome is unknown: repeat it
   */
  public static Raised raise(Config config) {
    TimeSource time = TimeSource.system();
    StoreUrl store = config.get(Settings.WORKERS_STORE);
    requireThere(store);
    StoreDrivers drivers = new StoreDrivers(config);
    int databases = fenceMarks(config, drivers);
    try (WorkerStore opened = drivers.workers(store)) {
      LeaseReply reply =
          opened
              .fence(Wiring.terms(config, Wiring.engine(config)), time.wallMillis())
              .toCompletableFuture()
              .join();
      Raised raised = raised(reply, databases);
      record(config, time, raised);
      return raised;
    } catch (CompletionException e) {
      throw e.getCause() instanceof StoreException cause ? cause : e;
    }
  }

  /** The marks first: who dies behind them has to repeat it, and leaves a gap more. */
  private static int fenceMarks(Config config, StoreDrivers drivers) {
    String namespace = config.get(Settings.NAMESPACE_NAME);
    List<StoreUrl> databases = Wiring.segmentStores(config);
    for (StoreUrl database : databases) {
      requireThere(database);
      try (SegmentStore marks = drivers.segments(database)) {
        marks.fence(namespace).toCompletableFuture().join();
      } catch (CompletionException e) {
        throw e.getCause() instanceof StoreException cause ? cause : e;
      }
    }
    return databases.size();
  }

  /** Opening would make what is missing. */
  private static void requireThere(StoreUrl store) {
    if (store.kind().embedded() && !Files.exists(store.path())) {
      throw new RefusedException(
          store + ": there is nothing (expected: a store that was used)", true);
    }
  }

  private static Raised raised(LeaseReply reply, int databases) {
    if (reply instanceof LeaseReply.Refused refused) {
      throw new RefusedException(refused);
    }
    if (reply instanceof LeaseReply.Fenced fenced) {
      return new Raised(
          fenced.namespace().fence(),
          Instant.ofEpochMilli(fenced.namespace().floorMillis()),
          databases);
    }
    throw new IllegalStateException("fence: " + reply + " (expected: Fenced or Refused)");
  }

  private static void record(Config config, TimeSource time, Raised raised) {
    AuditLog audit =
        new AuditLog(
            config.get(Settings.DATA).resolve("audit.log"),
            time,
            Owners.fresh(Entropy.operatingSystem()));
    audit.record(
        "fence raised",
        "namespace",
        config.get(Settings.NAMESPACE_NAME),
        "number",
        raised.number(),
        "floor",
        raised.floor().toString(),
        "databases",
        raised.databases());
    audit.close(AUDIT_MS);
  }
}
