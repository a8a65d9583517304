package dev.idgen.server.service;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Counts the requests of a tag. Small, since there may be many tags: what was never counted takes
 * no room. Thread-safe.
 */
public final class TagMeter {
  private static final AtomicLongFieldUpdater<TagMeter> SERVED =
      AtomicLongFieldUpdater.newUpdater(TagMeter.class, "served");
  private static final AtomicLongFieldUpdater<TagMeter> MORE =
      AtomicLongFieldUpdater.newUpdater(TagMeter.class, "more");

  private volatile long served;
  private volatile long more; // ids beyond one for each request; may be negative
  private volatile @Nullable Map<ServiceReason, LongAdder> refused; // null: none ever was

  /** A request got its ids. */
  void served(long count) {
    SERVED.incrementAndGet(this);
    if (count != 1) {
      MORE.addAndGet(this, count - 1);
    }
  }

  /** Ids were issued, and no request got them. */
  void issuedInVain(long count) {
    MORE.addAndGet(this, count);
  }

  /** A request was refused. */
  void refused(ServiceReason reason) {
    refusals().computeIfAbsent(reason, first -> new LongAdder()).increment();
  }

  private Map<ServiceReason, LongAdder> refusals() {
    Map<ServiceReason, LongAdder> known = refused;
    return known != null ? known : firstRefusals();
  }

  private synchronized Map<ServiceReason, LongAdder> firstRefusals() {
    Map<ServiceReason, LongAdder> known = refused;
    if (known == null) {
      known = new ConcurrentHashMap<>();
      refused = known;
    }
    return known;
  }

  /** How many requests got their ids. */
  public long served() {
    return served;
  }

  /** How many ids were issued. */
  public long ids() {
    return served + more;
  }

  /** How many requests were refused for a reason. */
  public long refusedFor(ServiceReason reason) {
    Map<ServiceReason, LongAdder> known = refused;
    LongAdder count = known == null ? null : known.get(reason);
    return count == null ? 0 : count.sum();
  }
}
