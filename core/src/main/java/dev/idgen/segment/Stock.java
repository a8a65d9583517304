package dev.idgen.segment;

import dev.idgen.store.SegmentReply;
import dev.idgen.time.TimeSource;
import java.util.ArrayDeque;

/**
 * The segments that an engine holds: the present one, from which everybody takes without a lock,
 * and those that were fetched ahead. Knows how fast they are used up, and so how many to fetch
 * next. All but {@link #current} and {@link #lastGone} is guarded by this, which is the lock of the
 * whole engine.
 */
final class Stock {
  private static final long NANOS = 1_000_000;
  private static final int MAX_READY = 8;

  /** Replaced under the lock, by one whose ids are all higher, once it is used up. */
  volatile Segment current = Segment.NONE;

  /**
   * The last id that nobody may get any more: below the floor, and after a close every one. Only
   * rises. What was reserved earlier and is not given yet is held against it.
   */
  volatile long lastGone = -1;

  private final SegmentOptions options;
  private final TimeSource time;
  private final StepPolicy steps;
  private final ArrayDeque<Segment> ready = new ArrayDeque<>(1); // seldom more
  private Segment observed = Segment.NONE; // the last one that the steps were told of
  private long floor;
  private long sinceNanos; // when the first id of the present segment could be taken
  private boolean closed;

  Stock(SegmentOptions options, TimeSource time) {
    this.options = options;
    this.time = time;
    this.steps = new StepPolicy(options.step(), options.stepMin(), options.stepMax());
  }

  boolean isClosed() {
    return closed;
  }

  long floor() {
    return floor;
  }

  long step() {
    return steps.step();
  }

  // ---- giving

  /** Whether something is held that it can use. */
  boolean holdsFor(Waiter waiter) {
    long least = waiter.least();
    return current.left() >= least || ready.stream().anyMatch(s -> s.left() >= least);
  }

  /**
   * From the present segment, and from those behind it as each is used up.
   *
   * @return how many ids were passed over
   */
  long giveTo(Waiter waiter) {
    waiter.takeFrom(current);
    long passed = 0;
    while (waiter.wanted() > 0 && !ready.isEmpty() && holdsFor(waiter)) {
      Segment next = ready.remove();
      waiter.takeFrom(next); // before others can
      passed += current.skipTo(Long.MAX_VALUE);
      publish(next);
    }
    return passed;
  }

  private void publish(Segment next) {
    observe();
    sinceNanos = time.monotonicNanos();
    current = next; // the one before is used up: what is taken from now on is higher
  }

  // ---- what comes and goes

  /** A segment of what the store gave, which nobody can reach yet. */
  Segment segment(SegmentReply.Granted granted) {
    long count = granted.count();
    long percent = options.prefetchPercent();
    long share = Math.min(count - 1, count / 100 * percent + count % 100 * percent / 100);
    long mark = Math.max(0, Math.min(share, count - runwayIds()));
    return new Segment(granted.first(), count, granted.stride(), mark);
  }

  /** How many ids last for the runway, at the rate of the present segment. */
  private long runwayIds() {
    double perNano = perNano(current);
    return perNano <= 0 ? 0 : (long) (perNano * options.runwayMs() * NANOS);
  }

  /** Holds one whose ids are all higher than those that are held. */
  void add(Segment fresh) {
    if (current.left() == 0 && ready.isEmpty()) {
      publish(fresh);
    } else {
      ready.add(fresh);
    }
  }

  /**
   * Nobody gets what is held any more.
   *
   * @return how many ids that were
   */
  long drop() {
    long dropped = current.skipTo(Long.MAX_VALUE);
    for (Segment segment : ready) {
      dropped += segment.skipTo(Long.MAX_VALUE);
    }
    ready.clear();
    return dropped;
  }

  /**
   * Nobody gets what is held below an id any more.
   *
   * @return how many ids that were
   */
  long raiseTo(long id) {
    floor = Math.max(floor, id);
    lastGone = Math.max(lastGone, floor - 1);
    long dropped = current.skipTo(current.offsetOf(floor));
    for (Segment segment : ready) {
      dropped += segment.skipTo(segment.offsetOf(floor));
    }
    return dropped;
  }

  /**
   * Holds nothing more from now on.
   *
   * @return how many ids were held
   */
  long close() {
    closed = true;
    lastGone = Long.MAX_VALUE;
    return drop();
  }

  // ---- how many, and for how long

  /** Whether so much is used up that the next segment is due. */
  boolean isLow() {
    Segment s = current;
    boolean low = s.count > 0 && s.count - s.left() > s.mark;
    return low && (ready.isEmpty() || isShort());
  }

  /** Whether what is held would be used up before the runway is, at the rate of this segment. */
  private boolean isShort() {
    long runway = runwayMs();
    return options.runwayMs() > 0
        && ready.size() < MAX_READY
        && runway >= 0
        && runway < options.runwayMs();
  }

  /** How many ids to fetch next, as fast as the present segment was used. */
  long nextStep() {
    observe();
    return steps.step();
  }

  /** Each segment counts once, however often the store is asked. */
  private void observe() {
    Segment s = current;
    if (s != observed && s.count > 0) {
      double used = (double) (s.count - s.left()) / s.count;
      if (steps.observe(used, time.monotonicNanos() - sinceNanos)) {
        observed = s;
      }
    }
  }

  long held() {
    long sum = current.left();
    for (Segment segment : ready) {
      sum += segment.left();
    }
    return sum;
  }

  /** How long what is held lasts; -1: nobody knows, since nothing was used yet. */
  long runwayMs() {
    double perNano = perNano(current);
    return perNano <= 0 ? -1 : (long) (held() / perNano / NANOS);
  }

  private double perNano(Segment s) {
    return (double) (s.count - s.left()) / Math.max(1, time.monotonicNanos() - sinceNanos);
  }
}
