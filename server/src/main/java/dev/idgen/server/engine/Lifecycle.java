package dev.idgen.server.engine;

import dev.idgen.server.log.AuditLog;
import dev.idgen.server.log.Log;
import dev.idgen.snowflake.EngineEvents;
import dev.idgen.time.TimeSource;
import java.time.Instant;

/**
 * Takes down what happens to the engine: leases and clock to the audit log, all of it to the log.
 * What is tried again and again is told when its cause changes, and else every few seconds.
 * Thread-safe.
 */
public final class Lifecycle implements EngineEvents {
  private static final Log LOG = Log.of("engine");

  private final AuditLog audit;
  private final Seldom seldom;

  public Lifecycle(AuditLog audit, TimeSource time) {
    this.audit = audit;
    this.seldom = new Seldom(LOG, time);
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
    seldom.warn("claim failed", why);
  }

  @Override
  public void renewFailed(String why) {
    seldom.warn("renewal failed", why);
  }

  /** The store could not be opened; it is tried again. */
  void openFailed(String why) {
    seldom.warn("store not usable", why);
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
    seldom.warn("clock apart from the store's", byMs + " ms");
  }

  @Override
  public void storeChanged(String before, String now) {
    audit.record("store of leases changed", "before", before, "now", now);
    LOG.warn("store of leases changed", "before", before, "now", now);
  }
}
