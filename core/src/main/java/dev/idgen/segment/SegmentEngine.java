package dev.idgen.segment;

import dev.idgen.DeadlineException;
import dev.idgen.IdBatch;
import dev.idgen.IdException;
import dev.idgen.IdGenerator;
import dev.idgen.IdRun;
import dev.idgen.Reason;
import dev.idgen.store.SegmentStore;
import dev.idgen.store.SegmentTerms;
import dev.idgen.store.StoreBreaker;
import dev.idgen.time.Scheduler;
import dev.idgen.time.TimeSource;
import java.util.ArrayList;
import java.util.List;
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

  private final SegmentTerms terms;
  private final SegmentOptions options;
  private final Scheduler scheduler;
  private final SegmentEvents events;
  private final Stock stock;
  private final Line line = new Line();
  private final Fetcher fetcher;

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
    this.scheduler = scheduler;
    this.events = events;
    this.stock = new Stock(options, time);
    this.fetcher =
        new Fetcher(terms, options, store, breaker, time, scheduler, events, stock, line);
  }

  // ---- taking, without a lock

  @Override
  public long next() {
    Segment s = stock.current;
    long at = s.take(1);
    if (at >= s.count) {
      return await(new ArrayList<>(1), 1).runs().get(0).first();
    }
    if (at == s.mark) {
      fetcher.wantMore();
    }
    return s.id(at);
  }

  /**
   * Issues one id if it is to be had at once.
   *
   * @return the id, 0 or more; -1: ask {@link #nextAsync}
   */
  public long tryNext() {
    Segment s = stock.current;
    long at = s.take(1);
    if (at >= s.count) {
      return -1;
    }
    if (at == s.mark) {
      fetcher.wantMore();
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
    Segment s = stock.current;
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
    Segment s = stock.current;
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
    Segment s = stock.current;
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
    Segment s = stock.current;
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
    Segment s = stock.current;
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
      fetcher.wantMore();
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

  private CompletionStage<IdBatch> queue(Waiter waiter, long waitNanos) {
    IdException refusal;
    boolean served = false;
    long passed = 0;
    synchronized (stock) {
      refusal = refusalNow(waiter);
      if (refusal == null) {
        waiter.dropBelow(stock.floor()); // a raise may have come since
        passed = stock.giveTo(waiter);
        served = waiter.wanted() == 0;
        if (!served && line.isFull()) {
          return CompletableFuture.failedFuture(overloaded());
        }
        if (!served) {
          line.add(waiter);
          waiter.deadline = scheduler.schedule(waitNanos, () -> expire(waiter));
        }
      }
    }
    if (refusal != null) {
      return CompletableFuture.failedFuture(refusal);
    }
    if (served) {
      waiter.complete();
    }
    fetcher.wantMore();
    if (passed > 0) {
      events.passedOver(passed);
    }
    return waiter.result;
  }

  private IdException overloaded() {
    return new IdException(
        Reason.OVERLOADED,
        "tag: "
            + terms.tag()
            + ": "
            + Line.MOST
            + " takes wait (expected: fewer than that at a time)",
        Fetcher.MAX_RETRY_MS);
  }

  private @Nullable IdException refusalNow(Waiter waiter) {
    if (stock.isClosed()) {
      return closed();
    }
    IdException ended = fetcher.ended();
    return ended != null && !stock.holdsFor(waiter) ? ended : null; // what is held is given first
  }

  private static IdException closed() {
    return new IdException(Reason.DRAINING, "generator: closed (expected: open)", 0);
  }

  private void expire(Waiter waiter) {
    IdException refusal;
    synchronized (stock) {
      if (!line.remove(waiter)) {
        return;
      }
      refusal = fetcher.problem().isEmpty() ? late() : fetcher.unavailable();
    }
    waiter.refuse(refusal);
  }

  private IdException late() {
    return new DeadlineException(
        "tag: " + terms.tag() + ": no ids in time (expected: a store that is faster)",
        Fetcher.RETRY_MS);
  }

  // ---- from outside

  /**
   * Throws away what is held below a floor that an administrator has set in the store, also by
   * takes that wait for the rest of their ids. Ids that were issued before stay issued.
   *
   * @param id no later id is below
   */
  public void raiseTo(long id) {
    long thrown;
    synchronized (stock) {
      thrown = stock.raiseTo(id);
      thrown += line.dropBelow(stock.floor());
    }
    fetcher.wantMore();
    waste(thrown);
  }

  /** The last id that nobody may get any more; what was reserved before is held against it. */
  long lastGone() {
    return stock.lastGone;
  }

  /** Tells of ids that were thrown away, if there are any. */
  void waste(long ids) {
    if (ids > 0) {
      events.wasted(ids);
    }
  }

  /** What it holds, and why it holds no more. */
  public SegmentStatus status() {
    synchronized (stock) {
      return new SegmentStatus(
          stock.held(), stock.step(), stock.runwayMs(), line.size(), fetcher.problem());
    }
  }

  /** Issues nothing more. What is left becomes a gap, and is told as waste. */
  @Override
  public void close() {
    long thrown;
    List<Waiter> refused;
    synchronized (stock) {
      if (stock.isClosed()) {
        return;
      }
      thrown = stock.close();
      refused = line.clear();
    }
    IdException refusal = closed();
    for (Waiter waiter : refused) {
      waiter.refuse(refusal);
    }
    waste(thrown);
  }
}
