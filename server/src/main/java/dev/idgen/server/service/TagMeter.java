package dev.idgen.server.service;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * Counts the requests of a tag. Small, since there may be many tags: what was never counted takes
 * no room. Thread-safe.
 */
public final class TagMeter {
  private static final AtomicLongFieldUpdater<TagMeter> SERVED =
      AtomicLongFieldUpdater.newUpdater(TagMeter.class, "served");
  private static final AtomicLongFieldUpdater<TagMeter> IDS =
      AtomicLongFieldUpdater.newUpdater(TagMeter.class, "ids");

  private volatile long served;
  private volatile long ids;
  private volatile @Nullable AtomicLongArray refused; // by reason

  /** A request got its ids. */
  void served(long count) {
    SERVED.incrementAndGet(this);
    IDS.addAndGet(this, count);
  }

  /** A request was refused. */
  void refused(ServiceReason reason) {
    AtomicLongArray known = refused;
    if (known == null) {
      synchronized (this) {
        known = refused;
        if (known == null) {
          known = new AtomicLongArray(ServiceReason.values().length);
          refused = known;
        }
      }
    }
    known.incrementAndGet(reason.ordinal());
  }

  /** How many requests got their ids. */
  public long served() {
    return served;
  }

  /** How many ids were issued. */
  public long ids() {
    return ids;
  }

  /** How many requests were refused for a reason. */
  public long refusedFor(ServiceReason reason) {
    AtomicLongArray known = refused;
    return known == null ? 0 : known.get(reason.ordinal());
  }
}
