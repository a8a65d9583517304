package dev.idgen.server.service;

import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/** Counts the requests for ids, of all transports alike. Thread-safe; takes no lock. */
public final class RequestMeters {
  private final AtomicLongArray withoutTag = new AtomicLongArray(ServiceReason.values().length);
  private final Durations[] byKind = new Durations[EngineKind.values().length];

  /** Nothing yet. */
  public RequestMeters() {
    for (int i = 0; i < byKind.length; i++) {
      byKind[i] = new Durations();
    }
  }

  /** A request got its ids. */
  void served(Tag tag, long ids, long nanos) {
    tag.meter().served(ids);
    byKind[tag.engine().kind().ordinal()].add(nanos);
  }

  /**
   * A request was refused.
   *
   * @param tag null: it named none that there is
   */
  void refused(@Nullable Tag tag, ServiceReason reason) {
    if (tag == null) {
      withoutTag.incrementAndGet(reason.ordinal());
    } else {
      tag.meter().refused(reason);
    }
  }

  /** How many requests that named no tag that there is were refused for a reason. */
  public long withoutTag(ServiceReason reason) {
    return withoutTag.get(reason.ordinal());
  }

  /** How long requests of an engine took that got their ids. */
  public Durations durations(EngineKind kind) {
    return byKind[kind.ordinal()];
  }
}
