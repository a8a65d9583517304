package dev.idgen.snowflake;

import dev.idgen.IdBatch;
import dev.idgen.IdException;
import dev.idgen.IdRun;
import dev.idgen.layout.Layout;
import dev.idgen.time.Scheduler;
import dev.idgen.time.TimeSource;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jetbrains.lincheck.Lincheck;

/**
 * Races on a lease and on an engine that changes leases. Each must hold in every interleaving: no
 * place twice, later takes above earlier ones, nothing after a close, nothing at the horizon.
 */
public final class LeaseRaces {
  private static final Layout LAYOUT = Layout.of("50/9/4"); // 16 places a tick: 3 are a giant
  private static final int[] WORKER = {5};
  private static final long NOW = 10;
  private static final long ASTRAY = Long.MAX_VALUE - 1; // a place that is above every horizon

  private LeaseRaces() {}

  /** All races by name. */
  public static Map<String, Runnable> all() {
    Map<String, Runnable> races = new LinkedHashMap<>();
    races.put("takes", LeaseRaces::takes);
    races.put("giants", LeaseRaces::giants);
    races.put("raise", LeaseRaces::raise);
    races.put("close", LeaseRaces::close);
    races.put("closeAtNewTick", LeaseRaces::closeAtNewTick);
    races.put("closeTwice", LeaseRaces::closeTwice);
    races.put("severalWorkers", LeaseRaces::severalWorkers);
    races.put("switchLease", LeaseRaces::switchLease);
    races.put("switchWhileTaking", LeaseRaces::switchWhileTaking);
    races.put("closeEngine", LeaseRaces::closeEngine);
    return races;
  }

  /**
   * Runs races under the model checker in a process of its own.
   *
   * @param args invocations, then names
   */
  public static void main(String[] args) {
    int invocations = Integer.parseInt(args[0]);
    for (int i = 1; i < args.length; i++) {
      Runnable race = all().get(args[i]);
      if (race == null) {
        throw new IllegalArgumentException(
            "race: " + args[i] + " (expected: one of " + all().keySet() + ")");
      }
      Lincheck.runConcurrentTest(invocations, race);
    }
  }

  // ---- one lease

  /** Two takers whose clocks differ by a tick. */
  static void takes() {
    Lease lease = lease(NOW + 5, SequenceStart.ZERO);
    Taker one = new Taker(lease, NOW, 1, 2);
    Taker two = new Taker(lease, NOW + 1, 2, 1);
    run(one, two);
    requireApart(lease, one, two);
  }

  /** A giant among small ones. */
  static void giants() {
    Lease lease = lease(NOW + 5, SequenceStart.SPREAD);
    Taker one = new Taker(lease, NOW, 16, 1);
    Taker two = new Taker(lease, NOW, 2, 9);
    run(one, two);
    requireApart(lease, one, two);
  }

  /** Takers at the horizon, while the keeper raises it. */
  static void raise() {
    Lease lease = lease(NOW + 1, SequenceStart.ZERO);
    requireTaken(lease.reserve(15, NOW));
    Taker one = new Taker(lease, NOW, 1, 2);
    Taker two = new Taker(lease, NOW, 1, 1);
    run(one, two, () -> lease.raise(NOW + 2));
    requireApart(lease, one, two);
    requireBelow(lease, NOW + 2, one);
    requireBelow(lease, NOW + 2, two);
  }

  /** Takers in the present tick, while the lease ends. */
  static void close() {
    Lease lease = lease(NOW + 5, SequenceStart.ZERO);
    requireTaken(lease.reserve(1, NOW));
    closing(lease, new Taker(lease, NOW, 1, 2), new Taker(lease, NOW, 2));
  }

  /** Takers that move on to a new tick, while the lease ends. */
  static void closeAtNewTick() {
    Lease lease = lease(NOW + 5, SequenceStart.ZERO);
    closing(lease, new Taker(lease, NOW, 1, 1), new Taker(lease, NOW + 1, 1));
  }

  private static void closing(Lease lease, Taker one, Taker two) {
    long[] last = {-1};
    run(one, two, () -> last[0] = lease.close());
    requireApart(lease, one, two);
    requireBelow(lease, last[0] + 1, one);
    requireBelow(lease, last[0] + 1, two);
    requireClosed(lease, last[0]);
  }

  /** Two that end the lease at once: both must count what was taken. */
  static void closeTwice() {
    Lease lease = lease(NOW + 5, SequenceStart.ZERO);
    Taker one = new Taker(lease, NOW, 1, 1);
    long[] last = {-1, -1};
    run(one, () -> last[0] = lease.close(), () -> last[1] = lease.close());
    requireBelow(lease, Math.min(last[0], last[1]) + 1, one);
    requireClosed(lease, Math.min(last[0], last[1]));
  }

  /** Several worker ids share one state. */
  static void severalWorkers() {
    Lease lease = new Lease(LAYOUT, new int[] {3, 4, 9}, NOW, NOW + 3, SequenceStart.ZERO, 4);
    Taker one = new Taker(lease, NOW, 4, 20);
    Taker two = new Taker(lease, NOW, 5, 5);
    run(one, two);
    requireApart(lease, one, two);
    requireIdsRise(lease, one);
    requireIdsRise(lease, two);
  }

  // ---- an engine

  /** A taker, while the engine changes to a lease on the same worker id. */
  static void switchLease() {
    SnowflakeEngine engine = engine();
    long first = requireTaken(engine.tryNext());
    IdTaker one = new IdTaker(engine, IdTaker.NEXT, IdTaker.BATCH);
    IdTaker two = new IdTaker(engine, IdTaker.TRY);
    run(one, two, () -> engine.switchTo(WORKER, 0, NOW + 50));
    requireOrder(first, one);
    requireOrder(first, two);
    requireApart(one, two);
    requireNextAbove(engine, one);
    requireNextAbove(engine, two);
  }

  /** Takers that meet two changes. */
  static void switchWhileTaking() {
    SnowflakeEngine engine = engine();
    long first = requireTaken(engine.tryNext());
    IdTaker one = new IdTaker(engine, IdTaker.TRY, IdTaker.NEXT, IdTaker.NEXT);
    run(
        one,
        () -> engine.switchTo(WORKER, 0, NOW + 50),
        () -> engine.switchTo(WORKER, 0, NOW + 60));
    requireOrder(first, one);
    requireNextAbove(engine, one);
  }

  /** The engine is closed while its keeper gives it another lease: it must stay closed. */
  static void closeEngine() {
    SnowflakeEngine engine = engine();
    IdTaker one = new IdTaker(engine, IdTaker.NEXT);
    run(one, () -> engine.switchTo(WORKER, 0, NOW + 50), engine::close);
    if (engine.tryNext() >= 0 || !engine.current().closed()) {
      throw new IllegalStateException("engine: issues (expected: closed for good)");
    }
  }

  private static SnowflakeEngine engine() {
    EngineOptions options = EngineOptions.defaults().withLayout(LAYOUT);
    SnowflakeEngine engine =
        new SnowflakeEngine(options, new Slow(), new NoTimers(), EngineEvents.NONE, false);
    engine.switchTo(WORKER, 0, NOW + 40);
    return engine;
  }

  // ---- takers

  private static Lease lease(long horizonTick, SequenceStart start) {
    return new Lease(LAYOUT, WORKER, NOW, horizonTick, start, 4);
  }

  /** Runs all at once, to their ends. */
  static void run(Runnable... bodies) {
    Thread[] threads = new Thread[bodies.length];
    for (int i = 0; i < bodies.length; i++) {
      threads[i] = new Racer(bodies[i]);
    }
    for (Thread thread : threads) {
      thread.start();
    }
    for (Thread thread : threads) {
      join(thread);
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("join: interrupted (expected: to wait)", e);
    }
  }

  /**
   * Holds its body in a field of its own. When a thread starts, the model checker takes for shared
   * what the thread reaches, object by object, as far as it saw the objects made. A plain thread
   * keeps its task one object deeper since Java 19, in a holder that the checker never saw made: it
   * stops there, takes all behind it for local, and tries no interleavings.
   */
  private static final class Racer extends Thread {
    private final Runnable body;

    Racer(Runnable body) {
      this.body = body;
    }

    @Override
    public void run() {
      body.run();
    }
  }

  /** What was reserved: places from..end, and how far the lease had come before and after. */
  private static final class Taker implements Runnable {
    private final Lease lease;
    private final long now;
    private final long[] sizes;
    final long[] before;
    final long[] from;
    final long[] end;
    final long[] after;
    final long[] horizon;
    int count;

    Taker(Lease lease, long now, long... sizes) {
      this.lease = lease;
      this.now = now;
      this.sizes = sizes;
      before = new long[sizes.length];
      from = new long[sizes.length];
      end = new long[sizes.length];
      after = new long[sizes.length];
      horizon = new long[sizes.length];
    }

    @Override
    public void run() {
      for (long n : sizes) {
        long position = lease.position();
        long p = n == 1 ? one() : lease.reserve(n, now);
        if (p >= 0) {
          before[count] = position;
          from[count] = p;
          end[count] = p + n;
          after[count] = lease.position();
          horizon[count] = lease.horizonTick();
          count++;
        }
      }
    }

    /** As the engine takes one: the short ways first. */
    private long one() {
      long wall = LAYOUT.startMillis(now);
      if (lease.isOpen(wall)) {
        long distance = lease.takeOpen(wall);
        if (distance >= 0) {
          return distance < lease.places() ? now * lease.places() + distance : ASTRAY;
        }
        lease.shut();
        return beyond(distance);
      }
      long p = lease.takeOne(now);
      p = p >= 0 ? p : beyond(p);
      if (p >= 0 && lease.tickOf(p) <= now) {
        lease.open(wall);
      }
      return p;
    }

    private long beyond(long found) {
      return found == Lease.NONE ? lease.reserve(1, now) : lease.checked(~found, 1);
    }

    String shown(int i) {
      return "places " + from[i] + ".." + (end[i] - 1) + " after " + before[i];
    }
  }

  /** Takes ids in every way that an engine has, and gives up where it would have to wait. */
  private static final class IdTaker implements Runnable {
    static final int TRY = 0;
    static final int NEXT = 1;
    static final int BATCH = 2; // two ids as runs

    private final SnowflakeEngine engine;
    private final int[] ways;
    final long[] ids;
    int count;

    IdTaker(SnowflakeEngine engine, int... ways) {
      this.engine = engine;
      this.ways = ways;
      ids = new long[2 * ways.length];
    }

    @Override
    public void run() {
      for (int way : ways) {
        try {
          take(way);
        } catch (WouldWait | IdException e) {
          // A gap, or nothing at all: refused, or to be waited for.
        }
      }
    }

    private void take(int way) {
      if (way == BATCH) {
        IdBatch batch = engine.nextBatch(2);
        for (IdRun run : batch.runs()) {
          for (int i = 0; i < run.count(); i++) {
            ids[count++] = run.get(i);
          }
        }
        return;
      }
      long id = way == TRY ? engine.tryNext() : engine.next();
      if (id >= 0) {
        ids[count++] = id;
      }
    }
  }

  /** Time does not go on by waiting here. */
  private static final class WouldWait extends RuntimeException {
    private static final long serialVersionUID = 1L;

    WouldWait() {
      super("pause", null, false, false);
    }
  }

  // ---- what must hold

  private static long requireTaken(long value) {
    if (value < 0) {
      throw new IllegalStateException("take: " + value + " (expected: >= 0)");
    }
    return value;
  }

  private static void requireApart(Lease lease, Taker one, Taker two) {
    requireOrder(lease, one);
    requireOrder(lease, two);
    for (int i = 0; i < one.count; i++) {
      for (int j = 0; j < two.count; j++) {
        if (one.from[i] < two.end[j] && two.from[j] < one.end[i]) {
          throw broken(one.shown(i) + " and " + two.shown(j) + " overlap", "no place twice");
        }
      }
    }
  }

  /** In real time: what was taken before lies below, and what is taken after lies above. */
  private static void requireOrder(Lease lease, Taker taker) {
    long above = 0;
    for (int i = 0; i < taker.count; i++) {
      if (taker.from[i] < taker.before[i] || taker.from[i] < above) {
        throw broken(taker.shown(i), "at or above what was taken before");
      }
      if (taker.after[i] >= 0 && taker.after[i] < taker.end[i]) {
        throw broken(taker.shown(i), "below what is taken after");
      }
      if (lease.tickOf(taker.end[i] - 1) >= taker.horizon[i]) {
        throw broken(taker.shown(i), "below the horizon");
      }
      above = taker.end[i];
    }
  }

  private static IllegalStateException broken(String found, String expected) {
    return new IllegalStateException(found + " (expected: " + expected + ")");
  }

  private static void requireBelow(Lease lease, long endTick, Taker taker) {
    for (int i = 0; i < taker.count; i++) {
      if (lease.tickOf(taker.end[i] - 1) >= endTick) {
        throw broken(taker.shown(i), "below tick " + endTick);
      }
    }
  }

  private static void requireClosed(Lease lease, long last) {
    long late = lease.reserve(1, NOW + 2);
    if (late != Lease.CLOSED || !lease.closed()) {
      throw new IllegalStateException("take after close: " + late + " (expected: CLOSED)");
    }
    if (lease.close() < last) {
      throw new IllegalStateException(
          "close again: " + lease.close() + " (expected: >= " + last + ")");
    }
  }

  private static void requireIdsRise(Lease lease, Taker taker) {
    long last = -1;
    for (int i = 0; i < taker.count; i++) {
      for (long p = taker.from[i]; p < taker.end[i]; p++) {
        long id = lease.idAt(p);
        if (id <= last) {
          throw broken("id: " + id, "> " + last);
        }
        last = id;
      }
    }
  }

  private static void requireOrder(long first, IdTaker taker) {
    long last = first;
    for (int i = 0; i < taker.count; i++) {
      if (taker.ids[i] <= last) {
        throw broken("id: " + taker.ids[i], "> " + last);
      }
      last = taker.ids[i];
    }
  }

  private static void requireApart(IdTaker one, IdTaker two) {
    for (int i = 0; i < one.count; i++) {
      for (int j = 0; j < two.count; j++) {
        if (one.ids[i] == two.ids[j]) {
          throw broken("id: " + one.ids[i] + " twice", "no id twice");
        }
      }
    }
  }

  /** The lease that stands in the end begins above all that was issued under those before it. */
  private static void requireNextAbove(SnowflakeEngine engine, IdTaker taker) {
    Lease lease = engine.current();
    long next = lease.reserve(1, NOW);
    for (int i = 0; i < taker.count; i++) {
      if (next >= 0 && lease.idAt(next) <= taker.ids[i]) {
        throw broken("id: " + lease.idAt(next), "> " + taker.ids[i]);
      }
    }
  }

  // ---- time that nearly stands still

  /** Goes on by a tick with every fourth look, so that takers meet new ticks and the same ones. */
  private static final class Slow implements TimeSource {
    private int looks;

    @Override
    public long wallMillis() {
      return LAYOUT.startMillis(NOW + (looks++ >>> 2));
    }

    @Override
    public long monotonicNanos() {
      return 0;
    }

    @Override
    public void pause(long nanos) {
      throw new WouldWait();
    }
  }

  private static final class NoTimers implements Scheduler {
    @Override
    public Timer schedule(long delayNanos, Runnable task) {
      return () -> {};
    }

    @Override
    public void close() {}
  }
}
