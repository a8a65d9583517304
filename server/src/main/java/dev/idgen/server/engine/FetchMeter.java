package dev.idgen.server.engine;

import dev.idgen.server.service.Durations;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;

/** Counts what one tag asked of its store. Small, since there may be many tags. Thread-safe. */
final class FetchMeter {
  private static final AtomicLongFieldUpdater<FetchMeter> FETCHES =
      AtomicLongFieldUpdater.newUpdater(FetchMeter.class, "fetches");
  private static final AtomicLongFieldUpdater<FetchMeter> FAILURES =
      AtomicLongFieldUpdater.newUpdater(FetchMeter.class, "failures");

  private static final AtomicLongFieldUpdater<FetchMeter> PASSED =
      AtomicLongFieldUpdater.newUpdater(FetchMeter.class, "passedOver");

  private final Durations durations;
  private volatile long fetches;
  private volatile long failures;
  private volatile long passedOver;

  /**
   * Nothing yet.
   *
   * @param durations of the fetches of all tags
   */
  FetchMeter(Durations durations) {
    this.durations = durations;
  }

  void fetched(long nanos) {
    FETCHES.incrementAndGet(this);
    durations.add(nanos);
  }

  void failed() {
    FAILURES.incrementAndGet(this);
  }

  void passedOver(long ids) {
    PASSED.addAndGet(this, ids);
  }

  long passedOver() {
    return passedOver;
  }

  long fetches() {
    return fetches;
  }

  long failures() {
    return failures;
  }
}
