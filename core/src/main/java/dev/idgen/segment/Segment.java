package dev.idgen.segment;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Ids of this process alone, counted off from the first one. Thread-safe.
 *
 * <p>The counter, of places reserved, only grows. Who reserves behind the end gets nothing, and may
 * push it on: offsets are counted, not ids, so nothing wraps and nothing behind the end is ever
 * given.
 */
final class Segment extends Padded.After {
  /** Before the first fetch. */
  static final Segment NONE = new Segment(0, 0, 1, 0);

  private static final VarHandle TAKEN;

  static {
    try {
      TAKEN = MethodHandles.lookup().findVarHandle(Padded.Counter.class, "counter", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  final long first;
  final long count;
  final long stride;
  final long mark;

  /**
   * Ids that nobody has taken yet.
   *
   * @param mark the offset whose taking asks for the next segment; {@code count} or more: none does
   */
  Segment(long first, long count, long stride, long mark) {
    this.first = first;
    this.count = count;
    this.stride = stride;
    this.mark = mark;
  }

  /**
   * Reserves places.
   *
   * @return the offset of the first one; those at {@code count} and behind are nothing
   */
  long take(long n) {
    return (long) TAKEN.getAndAdd(this, n); // linearization point; dying after it leaves a gap
  }

  /**
   * Reserves places that are all there, or none.
   *
   * @return the offset of the first one; -1: not so many are left
   */
  long takeWhole(long n) {
    for (long now = counter; now <= count - n; now = counter) {
      if (TAKEN.compareAndSet(this, now, now + n)) { // linearization point, as above
        return now;
      }
    }
    return -1;
  }

  /** The id at an offset below {@code count}. */
  long id(long offset) {
    return first + offset * stride;
  }

  long lastInclusive() {
    return id(count - 1);
  }

  /**
   * The offset of the first id of this segment that is not below another one; may be behind the
   * end.
   */
  long offsetOf(long other) {
    return offsetOf(other, first, stride);
  }

  /** The same for ids that are a stride apart. */
  static long offsetOf(long other, long first, long stride) {
    if (other <= first) {
      return 0;
    }
    long distance = other - first;
    return distance / stride + (distance % stride == 0 ? 0 : 1);
  }

  /** How many are left: 0 or more. */
  long left() {
    return Math.max(0, count - counter);
  }

  /**
   * Gives up all places below an offset.
   *
   * @return how many of them nobody had taken
   */
  long skipTo(long offset) {
    long to = Math.min(offset, count);
    for (long now = counter; now < to; now = counter) {
      if (TAKEN.compareAndSet(this, now, to)) {
        return to - now;
      }
    }
    return 0;
  }
}
