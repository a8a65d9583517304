package dev.idgen.server.service;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Counts the requests for ids, of all transports alike. Thread-safe; takes no lock. */
public final class RequestMeters {
  private static final int TIMED_OF = 16;

  private final Map<ServiceReason, LongAdder> withoutTag = new EnumMap<>(ServiceReason.class);
  private final Map<EngineKind, Durations> byKind = new EnumMap<>(EngineKind.class);

  /** Nothing yet. */
  public RequestMeters() {
    for (EngineKind kind : EngineKind.values()) {
      byKind.put(kind, new Durations());
    }
    for (ServiceReason reason : ServiceReason.values()) {
      withoutTag.put(reason, new LongAdder());
    }
  }

  /** A request got its ids. */
  void served(Tag tag, long ids, long nanos) {
    tag.meter().served(ids);
    durations(tag.engine().kind()).add(nanos);
  }

  /**
   * Whether the next request of a tag is to be timed if it is served at once: one of sixteen, since
   * looking at the clock twice takes longer than the request.
   */
  boolean timesNext(Tag tag) {
    return tag.meter().served() % TIMED_OF == 0;
  }

  /** A request got its one id at once, and was timed. */
  void servedAtOnceIn(Tag tag, long nanos) {
    tag.meter().served(1);
    durations(tag.engine().kind()).addFor(nanos, TIMED_OF);
  }

  /** The same, and was not timed. */
  void servedAtOnce(Tag tag) {
    tag.meter().served(1);
    durations(tag.engine().kind()).addShort();
  }

  /** Ids were issued that their caller did not wait for; the request is refused beside. */
  void issuedInVain(Tag tag, long ids) {
    tag.meter().issuedInVain(ids);
  }

  /**
   * A request was refused.
   *
   * @param tag null: it named none that there is
   */
  void refused(@Nullable Tag tag, ServiceReason reason) {
    if (tag == null) {
      adder(reason).increment();
    } else {
      tag.meter().refused(reason);
    }
  }

  /** How many requests that named no tag that there is were refused for a reason. */
  public long withoutTag(ServiceReason reason) {
    return adder(reason).sum();
  }

  /** How long requests of an engine took that got their ids. */
  public Durations durations(EngineKind kind) {
    return Objects.requireNonNull(byKind.get(kind));
  }

  private LongAdder adder(ServiceReason reason) {
    return Objects.requireNonNull(withoutTag.get(reason));
  }
}
