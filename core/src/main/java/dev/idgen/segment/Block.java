package dev.idgen.segment;

import dev.idgen.IdRun;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/**
 * Ids of one thread alone, counted down to none. Only that thread takes, so no step is atomic;
 * others may read how many are left, and get what was right a moment ago.
 *
 * <p>It knows its thread weakly, and nothing of the generator: it keeps neither from ending.
 */
final class Block extends Padded.After {
  private static final VarHandle LEFT;

  static {
    try {
      LEFT = MethodHandles.lookup().findVarHandle(Padded.Counter.class, "counter", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final WeakReference<Thread> owner;

  /** Behind the last id; may be above 2^63, where distances from it are still right. */
  private long end;

  private long stride;

  /**
   * A block that holds nothing yet.
   *
   * @param owner null: nobody's
   */
  Block(@Nullable Thread owner) {
    this.owner = new WeakReference<>(owner);
  }

  /** A block that goes on with what is left of another one, whose thread has ended. */
  Block(Thread owner, Block orphan) {
    this(owner);
    end = orphan.end;
    stride = orphan.stride;
    leave(orphan.left());
  }

  boolean isOf(Thread thread) {
    return owner.refersTo(thread);
  }

  /** Whether its thread has ended. Whoever is told so sees all that the thread did to it. */
  boolean orphaned() {
    Thread thread = owner.get();
    return thread == null || !thread.isAlive();
  }

  /** How many ids are left: 0 or more. */
  long left() {
    return (long) LEFT.getOpaque(this);
  }

  /** The next id, of so many that are left. */
  long first(long left) {
    return end - left * stride;
  }

  /** Has so many left from now on. */
  void leave(long left) {
    LEFT.setOpaque(this, left);
  }

  /** Takes the next id; one must be left. */
  long take() {
    long left = left();
    leave(left - 1);
    return first(left);
  }

  /** Takes up to so many ids, 1 or more; one must be left. */
  IdRun takeRun(int most) {
    long left = left();
    int count = (int) Math.min(left, most);
    leave(left - count);
    return new IdRun(first(left), count, stride);
  }

  /** Holds other ids from now on. */
  void set(long firstId, long count, long distance) {
    stride = distance;
    end = firstId + count * distance;
    leave(count);
  }

  /** Whether an id that is left is not above this one. */
  boolean holds(long lastInclusive) {
    long left = left();
    return left > 0 && first(left) <= lastInclusive;
  }

  /**
   * Gives up what is not above an id, if it {@link #holds} some of it.
   *
   * @return how many ids that were
   */
  long dropUpTo(long lastInclusive) {
    long left = left();
    long dropped = Math.min(left, (lastInclusive - first(left)) / stride + 1);
    leave(left - dropped);
    return dropped;
  }
}
