package dev.idgen.check.simulation;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** True time, chance, and the one queue of all that will happen. Everything else hangs on it. */
public final class World {
  /** True wall time at the start. */
  static final long START_MILLIS = 1_800_000_000_000L;

  static final long MILLI = 1_000_000;
  private static final int MAX_EVENTS = 20_000_000;

  private final PriorityQueue<Event> queue =
      new PriorityQueue<>(Comparator.comparingLong(Event::atNanos).thenComparingLong(Event::order));
  private final SplittableRandom random;
  private final Trace trace = new Trace();
  private long nowNanos;
  private long order;
  private long events;
  private @Nullable Violation violation;

  World(long seed) {
    random = new SplittableRandom(seed);
  }

  private record Event(long atNanos, long order, Runnable action) {}

  long nowNanos() {
    return nowNanos;
  }

  /** What a perfect wall clock reads. */
  long trueMillis() {
    return START_MILLIS + nowNanos / MILLI;
  }

  SplittableRandom random() {
    return random;
  }

  Trace trace() {
    return trace;
  }

  void note(int process, String kind, long a, long b) {
    trace.add(nowNanos, process, kind, a, b);
  }

  void in(long delayNanos, Runnable action) {
    queue.add(new Event(nowNanos + Math.max(0, delayNanos), order++, action));
  }

  void inMillis(long delayMillis, Runnable action) {
    in(delayMillis * MILLI, action);
  }

  /** Lets everything happen that is due within a time. */
  void run(long millis) {
    runNanos(millis * MILLI);
  }

  void runNanos(long nanos) {
    long end = nowNanos + nanos;
    while (!queue.isEmpty() && queue.peek().atNanos <= end) {
      step();
    }
    nowNanos = end;
  }

  private void step() {
    Event event = queue.remove();
    nowNanos = event.atNanos;
    if (++events > MAX_EVENTS) {
      throw new Violation("events: more than " + MAX_EVENTS + " (expected: a run that ends)");
    }
    event.action.run();
    if (violation != null) {
      throw violation;
    }
  }

  /** Remembers a violation, since a future may swallow what its listeners throw. */
  Violation fail(String message) {
    Violation found = new Violation(message);
    if (violation == null) {
      violation = found;
    }
    return found;
  }

  /** Throws what was found, if anything was. */
  void requireSound() {
    if (violation != null) {
      throw violation;
    }
  }

  /** A number between two bounds, small ones as likely as large ones. */
  long scaled(long least, long most) {
    double lowest = Math.log((double) least);
    double logarithm = lowest + random.nextDouble() * (Math.log((double) most) - lowest);
    return Math.max(least, Math.min(most, Math.round(Math.exp(logarithm))));
  }

  boolean chance(double probability) {
    return random.nextDouble() < probability;
  }
}
