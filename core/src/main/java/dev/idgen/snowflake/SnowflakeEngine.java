package dev.idgen.snowflake;

import dev.idgen.DeadlineException;
import dev.idgen.ExhaustedException;
import dev.idgen.IdBatch;
import dev.idgen.IdException;
import dev.idgen.IdGenerator;
import dev.idgen.IdRun;
import dev.idgen.LeaseException;
import dev.idgen.Reason;
import dev.idgen.layout.Layout;
import dev.idgen.time.Scheduler;
import dev.idgen.time.TimeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Issues time-based ids under whatever lease it is given. Thread-safe; one per namespace and
 * process.
 *
 * <p>A take reads the clock once, reserves its places with one atomic step ({@code Lease}), and
 * returns when the clock has reached them: at once, unless the present tick is used up. Callers
 * that wait do so in the order in which they reserved. Nothing is issued without a lease, beyond
 * its horizon, or by a clock that is not trusted ({@code ClockWatch}); a caller waits for these for
 * at most {@link EngineOptions#waitMs} and is then refused.
 */
public final class SnowflakeEngine implements IdGenerator {
  private static final long NANOS = 1_000_000;
  private static final long RUN_AHEAD_MS = 8;

  private final EngineOptions options;
  private final Layout layout;
  private final TimeSource time;
  private final Scheduler scheduler;
  private final EngineEvents events;
  private final ClockWatch watch;
  private final @Nullable CachedClock cached;
  private final long tickMillis;
  private final long epochMillis;
  private final long runAheadTicks;

  /** Ticks that takes of more than one tick have yet to reserve: 0 or more. */
  private final AtomicLong promised = new AtomicLong();

  /** What waits for a timer: as many as callers ask for at once. */
  private final Map<Take, CompletableFuture<IdBatch>> pending = new ConcurrentHashMap<>();

  private volatile Lease current; // replaced only after the one before was closed
  private volatile boolean closed;
  private volatile Runnable confirmation = () -> {};

  /**
   * An engine without a lease: it refuses until {@link LeaseKeeper} gives it one.
   *
   * @param options how it behaves
   * @param time its clocks
   * @param scheduler runs what cannot be ready at once
   * @param events told about clock and leases
   * @param sharesStoreClock the lease's store, if any, runs by the same clock: a leap is believed
   *     once it has held for the skew, since there is no other clock to ask
   * @throws IllegalArgumentException the layout's epoch is in the future, or its end is near
   */
  public SnowflakeEngine(
      EngineOptions options,
      TimeSource time,
      Scheduler scheduler,
      EngineEvents events,
      boolean sharesStoreClock) {
    this.options = options;
    this.layout = options.layout();
    this.time = time;
    this.scheduler = scheduler;
    this.events = events;
    this.tickMillis = layout.tickMillis();
    this.epochMillis = layout.epochMillis();
    this.runAheadTicks = Math.max(1, RUN_AHEAD_MS / tickMillis);
    this.current = Lease.none(layout);
    this.watch = new ClockWatch(time, options, events, this::confirmSoon, sharesStoreClock);
    this.cached =
        options.clock() == ClockMode.CACHED
            ? new CachedClock(watch, scheduler, () -> current.position())
            : null;
  }

  // ---- taking, as the calling thread

  @Override
  public long next() {
    if (cached != null) {
      return nextByCopy(cached);
    }
    long wall = time.wallMillis();
    Lease lease = current;
    if (!lease.isOpen(wall) || !watch.accepts(wall)) {
      return nextJudged(lease);
    }
    long firstId = lease.firstId(wall);
    long distance = lease.takeOpen(wall);
    return distance >= 0 ? firstId + distance : nextBeyond(lease, wall, distance);
  }

  private long nextByCopy(CachedClock clock) {
    long wall = clock.copy();
    Lease lease = current;
    if (!lease.isOpen(wall)) {
      return nextJudged(lease);
    }
    long firstId = lease.firstId(wall);
    long distance = lease.takeOpen(wall);
    if (distance < 0) {
      return nextBeyond(lease, wall, distance);
    }
    mark(distance, 1); // a tick with fewer places than a mark is full before it comes
    return firstId + distance;
  }

  /** The open tick had no place left, or the lease has ended. */
  private long nextBeyond(Lease lease, long now, long found) {
    lease.shut();
    return nextOfTick(lease, now, found);
  }

  /** An id of a tick that is not open, or by a reading that has to be judged. */
  private long nextJudged(Lease lease) {
    long now = now();
    if (now < 0) {
      return nextWaiting(lease, Lease.NONE);
    }
    long p = lease.takeOne(tickAt(now));
    return p < 0 ? nextOfTick(lease, now, p) : opening(lease, now, p);
  }

  /** The first id of its tick, or one that the tick has no place for. */
  private long nextOfTick(Lease lease, long now, long found) {
    long tick = tickAt(now);
    long p = found == Lease.NONE ? lease.reserve(1, tick) : lease.checked(~found, 1);
    if (p < 0 || lease.tickOf(p) > tick) {
      return nextWaiting(lease, p);
    }
    if (lease.tickOf(p) < tick) { // another caller came between; its tick is the state's
      mark(p, 1);
      return lease.idAt(p);
    }
    return opening(lease, now, p);
  }

  private long opening(Lease lease, long now, long p) {
    lease.open(now);
    mark(p, 1);
    return lease.idAt(p);
  }

  private long nextWaiting(Lease lease, long p) {
    long[] id = new long[1];
    await(1, new ArraySink(id), lease, p);
    return id[0];
  }

  @Override
  public void fill(long[] into) {
    if (into.length == 0) {
      return;
    }
    long now = now();
    Lease lease = current;
    long n = into.length;
    long p = reserveNow(lease, n, now);
    if (p < 0) {
      await(n, new ArraySink(into), lease, p == Lease.NONE ? p : ~p);
      return;
    }
    write(lease, p, n, into, 0);
    mark(p, n);
  }

  @Override
  public IdBatch nextBatch(int count) {
    requireCount(count);
    long now = now();
    Lease lease = current;
    long p = reserveNow(lease, count, now);
    RunSink sink = new RunSink();
    if (p < 0) {
      await(count, sink, lease, p == Lease.NONE ? p : ~p);
    } else {
      sink.accept(lease, p, count);
      mark(p, count);
    }
    return sink.batch();
  }

  /**
   * Reserves places that are ready at once.
   *
   * @return the first one; NONE: nothing was reserved; any other negative: the complement of a
   *     first place that is reserved but not ready
   */
  private long reserveNow(Lease lease, long n, long now) {
    if (now < 0 || n > lease.places()) {
      return Lease.NONE;
    }
    long tick = tickAt(now);
    long p = lease.reserve(n, tick);
    if (p < 0) {
      return Lease.NONE;
    }
    return lease.tickOf(p + n - 1) <= tick ? p : ~p; // place 0 would become NONE, so a gap
  }

  private static void write(Lease lease, long p, long n, long[] into, int at) {
    long left = n;
    long from = p;
    int start = at;
    while (left > 0) {
      int length = (int) lease.runLength(from, left);
      writeRun(lease.idAt(from), lease.stride(), into, start, length);
      start += length;
      from += length;
      left -= length;
    }
  }

  private static void writeRun(long first, long stride, long[] into, int start, int length) {
    if (stride == 1) {
      for (int i = 0; i < length; i++) {
        into[start + i] = first + i;
      }
    } else {
      for (int i = 0; i < length; i++) {
        into[start + i] = first + i * stride;
      }
    }
  }

  private void mark(long p, long n) {
    if (cached != null && CachedClock.marks(p, n)) {
      cached.taken(p, n);
    }
  }

  private void await(long count, Take.Sink sink, Lease lease, long p) {
    Take take = new Take(this, count, sink, time.monotonicNanos() + options.waitMs() * NANOS);
    if (p >= 0) {
      take.reserved(lease, p, count);
    }
    for (long wait = take.step(); wait > 0; wait = take.step()) {
      time.pause(wait);
      if (Thread.currentThread().isInterrupted()) {
        take.end();
        throw new DeadlineException("take: interrupted (expected: to wait " + wait + " ns)", 0);
      }
    }
  }

  // ---- taking, without blocking

  /**
   * Issues an id if one is ready at once. Never blocks.
   *
   * @return the id; -1: not at once, ask {@link #nextAsync}, which also says why
   */
  public long tryNext() {
    Lease lease = current;
    long now = now();
    long tick = tickAt(now);
    if (now < 0 || lease.tickOf(Math.max(0, lease.position())) > tick) {
      return -1; // before reserving: nothing is lost
    }
    long p = lease.reserve(1, tick);
    if (p < 0 || lease.tickOf(p) > tick) {
      return -1; // at most one id is a gap
    }
    mark(p, 1);
    return lease.idAt(p);
  }

  /**
   * Issues ids without blocking: reserves now, and completes when their time has come.
   *
   * <p>What depends on the stage runs on the calling thread or on the engine's timer thread, and
   * must not block it: others wait there for their ids.
   *
   * @param count 1 or more
   * @param waitNanos how long the ids may take to be ready
   * @return completed already when they are ready at once; failed with an {@link IdException} when
   *     refused
   */
  public CompletionStage<IdBatch> nextAsync(int count, long waitNanos) {
    requireCount(count);
    RunSink sink = new RunSink();
    Take take = new Take(this, count, sink, time.monotonicNanos() + waitNanos);
    CompletableFuture<IdBatch> result = new CompletableFuture<>();
    drive(take, sink, result);
    return result;
  }

  private void drive(Take take, RunSink sink, CompletableFuture<IdBatch> result) {
    try {
      long wait = take.step();
      if (wait == 0) {
        end(take);
        result.complete(sink.batch());
        return;
      }
      pending.put(take, result);
      if (closed) { // read after it was added: close() ends either all there is, or this one does
        throw closedException();
      }
      scheduler.schedule(wait, () -> resume(take, sink, result));
    } catch (RuntimeException | Error e) {
      take.end();
      end(take);
      result.completeExceptionally(e);
    }
  }

  private void resume(Take take, RunSink sink, CompletableFuture<IdBatch> result) {
    if (result.isDone()) {
      take.end(); // by close()
    } else {
      drive(take, sink, result);
    }
  }

  private void end(Take take) {
    if (!pending.isEmpty()) {
      pending.remove(take);
    }
  }

  private static IdException closedException() {
    return new IdException(Reason.DRAINING, "generator: closed (expected: open)", 0);
  }

  private static void requireCount(int count) {
    if (count < 1) {
      throw new IllegalArgumentException("count: " + count + " (expected: >= 1)");
    }
  }

  // ---- what a take in progress asks

  /** A reading for a take that can be answered at once. */
  private long now() {
    return cached != null ? cached.read() : watch.read();
  }

  /**
   * A reading for a take that waits. Never a copy: that could keep it waiting for a tick too long.
   */
  long nowRead() {
    return cached != null ? cached.readAnew() : watch.read();
  }

  long tickAt(long wallMillis) {
    long since = wallMillis - epochMillis;
    return tickMillis == 1 ? since : Math.floorDiv(since, tickMillis);
  }

  long nanos() {
    return time.monotonicNanos();
  }

  long nanosUntilTick(long tick) {
    return time.nanosUntil(layout.startMillis(tick));
  }

  long behindMillis() {
    return watch.behindMillis();
  }

  Lease current() {
    return current;
  }

  long runAheadTicks() {
    return runAheadTicks;
  }

  /**
   * Promises ticks to a take that needs several, or takes them back.
   *
   * @return how many are promised in all
   */
  long promise(long ticks) {
    return ticks == 0 ? promised.get() : promised.addAndGet(ticks);
  }

  EngineOptions options() {
    return options;
  }

  /** Throws when waiting for the lease cannot help, or has lasted too long for everybody. */
  void refuseWithoutHope(Lease lease, long tick) {
    if (closed) {
      throw closedException();
    }
    if (tick > layout.maxTick()) {
      throw new ExhaustedException(
          "layout: ended at " + layout.end() + " (expected: a tick of its life)");
    }
    long overdue = (tick - lease.horizonTick()) * tickMillis;
    if (overdue > options.waitMs()) {
      throw noLease(lease, tick);
    }
  }

  LeaseException noLease(Lease lease, long tick) {
    String found =
        lease.horizonTick() == 0
            ? "lease: none"
            : "lease: ended " + (tick - lease.horizonTick() + 1) * tickMillis + " ms ago";
    return new LeaseException(found + " (expected: one that covers the present)", options.waitMs());
  }

  // ---- leases

  /**
   * Replaces the lease: ends the present one, then publishes the next, which begins above every
   * tick that was reserved in before, so that order within the process holds.
   *
   * @return the last tick that the former lease may have been used in
   */
  synchronized long switchTo(int[] workerIds, long fromTick, long horizonTick) {
    long last = current.close();
    if (closed) {
      return last;
    }
    long from = Math.max(fromTick, last + 1);
    current = // linearization point D, after C: dying in between leaves no lease, and a gap
        new Lease(layout, workerIds, from, horizonTick, options.sequenceStart(), runAheadTicks);
    return last;
  }

  /** Goes without a lease until the next one. */
  synchronized long endLease() {
    return current.close();
  }

  /** Who to ask when the clock has leapt. */
  void onConfirmationWanted(Runnable ask) {
    confirmation = ask;
  }

  private void confirmSoon() {
    confirmation.run();
  }

  ClockWatch watch() {
    return watch;
  }

  TimeSource time() {
    return time;
  }

  Scheduler scheduler() {
    return scheduler;
  }

  EngineEvents events() {
    return events;
  }

  // ---- from outside

  /** Bits, tick and epoch of the ids. */
  public Layout layout() {
    return layout;
  }

  /** What the engine is able to do now. Reads the clock. */
  public EngineStatus status() {
    long now = watch.read();
    Lease lease = current;
    List<String> reasons = new ArrayList<>();
    boolean logical = options.rollbackPolicy() == RollbackPolicy.LOGICAL;
    if (watch.verdict() == ClockWatch.BACKWARD && !logical) {
      reasons.add("clock: " + watch.behindMillis() + " ms behind its own past");
    }
    if (watch.verdict() == ClockWatch.AHEAD) {
      reasons.add("clock: leapt forward, not confirmed yet");
    }
    if (closed) {
      reasons.add("generator: closed");
    } else if (lease.closed()) {
      reasons.add("lease: none");
    } else if (now >= 0 && tickAt(now) > layout.maxTick()) {
      reasons.add("layout: ended at " + layout.end());
    } else if (now >= 0 && tickAt(now) >= lease.horizonTick()) {
      reasons.add("lease: ended at its horizon");
    } else if (now >= 0 && lease.tickOf(lease.position()) - tickAt(now) > runAheadTicks) {
      reasons.add("lease: begins in the future");
    }
    return new EngineStatus(
        reasons,
        lease.workerIds(),
        lease.horizonTick() == 0 ? 0 : layout.startMillis(lease.horizonTick()),
        watch.rollbacks(),
        watch.leaps());
  }

  @Override
  public void close() {
    closed = true;
    endLease();
    for (CompletableFuture<IdBatch> result : pending.values()) {
      result.completeExceptionally(closedException()); // its timer may never run
    }
    pending.clear();
  }

  // ---- sinks

  /** Writes ids into an array. */
  private static final class ArraySink implements Take.Sink {
    private final long[] into;
    private int at;

    ArraySink(long[] into) {
      this.into = into;
    }

    @Override
    public void accept(Lease lease, long p, long n) {
      write(lease, p, n, into, at);
      at += (int) n;
    }
  }

  /** Collects runs; one run per worker id and tick. */
  private static final class RunSink implements Take.Sink {
    private final List<IdRun> runs = new ArrayList<>(1);

    @Override
    public void accept(Lease lease, long p, long n) {
      long left = n;
      long from = p;
      while (left > 0) {
        int length = (int) lease.runLength(from, left);
        runs.add(new IdRun(lease.idAt(from), length, lease.stride()));
        from += length;
        left -= length;
      }
    }

    IdBatch batch() {
      return new IdBatch(runs);
    }
  }
}
