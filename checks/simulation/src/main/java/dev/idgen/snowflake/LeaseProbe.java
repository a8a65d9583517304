package dev.idgen.snowflake;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Sees which cells an engine may issue in, each time it is asked. Not thread-safe. */
public final class LeaseProbe {
  private final SnowflakeEngine engine;
  private final Listener listener;
  private @Nullable Lease seen;
  private boolean ended;
  private long horizonTick;

  /** Hears what changed. */
  public interface Listener {
    /** The engine may issue in ticks {@code [fromTick, horizonTick)} of these worker ids. */
    void began(List<Integer> workerIds, long fromTick, long horizonTick);

    /** The latest lease now covers more. */
    void raised(long horizonTick);

    /** The latest lease issues nothing at or above this tick any more. */
    void ended(long endTick);
  }

  /** A probe of one engine. */
  public LeaseProbe(SnowflakeEngine engine, Listener listener) {
    this.engine = engine;
    this.listener = listener;
  }

  /** Compares with the last look. */
  public void look() {
    Lease now = engine.current();
    if (now != seen) {
      finish();
      begin(now);
    } else if (!ended && now.closed()) {
      finish();
    } else if (!ended && now.horizonTick() != horizonTick) {
      horizonTick = now.horizonTick();
      listener.raised(horizonTick);
    }
  }

  private void begin(Lease lease) {
    seen = lease;
    ended = lease.closed();
    horizonTick = lease.horizonTick();
    if (!ended) {
      listener.began(lease.workerIds(), lease.tickOf(lease.position()), horizonTick);
    }
  }

  private void finish() {
    Lease lease = seen;
    if (lease != null && !ended && lease.closed()) {
      ended = true;
      listener.ended(lease.close() + 1); // closed already: this only asks where
    }
  }
}
