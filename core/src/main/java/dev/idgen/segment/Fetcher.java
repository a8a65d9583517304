package dev.idgen.segment;

import dev.idgen.IdException;
import dev.idgen.Reason;
import dev.idgen.store.NearEnd;
import dev.idgen.store.SegmentCall;
import dev.idgen.store.SegmentReply;
import dev.idgen.store.SegmentRequest;
import dev.idgen.store.SegmentStore;
import dev.idgen.store.SegmentTerms;
import dev.idgen.store.StoreBreaker;
import dev.idgen.store.StoreException;
import dev.idgen.time.Scheduler;
import dev.idgen.time.TimeSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Fetches segments for an engine, one fetch at a time: when enough is used up, or somebody waits.
 * What arrives goes to those in line, and the rest to the stock. A fetch whose answer is lost or
 * late is never used; the next one is tried after a pause, as long as the breaker lets it.
 *
 * <p>Thread-safe. Its state is guarded by the {@link Stock}; the store, those who waited and the
 * listeners are called without a lock.
 */
final class Fetcher {
  static final long RETRY_MS = 50;
  static final long MAX_RETRY_MS = 400;

  private static final long NANOS = 1_000_000;
  private static final long ENDED_NANOS = 1_000 * NANOS; // before an end is asked for again

  private final SegmentTerms terms;
  private final SegmentOptions options;
  private final SegmentStore store;
  private final StoreBreaker breaker;
  private final TimeSource time;
  private final Scheduler scheduler;
  private final SegmentEvents events;
  private final Stock stock;
  private final Line line;
  private final NearEnd nearEnd;

  // All below: guarded by the stock.
  private boolean fetching;
  private boolean retrying; // a timer will ask whether a fetch is wanted
  private long number; // of the last fetch: the answer of an earlier one is not heard
  private long highest = -1; // id that this engine was ever given
  private int failures; // in a row
  private String problem = "";
  private @Nullable IdException ended;
  private long endedNanos;

  Fetcher(
      SegmentTerms terms,
      SegmentOptions options,
      SegmentStore store,
      StoreBreaker breaker,
      TimeSource time,
      Scheduler scheduler,
      SegmentEvents events,
      Stock stock,
      Line line) {
    this.terms = terms;
    this.options = options;
    this.store = store;
    this.breaker = breaker;
    this.time = time;
    this.scheduler = scheduler;
    this.events = events;
    this.stock = stock;
    this.line = line;
    this.nearEnd = new NearEnd(terms);
  }

  // ---- why there are no ids; the caller holds the lock

  /** Why the store gave nothing the last time; empty: it did. */
  String problem() {
    return problem;
  }

  /** What the store says of this tag for good, if that is known freshly. */
  @Nullable IdException ended() {
    boolean fresh = ended != null && time.monotonicNanos() - endedNanos < ENDED_NANOS;
    return fresh ? ended : null;
  }

  IdException unavailable() {
    String why = problem.isEmpty() ? "the store rests after failures: " + breaker.why() : problem;
    return new IdException(
        Reason.STORE_UNAVAILABLE,
        "tag: " + terms.tag() + ": no ids left, and " + why,
        MAX_RETRY_MS);
  }

  // ---- asking

  /** One request to the store. */
  private record Fetch(long number, long count, long mark, long above, long beganNanos) {}

  /** Fetches if that is wanted, and nobody does already. Without a lock. */
  void wantMore() {
    Fetch next = null;
    List<Waiter> refused = List.of();
    IdException refusal = null;
    synchronized (stock) {
      if (wanted()) {
        long now = time.monotonicNanos();
        if (breaker.admits(now, options.critical())) {
          next = begin(now);
        } else {
          refused = line.clear();
          refusal = unavailable();
          retryLater(MAX_RETRY_MS);
        }
      }
    }
    if (refusal != null) {
      refuse(refused, refusal);
    }
    if (next != null) {
      send(next);
    }
  }

  private boolean wanted() {
    return !stock.isClosed() && !fetching && (!line.isEmpty() || stock.isLow());
  }

  private Fetch begin(long now) {
    fetching = true;
    number++;
    long most = options.stepMax();
    long count = Math.min(most, Math.max(stock.nextStep(), line.demand(most)));
    return new Fetch(number, count, highest, Math.max(highest, stock.floor() - 1), now);
  }

  private void send(Fetch asked) {
    SegmentCall.allocate(
        store,
        new SegmentRequest(terms, asked.count(), asked.mark(), asked.above()),
        options.callMs(),
        scheduler,
        new SegmentCall.Answer() {
          @Override
          public void granted(SegmentReply.Granted granted) {
            arrived(asked, granted);
          }

          @Override
          public void refused(IdException refusal) {
            Fetcher.this.refused(asked, refusal);
          }

          @Override
          public void failed(StoreException why) {
            Fetcher.this.failed(asked, why);
          }
        });
  }

  private void retryLater(long millis) {
    if (!retrying && !stock.isClosed()) {
      retrying = true;
      scheduler.schedule(millis * NANOS, this::retry);
    }
  }

  private void retry() {
    synchronized (stock) {
      retrying = false;
    }
    wantMore();
  }

  /** On a timer's thread: a store that answers at once would call in here again and again. */
  private void wantMoreSoon() {
    boolean wanted;
    synchronized (stock) {
      wanted = wanted();
    }
    if (wanted) {
      scheduler.schedule(0, this::wantMore);
    }
  }

  // ---- what comes of it

  private void arrived(Fetch asked, SegmentReply.Granted granted) {
    List<Waiter> served = new ArrayList<>();
    long now = time.monotonicNanos();
    NearEnd.Passed near = null;
    long below = 0;
    long passed = 0;
    boolean sound;
    synchronized (stock) {
      // what is held came before this was asked for: a late answer may know of more, and is
      // nobody's
      sound = granted.first() > asked.mark() && granted.stride() == terms.modulus();
      highest = Math.max(highest, granted.lastInclusive());
      if (isGivenUp(asked)) {
        return; // long since: a gap
      }
      if (sound) {
        fetching = false;
        failures = 0;
        problem = "";
        ended = null;
        Segment fresh = stock.segment(granted);
        below = fresh.skipTo(fresh.offsetOf(stock.floor()));
        passed = line.serve(fresh, stock, served);
        stock.add(fresh);
        near = nearEnd.passedBy(granted.lastInclusive(), now);
      }
    }
    if (!sound) {
      failed(
          asked,
          StoreException.unknown(
              "ids from " + granted.first() + " on (expected: above " + asked.mark() + ")"));
      return;
    }
    breaker.succeeded();
    served.forEach(Waiter::complete);
    wantMoreSoon();
    if (passed > 0) {
      events.passedOver(passed);
    }
    tell(granted, now - asked.beganNanos(), below, near); // last: whatever a listener does
  }

  private boolean isGivenUp(Fetch asked) {
    return stock.isClosed() || !fetching || asked.number() != number;
  }

  private void tell(
      SegmentReply.Granted granted, long nanos, long below, NearEnd.@Nullable Passed near) {
    events.fetched(granted.first(), granted.count(), nanos);
    if (granted.skipped()) {
      events.skipped(granted.first());
    }
    if (below > 0) {
      events.wasted(below);
    }
    if (near != null) {
      events.nearsItsEnd(near.percent(), near.daysLeft());
    }
  }

  private void failed(Fetch asked, StoreException failure) {
    String why = String.valueOf(failure.getMessage());
    List<Waiter> refused = List.of();
    IdException refusal = null;
    synchronized (stock) {
      if (!fetching || asked.number() != number) {
        return;
      }
      fetching = false;
      failures++;
      problem = why;
      if (failures > options.maxRetry()) {
        refused = line.clear();
        refusal = unavailable();
      }
      retryLater(Math.min(MAX_RETRY_MS, RETRY_MS << Math.min(failures - 1, 10)));
    }
    breaker.failed(failure, time.monotonicNanos());
    if (refusal != null) {
      refuse(refused, refusal);
    }
    events.fetchFailed(why);
  }

  private void refused(Fetch asked, IdException refusal) {
    List<Waiter> refused;
    synchronized (stock) {
      if (!fetching || asked.number() != number) {
        return;
      }
      fetching = false;
      ended = refusal;
      endedNanos = time.monotonicNanos();
      refused = line.clear();
    }
    breaker.succeeded();
    refuse(refused, refusal);
  }

  private static void refuse(List<Waiter> all, IdException refusal) {
    for (Waiter waiter : all) {
      waiter.refuse(refusal);
    }
  }
}
