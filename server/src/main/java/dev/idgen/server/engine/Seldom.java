package dev.idgen.server.engine;

import dev.idgen.server.log.Log;
import dev.idgen.time.TimeSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Warns of what is tried again and again: when its cause changes, and else every few seconds.
 * Thread-safe.
 */
final class Seldom {
  private static final long AGAIN_NANOS = 10_000_000_000L;

  /** How many different causes of one event are told within that time. */
  private static final int MAX_CAUSES = 5;

  private final Log log;
  private final TimeSource time;

  /** What was told last of each event; as many as there are kinds. Guarded by this. */
  private final Map<String, Told> told = new HashMap<>();

  Seldom(Log log, TimeSource time) {
    this.log = log;
    this.time = time;
  }

  synchronized void warn(String event, String why) {
    long now = time.monotonicNanos();
    Told last = told.get(event);
    if (last == null || now - last.sinceNanos > AGAIN_NANOS) {
      last = new Told(now);
      told.put(event, last);
    }
    if (last.causes.size() < MAX_CAUSES && last.causes.add(why)) {
      log.warn(event, "why", why);
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
