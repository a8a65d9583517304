package dev.idgen.segment;

import dev.idgen.DeadlineException;
import dev.idgen.ExhaustedException;
import dev.idgen.IdBatch;
import dev.idgen.IdException;
import dev.idgen.IdGenerator;
import dev.idgen.IdRun;
import dev.idgen.Reason;
import dev.idgen.store.NearEnd;
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
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Issues the ids of one tag from segments that it fetches ahead of time. Thread-safe; one per tag
 * and process. Ids strictly increase within it; between processes they follow the order in which
 * the store gave out segments.
 *
 * <p>A take is one atomic step on the present segment, without a lock and without the store. When a
 * set share of it is used the next segment is fetched, one fetch at a time. Whoever finds nothing
 * left waits in line, for a bounded time; a fetch asks for as much as those in line want.
 *
 * <p>A fetch whose answer is lost or late is never used: what it gave becomes a gap (I1 is the
 * store's, I2 is {@code Segment}'s one counter).
 */
public final class SegmentEngine implements IdGenerator {
  private static final long NANOS = 1_000_000;
  private static final long RETRY_MS = 50;
  private static final long MAX_RETRY_MS = 400;
  private static final int MAX_READY = 8;
  private static final int MAX_WAITING = 10_000; // takes in line
  private static final long ENDED_NANOS = 1_000 * NANOS; // before an end is asked for again

  private final SegmentTerms terms;
  private final SegmentOptions options;
  private final SegmentStore store;
  private final StoreBreaker breaker;
  private final TimeSource time;
  private final Scheduler scheduler;
  private final SegmentEvents events;

  /** Replaced under the lock, by one whose ids are all higher, once it is used up. */
  private volatile Segment current = Segment.NONE;

  private volatile boolean closed;

  /**
   * The last id that nobody may get any more: below the floor, and after a close every one. Only
   * rises. What was reserved earlier and is not given yet is held against it.
   */
  private volatile long lastGone = -1;

  // All below: guarded by this.
  private final ArrayDeque<Segment> ready = new ArrayDeque<>(1); // seldom more

  /**
   * In the order of their coming. While there is one, nothing is held, or not what it needs: ids
   * that follow one another.
   */
  private final Set<Waiter> waiters = new LinkedHashSet<>();

  private final StepPolicy steps;
  private final NearEnd nearEnd;
  private Segment observed = Segment.NONE; // the last one that the steps were told of
  private boolean fetching;
  private boolean retrying; // a timer will ask whether a fetch is wanted
  private long fetch; // number of the last one: the answer of an earlier one is not heard
  private long highest = -1; // id that this process was ever given
  private long floor;
  private long sinceNanos; // when the first id of the present segment could be taken
  private int failures; // in a row
  private String problem = "";
  private @Nullable IdException ended;
  private long endedNanos;

  /**
   * An engine that holds nothing: the first take fetches.
   *
   * @param terms of the tag
   * @param options how it fetches
   * @param store not closed with the engine
   * @param breaker shared by all engines of the store
   * @param time its clock; only monotonic time is asked
   * @param scheduler retries and deadlines
   * @param events told about fetches
   */
  public SegmentEngine(
      SegmentTerms terms,
      SegmentOptions options,
      SegmentStore store,
      StoreBreaker breaker,
      TimeSource time,
      Scheduler scheduler,
      SegmentEvents events) {
    this.terms = terms;
    this.options = options;
    this.store = store;
    this.breaker = breaker;
    this.time = time;
    this.scheduler = scheduler;
    this.events = events;
    this.nearEnd = new NearEnd(terms);
    this.steps = new StepPolicy(options.step(), options.stepMin(), options.stepMax());
  }

  // ---- taking, without a lock

  @Override
  public long next() {
    Segment s = current;
    long at = s.take(1);
    if (at >= s.count) {
      return await(new ArrayList<>(1), 1).runs().get(0).first();
    }
    if (at == s.mark) {
      wantMore();
    }
    return s.id(at);
  }

  /**
   * Issues one id if it is to be had at once.
   *
   * @return the id, 0 or more; -1: ask {@link #nextAsync}
   */
  public long tryNext() {
    Segment s = current;
    long at = s.take(1);
    if (at >= s.count) {
      return -1;
    }
    if (at == s.mark) {
      wantMore();
    }
    return s.id(at);
  }

  @Override
  public void fill(long[] into) {
    if (into.length > 0) {
      fill(into, 0);
    }
  }

  /** Fills an array from an index on, which is below its length. */
  void fill(long[] into, int from) {
    int n = into.length - from;
    Segment s = current;
    long at = s.take(n);
    if (at > s.count - n) {
      int offset = from;
      for (IdRun run : await(rest(s, at), n).runs()) {
        run.copyTo(into, offset);
        offset += run.count();
      }
      return;
    }
    for (int i = 0; i < n; i++) {
      into[from + i] = s.id(at + i);
    }
    marked(s, at, n);
  }

  /**
   * Reserves ids for a block that is used up: {@code n} of them, fewer where a segment ends, and
   * one where nothing is held, which it waits for.
   */
  void take(Block block, int n) {
    Segment s = current;
    long at = s.take(n);
    if (at >= s.count) {
      block.set(await(new ArrayList<>(1), 1).runs().get(0).first(), 1, 1);
      return;
    }
    long got = Math.min(n, s.count - at);
    block.set(s.id(at), got, s.stride);
    marked(s, at, got);
  }

  @Override
  public IdBatch nextBatch(int count) {
    requireCount(count);
    Segment s = current;
    long at = s.take(count);
    if (at > s.count - count) {
      return await(rest(s, at), count);
    }
    marked(s, at, count);
    return new IdBatch(List.of(new IdRun(s.id(at), count, s.stride)));
  }

  /**
   * Issues ids without blocking.
   *
   * @param count 1 or more
   * @param waitNanos the longest wait for the store
   * @return fails with an {@link IdException}; what was reserved by then becomes a gap
   */
  public CompletionStage<IdBatch> nextAsync(int count, long waitNanos) {
    requireCount(count);
    Segment s = current;
    long at = s.take(count);
    if (at > s.count - count) {
      return queue(Waiter.forRest(rest(s, at), count), waitNanos);
    }
    marked(s, at, count);
    return CompletableFuture.completedFuture(
        new IdBatch(List.of(new IdRun(s.id(at), count, s.stride))));
  }

  /**
   * Issues ids that follow one another, without blocking. What is left of a segment and is too
   * little is passed over as soon as there are enough above it, and told; until then others get it.
   *
   * @param count 1..stepMax
   * @param waitNanos the longest wait for the store
   * @return one run of stride 1; fails with an {@link IdException}, and nothing was reserved then
   * @throws IllegalArgumentException more than a fetch may bring
   * @throws IllegalStateException several databases or regions share the tag: no ids of one process
   *     follow one another
   */
  public CompletionStage<IdBatch> nextContiguous(int count, long waitNanos) {
    requireCount(count);
    if (terms.modulus() != 1) {
      throw new IllegalStateException(
          "modulus: " + terms.modulus() + " (expected: 1, for ids that follow one another)");
    }
    if (count > options.stepMax()) {
      throw new IllegalArgumentException(
          "count: " + count + " (expected: 1.." + options.stepMax() + ", the largest step)");
    }
    Segment s = current;
    long at = s.takeWhole(count);
    if (at < 0) {
      return queue(Waiter.forWhole(count), waitNanos);
    }
    marked(s, at, count);
    return CompletableFuture.completedFuture(new IdBatch(List.of(new IdRun(s.id(at), count, 1))));
  }

  /** What a reservation that goes over the end has of the segment. */
  private static List<IdRun> rest(Segment s, long at) {
    List<IdRun> runs = new ArrayList<>(2);
    if (at < s.count) {
      runs.add(new IdRun(s.id(at), (int) (s.count - at), s.stride));
    }
    return runs;
  }

  private void marked(Segment s, long at, long n) {
    if (at <= s.mark && s.mark < at + n) {
      wantMore();
    }
  }

  static void requireCount(int count) {
    if (count < 1) {
      throw new IllegalArgumentException("count: " + count + " (expected: >= 1)");
    }
  }

  private IdBatch await(List<IdRun> had, long count) {
    CompletableFuture<IdBatch> result =
        queue(Waiter.forRest(had, count), options.waitMs() * NANOS).toCompletableFuture();
    try {
      return result.get(); // ends at the deadline
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new DeadlineException("tag: " + terms.tag() + ": interrupted (expected: a wait)", 0);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IdException refusal ? refusal : new CompletionException(e);
    }
  }

  // ---- waiting in line

  /** A take that the present segment could not end. */
  private static final class Waiter {
    final CompletableFuture<IdBatch> result = new CompletableFuture<>();
    final List<IdRun> runs;
    final boolean whole; // its ids have to follow one another
    long wanted;
    Scheduler.@Nullable Timer deadline;

    private Waiter(List<IdRun> had, long wanted, boolean whole) {
      this.runs = had;
      this.wanted = wanted;
      this.whole = whole;
    }

    static Waiter forRest(List<IdRun> had, long count) {
      long got = 0;
      for (IdRun run : had) {
        got += run.count();
      }
      return new Waiter(had, count - got, false);
    }

    static Waiter forWhole(int count) {
      return new Waiter(new ArrayList<>(1), count, true);
    }

    void takeFrom(Segment s) {
      if (whole) {
        takeWholeFrom(s);
      } else {
        takeRestFrom(s);
      }
    }

    private void takeWholeFrom(Segment s) {
      long at = s.takeWhole(wanted);
      if (at >= 0) {
        runs.add(new IdRun(s.id(at), (int) wanted, s.stride));
        wanted = 0;
      }
    }

    private void takeRestFrom(Segment s) {
      while (wanted > 0) {
        long n = Math.min(wanted, Integer.MAX_VALUE);
        long at = s.take(n);
        if (at >= s.count) {
          return;
        }
        int got = (int) Math.min(n, s.count - at);
        runs.add(new IdRun(s.id(at), got, s.stride));
        wanted -= got;
      }
    }

    /** Wants others for those that it has below a floor. */
    long dropBelow(long floor) {
      long dropped = 0;
      while (!runs.isEmpty() && runs.get(0).first() < floor) {
        IdRun run = runs.get(0);
        long below = offsetOf(floor, run.first(), run.stride());
        if (below < run.count()) {
          int left = (int) (run.count() - below);
          runs.set(0, new IdRun(run.get((int) below), left, run.stride()));
        } else {
          below = run.count();
          runs.remove(0);
        }
        dropped += below;
      }
      wanted += dropped;
      return dropped;
    }
  }

  private CompletionStage<IdBatch> queue(Waiter waiter, long waitNanos) {
    IdException refusal;
    long passed = 0;
    synchronized (this) {
      refusal = refusalNow(waiter);
      if (refusal == null) {
        waiter.dropBelow(floor); // a raise may have come since
        passed = takeHeld(waiter);
        if (waiter.wanted > 0 && waiters.size() >= MAX_WAITING) {
          return CompletableFuture.failedFuture(overloaded());
        }
        if (waiter.wanted > 0) {
          waiters.add(waiter);
          waiter.deadline = scheduler.schedule(waitNanos, () -> expire(waiter));
        }
      }
    }
    if (refusal != null) {
      return CompletableFuture.failedFuture(refusal);
    }
    if (waiter.wanted == 0) {
      waiter.result.complete(new IdBatch(waiter.runs));
    }
    wantMore();
    passOver(passed);
    return waiter.result;
  }

  private IdException overloaded() {
    return new IdException(
        Reason.OVERLOADED,
        "tag: "
            + terms.tag()
            + ": "
            + MAX_WAITING
            + " takes wait (expected: fewer than that at a time)",
        MAX_RETRY_MS);
  }

  private @Nullable IdException refusalNow(Waiter waiter) {
    if (closed) {
      return new IdException(Reason.DRAINING, "generator: closed (expected: open)", 0);
    }
    boolean known = ended != null && time.monotonicNanos() - endedNanos < ENDED_NANOS;
    return known && !holdsFor(waiter) ? ended : null; // what is held is given first
  }

  /** Whether something is held that it can use. */
  private boolean holdsFor(Waiter waiter) {
    long least = waiter.whole ? waiter.wanted : 1;
    return current.left() >= least || ready.stream().anyMatch(s -> s.left() >= least);
  }

  /**
   * From the present segment, and from those behind it as each is used up.
   *
   * @return how many ids were passed over
   */
  private long takeHeld(Waiter waiter) {
    waiter.takeFrom(current);
    long passed = 0;
    while (waiter.wanted > 0 && !ready.isEmpty() && holdsFor(waiter)) {
      Segment next = ready.remove();
      waiter.takeFrom(next); // before others can
      passed += current.skipTo(Long.MAX_VALUE);
      publish(next);
    }
    return passed;
  }

  private void publish(Segment next) {
    sinceNanos = time.monotonicNanos();
    current = next; // the one before is used up: what is taken from now on is higher
  }

  private void expire(Waiter waiter) {
    IdException refusal;
    synchronized (this) {
      if (!waiters.remove(waiter)) {
        return;
      }
      refusal =
          problem.isEmpty()
              ? new DeadlineException(
                  "tag: " + terms.tag() + ": no ids in time (expected: a store that is faster)",
                  RETRY_MS)
              : unavailable();
    }
    waiter.result.completeExceptionally(refusal);
  }

  private IdException unavailable() {
    String why = problem.isEmpty() ? "the store rests after failures: " + breaker.why() : problem;
    return new IdException(
        Reason.STORE_UNAVAILABLE,
        "tag: " + terms.tag() + ": no ids left, and " + why,
        MAX_RETRY_MS);
  }

  // ---- fetching

  /** One request to the store. */
  private record Fetch(long number, long count, long mark, long above, long beganNanos) {}

  /** Fetches if that is wanted, and nobody does already. */
  private void wantMore() {
    Fetch next;
    List<Waiter> refused = List.of();
    IdException refusal = null;
    synchronized (this) {
      next = null;
      if (wanted()) {
        long now = time.monotonicNanos();
        if (breaker.admits(now, options.critical())) {
          next = begin(now);
        } else {
          refused = List.copyOf(waiters);
          waiters.clear();
          refusal = unavailable();
          retryLater(MAX_RETRY_MS);
        }
      }
    }
    for (Waiter waiter : refused) {
      end(waiter, refusal);
    }
    if (next != null) {
      send(next);
    }
  }

  private boolean wanted() {
    if (closed || fetching) {
      return false;
    }
    if (!waiters.isEmpty()) {
      return true;
    }
    Segment s = current;
    boolean low = s.count > 0 && s.count - s.left() > s.mark;
    return low && (ready.isEmpty() || isShort(s));
  }

  /** Whether what is held would be used up before the runway is, at the rate of this segment. */
  private boolean isShort(Segment s) {
    long runway = runwayMs(s);
    return options.runwayMs() > 0
        && ready.size() < MAX_READY
        && runway >= 0
        && runway < options.runwayMs();
  }

  private Fetch begin(long now) {
    Segment s = current;
    if (s != observed && s.count > 0) {
      observed = s; // once, however often the store is asked
      steps.observe((double) (s.count - s.left()) / s.count, now - sinceNanos);
    }
    fetching = true;
    fetch++;
    long count = Math.min(options.stepMax(), Math.max(steps.step(), demand()));
    return new Fetch(fetch, count, highest, Math.max(highest, floor - 1), now);
  }

  private long demand() {
    long sum = 0;
    for (Waiter waiter : waiters) {
      sum += waiter.wanted;
      if (sum >= options.stepMax()) {
        return options.stepMax();
      }
    }
    return sum;
  }

  private void send(Fetch asked) {
    Scheduler.Timer limit =
        scheduler.schedule(options.callMs() * NANOS, () -> failed(asked, late()));
    CompletionStage<SegmentReply> answer;
    try {
      answer =
          store.allocate(new SegmentRequest(terms, asked.count(), asked.mark(), asked.above()));
    } catch (RuntimeException e) {
      answer = CompletableFuture.failedFuture(e);
    }
    var unused =
        answer.whenComplete(
            (reply, failure) -> {
              limit.cancel();
              if (failure != null) {
                failed(asked, failure);
              } else if (reply instanceof SegmentReply.Granted granted) {
                arrived(asked, granted);
              } else if (reply instanceof SegmentReply.Refused refused) {
                refused(asked, refused);
              } else {
                failed(asked, StoreException.unknown("unexpected answer: " + reply));
              }
            });
  }

  private StoreException late() {
    return StoreException.unknown("no answer within " + options.callMs() + " ms");
  }

  private static String text(Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    return cause instanceof IdException refusal
        ? String.valueOf(refusal.getMessage())
        : cause.toString();
  }

  private void arrived(Fetch asked, SegmentReply.Granted granted) {
    List<Waiter> served = new ArrayList<>();
    long now = time.monotonicNanos();
    NearEnd.Passed near = null;
    long below = 0;
    long passed = 0;
    boolean sound;
    synchronized (this) {
      // what is held came before this was asked for: a late answer may know of more, and is
      // nobody's
      sound = granted.first() > asked.mark() && granted.stride() == terms.modulus();
      highest = Math.max(highest, granted.lastInclusive());
      if (closed || !fetching || asked.number() != fetch) {
        return; // given up long since: a gap
      }
      if (sound) {
        fetching = false;
        failures = 0;
        problem = "";
        ended = null;
        Segment fresh = segment(granted);
        below = fresh.skipTo(offsetOf(floor, fresh));
        passed = serve(fresh, served);
        hold(fresh);
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
    for (Waiter waiter : served) {
      end(waiter, null);
    }
    wantMoreSoon();
    passOver(passed);
    tell(granted, now - asked.beganNanos(), below, near); // last: whatever a listener does
  }

  private Segment segment(SegmentReply.Granted granted) {
    long count = granted.count();
    long percent = options.prefetchPercent();
    long share = Math.min(count - 1, count / 100 * percent + count % 100 * percent / 100);
    long mark = Math.max(0, Math.min(share, count - runwayIds()));
    return new Segment(granted.first(), count, granted.stride(), mark);
  }

  /** How many ids last for the runway, at the rate of the present segment. */
  private long runwayIds() {
    Segment s = current;
    double perNano = perNano(s);
    return perNano <= 0 ? 0 : (long) (perNano * options.runwayMs() * NANOS);
  }

  /**
   * In the order of their coming, before anybody who comes now can take. Whose ids have to follow
   * one another and are not all there waits on, and keeps nobody behind it waiting.
   *
   * @return how many ids were passed over
   */
  private long serve(Segment fresh, List<Waiter> served) {
    long passed = 0;
    Iterator<Waiter> line = waiters.iterator();
    while (line.hasNext() && fresh.left() > 0) {
      Waiter waiter = line.next();
      waiter.takeFrom(fresh);
      if (waiter.wanted == 0) {
        line.remove();
        served.add(waiter);
        passed += dropHeld(); // else somebody would get lower ones after it
      }
    }
    return passed;
  }

  /** Nobody gets what is held any more. */
  private long dropHeld() {
    long dropped = current.skipTo(Long.MAX_VALUE);
    for (Segment segment : ready) {
      dropped += segment.skipTo(Long.MAX_VALUE);
    }
    ready.clear();
    return dropped;
  }

  private void hold(Segment fresh) {
    if (current.left() == 0 && ready.isEmpty()) {
      publish(fresh);
    } else {
      ready.add(fresh);
    }
  }

  private static void end(Waiter waiter, @Nullable IdException refusal) {
    Scheduler.Timer deadline = waiter.deadline;
    if (deadline != null) {
      deadline.cancel();
    }
    if (refusal == null) {
      waiter.result.complete(new IdBatch(waiter.runs));
    } else {
      waiter.result.completeExceptionally(refusal);
    }
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

  private void failed(Fetch asked, Throwable failure) {
    String why = text(failure);
    List<Waiter> refused = List.of();
    IdException refusal = null;
    synchronized (this) {
      if (!fetching || asked.number() != fetch) {
        return;
      }
      fetching = false;
      failures++;
      problem = why;
      if (failures > options.maxRetry()) {
        refused = List.copyOf(waiters);
        waiters.clear();
        refusal = unavailable();
      }
      retryLater(Math.min(MAX_RETRY_MS, RETRY_MS << Math.min(failures - 1, 10)));
    }
    breaker.failed(failure, time.monotonicNanos());
    for (Waiter waiter : refused) {
      end(waiter, refusal);
    }
    events.fetchFailed(why);
  }

  private void refused(Fetch asked, SegmentReply.Refused answer) {
    List<Waiter> refused;
    IdException refusal =
        answer.reason() == SegmentReply.Reason.EXHAUSTED
            ? new ExhaustedException(answer.message())
            : new IdException(Reason.UNKNOWN_TAG, answer.message(), 0);
    synchronized (this) {
      if (!fetching || asked.number() != fetch) {
        return;
      }
      fetching = false;
      ended = refusal;
      endedNanos = time.monotonicNanos();
      refused = List.copyOf(waiters);
      waiters.clear();
    }
    breaker.succeeded();
    for (Waiter waiter : refused) {
      end(waiter, refusal);
    }
  }

  private void retryLater(long millis) {
    if (!retrying && !closed) {
      retrying = true;
      scheduler.schedule(millis * NANOS, this::retry);
    }
  }

  private void retry() {
    synchronized (this) {
      retrying = false;
    }
    wantMore();
  }

  /** On a timer's thread: a store that answers at once would call in here again and again. */
  private void wantMoreSoon() {
    boolean wanted;
    synchronized (this) {
      wanted = wanted();
    }
    if (wanted) {
      scheduler.schedule(0, this::wantMore);
    }
  }

  // ---- from outside

  /**
   * Throws away what is held below a floor that an administrator has set in the store, also by
   * takes that wait for the rest of their ids. Ids that were issued before stay issued.
   *
   * @param id no later id is below
   */
  public void raiseTo(long id) {
    long thrown = 0;
    synchronized (this) {
      floor = Math.max(floor, id);
      lastGone = Math.max(lastGone, floor - 1);
      thrown += current.skipTo(offsetOf(floor, current));
      for (Segment segment : ready) {
        thrown += segment.skipTo(offsetOf(floor, segment));
      }
      for (Waiter waiter : waiters) {
        thrown += waiter.dropBelow(floor);
      }
    }
    wantMore();
    waste(thrown);
  }

  private static long offsetOf(long id, Segment s) {
    return offsetOf(id, s.first, s.stride);
  }

  private static long offsetOf(long id, long first, long stride) {
    if (id <= first) {
      return 0;
    }
    long distance = id - first;
    return distance / stride + (distance % stride == 0 ? 0 : 1);
  }

  long lastGone() {
    return lastGone;
  }

  /** Tells of ids that were thrown away, if there are any. */
  void waste(long ids) {
    if (ids > 0) {
      events.wasted(ids);
    }
  }

  private void passOver(long ids) {
    if (ids > 0) {
      events.passedOver(ids);
    }
  }

  /** What it holds, and why it holds no more. */
  public synchronized SegmentStatus status() {
    return new SegmentStatus(held(), steps.step(), runwayMs(current), waiters.size(), problem);
  }

  private long held() {
    long sum = current.left();
    for (Segment segment : ready) {
      sum += segment.left();
    }
    return sum;
  }

  private long runwayMs(Segment s) {
    double perNano = perNano(s);
    return perNano <= 0 ? -1 : (long) (held() / perNano / NANOS);
  }

  private double perNano(Segment s) {
    return (double) (s.count - s.left()) / Math.max(1, time.monotonicNanos() - sinceNanos);
  }

  /** Issues nothing more. What is left becomes a gap, and is told as waste. */
  @Override
  public void close() {
    long thrown;
    List<Waiter> refused;
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      lastGone = Long.MAX_VALUE;
      thrown = dropHeld();
      refused = List.copyOf(waiters);
      waiters.clear();
    }
    IdException refusal = new IdException(Reason.DRAINING, "generator: closed (expected: open)", 0);
    for (Waiter waiter : refused) {
      end(waiter, refusal);
    }
    waste(thrown);
  }
}
