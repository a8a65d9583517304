package dev.idgen.server.main;

import dev.idgen.server.log.AuditLog;
import dev.idgen.server.log.Log;
import dev.idgen.snowflake.EngineEvents;
import dev.idgen.time.TimeSource;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Takes down what happens to the engine: leases and clock to the audit log, all of it to the log.
 * What is tried again and again is told when its cause changes, and else every few seconds.
 * Thread-safe.
 */
final class Lifecycle implements EngineEvents {
  private static final Log LOG = Log.of("engine");
  private static final long AGAIN_NANOS = 10_000_000_000L;

  /** How many different causes of one event are told within that time. */
  private static final int MAX_CAUSES = 5;

  private final AuditLog audit;
  private final TimeSource time;

  /** What was told last of each repeated event; as many as there are kinds. Guarded by this. */
  private final Map<String, Told> told = new HashMap<>();

  Lifecycle(AuditLog audit, TimeSource time) {
    this.audit = audit;
    this.time = time;
  }

  @Override
  public void clockRolledBack(long byMs) {
    audit.record("clock rolled back", "byMs", byMs);
    LOG.warn("clock rolled back", "byMs", byMs);
  }

  @Override
  public void clockLeapt(long byMs) {
    audit.record("clock leapt", "byMs", byMs);
    LOG.warn("clock leapt", "byMs", byMs);
  }

  @Override
  public void clockTrusted() {
    audit.record("clock trusted");
    LOG.info("clock trusted");
  }

  @Override
  public void leaseGained(int workerId, long generation) {
    audit.record("lease gained", "worker", workerId, "generation", generation);
    LOG.info("lease gained", "worker", workerId, "generation", generation);
  }

  @Override
  public void leaseLost(int workerId, long generation, String why) {
    audit.record("lease lost", "worker", workerId, "generation", generation, "why", why);
    LOG.warn("lease lost", "worker", workerId, "generation", generation, "why", why);
  }

  @Override
  public void leaseReleased(int workerId, long generation) {
    audit.record("lease released", "worker", workerId, "generation", generation);
    LOG.info("lease released", "worker", workerId, "generation", generation);
  }

  @Override
  public void claimFailed(String why) {
    warnSeldom("claim failed", why);
  }

  @Override
  public void renewFailed(String why) {
    warnSeldom("renewal failed", why);
  }

  /** The store could not be opened; it is tried again. */
  void openFailed(String why) {
    warnSeldom("store not usable", why);
  }

  /**
   * The layout's life is near its end: time to plan for another layout, years ahead.
   *
   * @param end no id after this
   */
  void layoutEnds(Instant end, long daysLeft) {
    audit.record("layout ends", "at", end.toString(), "daysLeft", daysLeft);
    LOG.warn("layout ends", "at", end.toString(), "daysLeft", daysLeft);
  }

  @Override
  public void storeClockJumped(long byMs) {
    audit.record("store clock jumped", "byMs", byMs);
    LOG.warn("store clock jumped", "byMs", byMs);
  }

  @Override
  public void clockApart(long byMs) {
    warnSeldom("clock apart from the store's", byMs + " ms");
  }

  private synchronized void warnSeldom(String event, String why) {
    long now = time.monotonicNanos();
    Told last = told.get(event);
    if (last == null || now - last.sinceNanos > AGAIN_NANOS) {
      last = new Told(now);
      told.put(event, last);
    }
    if (last.causes.size() < MAX_CAUSES && last.causes.add(why)) {
      LOG.warn(event, "why", why);
    }
  }

  /** The causes of one event that were told from a moment on. */
  private static final class Told {
    private final long sinceNanos;
    private final Set<String> causes = new HashSet<>(MAX_CAUSES);

    Told(long sinceNanos) {
      this.sinceNanos = sinceNanos;
    }
  }
}
