package dev.idgen.sequence;

import dev.idgen.DeadlineException;
import dev.idgen.ExhaustedException;
import dev.idgen.IdBatch;
import dev.idgen.IdException;
import dev.idgen.IdGenerator;
import dev.idgen.IdRun;
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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Issues the ids of one tag in the order of real time, over all processes: whoever asks after
 * another one was answered gets a higher id, wherever both asked. Thread-safe; one per tag and
 * process.
 *
 * <p>A caller's ids are allocated in the store between its request and its reply. One call to the
 * store is under way at a time; those who come meanwhile share the next one, in the order of their
 * coming. Nothing is kept for later: what a lost or late answer gave, or nobody waits for any more,
 * is a gap.
 */
public final class SequenceEngine implements IdGenerator {
  private static final long NANOS = 1_000_000;
  private static final long RETRY_MS = 20;
  private static final long MAX_RETRY_MS = 400;

  private final SegmentTerms terms;
  private final SequenceOptions options;
  private final SegmentStore store;
  private final StoreBreaker breaker;
  private final TimeSource time;
  private final Scheduler scheduler;
  private final SequenceEvents events;

  // All below: guarded by this.

  /** In the order of their coming; those that have ended are dropped when their turn comes. */
  private final ArrayDeque<Waiter> queue = new ArrayDeque<>();

  private final NearEnd nearEnd;
  private @Nullable Call underWay;
  private int waiting; // callers not yet answered: 0..maxQueue
  private boolean retrying; // a timer will ask whether a call is wanted
  private long calls; // number of the last one
  private long highest = -1; // id that this process was ever given
  private long floor; // no id below is given any more
  private int failures; // in a row
  private String problem = "";
  private boolean closed;

  /**
   * An engine that nobody waits for.
   *
   * @param terms of the tag; its modulus is 1, since order over several databases cannot be had
   * @param options its limits
   * @param store not closed with the engine
   * @param breaker shared by all engines of the store
   * @param time its clock; only monotonic time is asked
   * @param scheduler retries and deadlines
   * @param events told about calls to the store
   */
  public SequenceEngine(
      SegmentTerms terms,
      SequenceOptions options,
      SegmentStore store,
      StoreBreaker breaker,
      TimeSource time,
      Scheduler scheduler,
      SequenceEvents events) {
    if (terms.modulus() != 1) {
      throw new IllegalArgumentException(
          "modulus: " + terms.modulus() + " (expected: 1, a sequence has one database)");
    }
    this.terms = terms;
    this.options = options;
    this.store = store;
    this.breaker = breaker;
    this.time = time;
    this.scheduler = scheduler;
    this.events = events;
    this.nearEnd = new NearEnd(terms);
  }

  // ---- asking

  @Override
  public long next() {
    return await(1).runs().get(0).first();
  }

  @Override
  public void fill(long[] into) {
    if (into.length > 0) {
      await(into.length).runs().get(0).copyTo(into, 0);
    }
  }

  @Override
  public IdBatch nextBatch(int count) {
    return await(count);
  }

  private IdBatch await(int count) {
    try {
      return nextAsync(count, options.waitMs() * NANOS).toCompletableFuture().get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new DeadlineException("tag: " + terms.tag() + ": interrupted (expected: a wait)", 0);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IdException refusal ? refusal : new CompletionException(e);
    }
  }

  /**
   * Issues ids without blocking, always one run of stride 1.
   *
   * @param count 1 or more
   * @param waitNanos the longest wait for the store
   * @return fails with an {@link IdException}; what was allocated by then becomes a gap
   */
  public CompletionStage<IdBatch> nextAsync(int count, long waitNanos) {
    if (count < 1) {
      throw new IllegalArgumentException("count: " + count + " (expected: >= 1)");
    }
    Waiter waiter = new Waiter(count);
    synchronized (this) {
      IdException refusal = refusalNow();
      if (refusal != null) {
        return CompletableFuture.failedFuture(refusal);
      }
      waiting++;
      queue.add(waiter);
      waiter.deadline = scheduler.schedule(waitNanos, () -> expire(waiter));
    }
    callIfWanted();
    return waiter.result;
  }

  private @Nullable IdException refusalNow() {
    if (closed) {
      return closing();
    }
    return waiting < options.maxQueue()
        ? null
        : new IdException(
            Reason.OVERLOADED,
            "tag: "
                + terms.tag()
                + ": "
                + waiting
                + " callers wait (expected: at most "
                + options.maxQueue()
                + ")",
            MAX_RETRY_MS);
  }

  private void expire(Waiter waiter) {
    synchronized (this) {
      IdException refusal =
          problem.isEmpty()
              ? new DeadlineException(
                  "tag: " + terms.tag() + ": no ids in time (expected: a store that is faster)",
                  RETRY_MS)
              : unavailable();
      if (!end(waiter, null, refusal)) {
        return;
      }
      queue.remove(waiter); // at the head, unless deadlines differ
    }
    waiter.tell();
  }

  /** Decides what a caller is told, unless that is decided. */
  private boolean end(Waiter waiter, @Nullable IdRun run, @Nullable IdException refusal) {
    if (waiter.ended) {
      return false;
    }
    waiter.ended = true;
    waiter.run = run;
    waiter.refusal = refusal;
    waiting--;
    return true;
  }

  private IdException unavailable() {
    String why = problem.isEmpty() ? "the store rests after failures: " + breaker.why() : problem;
    return new IdException(
        Reason.STORE_UNAVAILABLE, "tag: " + terms.tag() + ": " + why, MAX_RETRY_MS);
  }

  private static IdException closing() {
    return new IdException(Reason.DRAINING, "generator: closed (expected: open)", 0);
  }

  // ---- calling the store

  /** One call to the store and those who share it, in their order. */
  private record Call(
      long number, List<Waiter> callers, long count, long mark, long above, long beganNanos) {}

  private void callIfWanted() {
    List<Waiter> refused = List.of();
    Call next = null;
    synchronized (this) {
      if (closed || underWay != null || retrying || !isWanted()) {
        return;
      }
      long now = time.monotonicNanos();
      if (breaker.admits(now, options.critical())) {
        next = begin(now);
      } else {
        refused = endAll(unavailable());
      }
    }
    refused.forEach(Waiter::tell);
    if (next != null) {
      send(next);
    }
  }

  /**
   * Whether somebody waits. Those who gave up are forgotten: a call for nobody asks for nothing.
   */
  private boolean isWanted() {
    while (!queue.isEmpty() && queue.peek().ended) {
      queue.remove();
    }
    return !queue.isEmpty();
  }

  private Call begin(long now) {
    List<Waiter> callers = new ArrayList<>(queue.size());
    long count = 0;
    while (!queue.isEmpty() && fits(queue.peek(), count)) {
      Waiter waiter = queue.remove();
      if (!waiter.ended) {
        callers.add(waiter);
        count += waiter.count; // at most maxQueue of 31 bits each
      }
    }
    Call call = new Call(++calls, callers, count, highest, Math.max(highest, floor - 1), now);
    underWay = call;
    return call;
  }

  /** One caller's ids are never split; several share a call up to the limit. */
  private boolean fits(Waiter next, long count) {
    return next.ended || count == 0 || count + next.count <= options.maxIds();
  }

  private void send(Call call) {
    SegmentCall.allocate(
        store,
        new SegmentRequest(terms, call.count(), call.mark(), call.above()),
        options.callMs(),
        scheduler,
        new SegmentCall.Answer() {
          @Override
          public void granted(SegmentReply.Granted granted) {
            arrived(call, granted);
          }

          @Override
          public void refused(IdException refusal) {
            SequenceEngine.this.refused(call, refusal);
          }

          @Override
          public void failed(StoreException why) {
            SequenceEngine.this.failed(call, why);
          }
        });
  }

  /** Whether it was given up, or answered already. */
  private boolean isOver(Call call) {
    return underWay == null || underWay.number() != call.number();
  }

  private void arrived(Call call, SegmentReply.Granted granted) {
    List<Waiter> served = List.of();
    NearEnd.Passed near = null;
    long now = time.monotonicNanos();
    boolean sound;
    boolean above;
    synchronized (this) {
      sound = granted.first() > call.mark() && granted.stride() == 1;
      highest = Math.max(highest, granted.lastInclusive());
      if (isOver(call)) {
        return; // given up long since: a gap
      }
      above = granted.first() >= floor;
      if (sound && !above) {
        underWay = null;
        requeue(call); // allocated before a raise that was heard of since
      } else if (sound) {
        underWay = null;
        failures = 0;
        problem = "";
        served = share(call.callers(), granted);
        near = nearEnd.passedBy(granted.lastInclusive(), now);
      }
    }
    if (!sound) {
      failed(
          call,
          StoreException.unknown(
              "ids from " + granted.first() + " on (expected: above " + call.mark() + ", by 1)"));
      return;
    }
    breaker.succeeded();
    goOn(); // before the callers: the store should not wait for them
    served.forEach(Waiter::tell);
    tell(call, granted, served.size(), now, near); // last: whatever a listener does
  }

  private void tell(
      Call call,
      SegmentReply.Granted granted,
      int callers,
      long now,
      NearEnd.@Nullable Passed near) {
    events.allocated(granted.first(), granted.count(), callers, now - call.beganNanos());
    if (granted.skipped()) {
      events.skipped(granted.first());
    }
    if (near != null) {
      events.nearsItsEnd(near.percent(), near.daysLeft());
    }
  }

  /** Gives each its ids, in their order. Near the end of a tag there may be too few for some. */
  private List<Waiter> share(List<Waiter> callers, SegmentReply.Granted granted) {
    List<Waiter> served = new ArrayList<>(callers.size());
    long first = granted.first();
    long left = granted.count();
    for (Waiter waiter : callers) {
      if (waiter.ended) {
        continue; // its share is a gap, if it is left over at all
      }
      if (waiter.count <= left) {
        end(waiter, new IdRun(first, waiter.count, 1), null);
        first += waiter.count;
        left -= waiter.count;
      } else {
        end(
            waiter,
            null,
            new ExhaustedException(
                "tag: "
                    + terms.tag()
                    + ": "
                    + left
                    + " ids left (expected: "
                    + waiter.count
                    + ")"));
      }
      served.add(waiter);
    }
    return served;
  }

  private void failed(Call call, StoreException failure) {
    String why = String.valueOf(failure.getMessage());
    List<Waiter> refused = List.of();
    synchronized (this) {
      if (isOver(call)) {
        return;
      }
      underWay = null;
      failures++;
      problem = why;
      requeue(call);
      if (failures > options.maxRetry()) {
        refused = endAll(unavailable());
      }
      retryLater();
    }
    breaker.failed(failure, time.monotonicNanos());
    refused.forEach(Waiter::tell);
    events.allocateFailed(why);
  }

  /** They came before those in the queue. */
  private void requeue(Call call) {
    for (int i = call.callers().size() - 1; i >= 0; i--) {
      queue.addFirst(call.callers().get(i));
    }
  }

  private void refused(Call call, IdException refusal) {
    List<Waiter> refused = new ArrayList<>();
    synchronized (this) {
      if (isOver(call)) {
        return;
      }
      underWay = null;
      for (Waiter waiter : call.callers()) {
        if (end(waiter, null, refusal)) {
          refused.add(waiter);
        }
      }
    }
    breaker.succeeded();
    goOn();
    refused.forEach(Waiter::tell);
  }

  private List<Waiter> endAll(IdException refusal) {
    List<Waiter> ended = new ArrayList<>(queue.size());
    for (Waiter waiter : queue) {
      if (end(waiter, null, refusal)) {
        ended.add(waiter);
      }
    }
    queue.clear();
    return ended;
  }

  /** On the timer's thread: a store that answers at once would call in here again and again. */
  private void goOn() {
    scheduler.schedule(0, this::callIfWanted);
  }

  private void retryLater() {
    if (!closed) {
      retrying = true;
      long millis = Math.min(MAX_RETRY_MS, RETRY_MS << Math.min(failures - 1, 10));
      scheduler.schedule(millis * NANOS, this::retry);
    }
  }

  private void retry() {
    synchronized (this) {
      retrying = false;
    }
    callIfWanted();
  }

  // ---- from outside

  /**
   * Gives nothing below a floor that an administrator has set in the store: what the store had
   * given before, and is still on its way here, becomes a gap.
   *
   * @param id no later id is below
   */
  public synchronized void raiseTo(long id) {
    floor = Math.max(floor, id);
  }

  /** Who waits, and why. */
  public synchronized SequenceStatus status() {
    return new SequenceStatus(waiting, problem);
  }

  /** Issues nothing more. Those who wait are refused; what the store gives them is a gap. */
  @Override
  public void close() {
    List<Waiter> refused;
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      Call call = underWay;
      underWay = null;
      if (call != null) {
        call.callers().forEach(queue::add);
      }
      refused = endAll(closing());
    }
    refused.forEach(Waiter::tell);
  }
}
