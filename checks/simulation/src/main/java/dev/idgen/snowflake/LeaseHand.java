package dev.idgen.snowflake;

import java.util.Arrays;

/** Gives an engine leases without a store, for checks of the engine alone. Not thread-safe. */
public final class LeaseHand {
  private final SnowflakeEngine engine;

  /** A hand for one engine. */
  public LeaseHand(SnowflakeEngine engine) {
    this.engine = engine;
  }

  /** Replaces the lease; the horizon is given as milliseconds since 1970. */
  public void give(int[] workerIds, long fromMillis, long horizonMillis) {
    int[] sorted = workerIds.clone();
    Arrays.sort(sorted);
    long from = Math.max(0, engine.layout().tickAt(fromMillis));
    engine.switchTo(sorted, from, engine.layout().tickAt(horizonMillis));
  }

  /** Raises the horizon of the present lease. */
  public void raise(long horizonMillis) {
    engine.current().raise(engine.layout().tickAt(horizonMillis));
  }

  /** Takes the lease away. */
  public void end() {
    engine.endLease();
  }

  /** A store whose clock reads this has answered. */
  public void confirm(long storeMillis) {
    engine.watch().confirm(storeMillis);
  }
}
