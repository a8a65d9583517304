package dev.idgen.server.engine;

import dev.idgen.layout.Layout;
import dev.idgen.time.Scheduler;
import dev.idgen.time.TimeSource;
import java.time.Duration;
import java.time.Instant;

/**
 * Warns when the layout's life is near its end, at the start and each day from then on: ids of
 * another layout take years to introduce.
 */
final class LayoutLife {
  /** How long before the end the warnings begin. */
  static final Duration WARN_BEFORE = Duration.ofDays(5 * 365);

  private static final long DAY_NANOS = Duration.ofDays(1).toNanos();

  private final Layout layout;
  private final TimeSource time;
  private final Scheduler scheduler;
  private final Lifecycle lifecycle;

  LayoutLife(Layout layout, TimeSource time, Scheduler scheduler, Lifecycle lifecycle) {
    this.layout = layout;
    this.time = time;
    this.scheduler = scheduler;
    this.lifecycle = lifecycle;
  }

  /** Looks now, and each day. Ends with the scheduler. */
  void watch() {
    Instant end = layout.end();
    Duration left = Duration.between(Instant.ofEpochMilli(time.wallMillis()), end);
    if (left.compareTo(WARN_BEFORE) < 0) {
      lifecycle.layoutEnds(end, left.toDays());
    }
    scheduler.schedule(DAY_NANOS, this::watch);
  }
}
