package dev.idgen.uuid;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** One millisecond of a {@link Timeline}: where its ids begin, and how many were taken. */
final class Tick {
  private static final VarHandle TAKEN = taken();

  final long millis;

  /** Random start of the ids of this tick: the places count up from it. */
  final long startHigh;

  final long startLow;

  /** How many places there are; places from here on do not exist. */
  final long places;

  /** Only grows. What is past {@code places} was refused. */
  @SuppressWarnings("UnusedVariable") // by TAKEN
  private volatile long taken;

  Tick(long millis, long startHigh, long startLow, long places) {
    this.millis = millis;
    this.startHigh = startHigh;
    this.startLow = startLow;
    this.places = places;
  }

  private static VarHandle taken() {
    try {
      return MethodHandles.lookup().findVarHandle(Tick.class, "taken", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** The next place: from 0 up, each once. Does not exist if it is not below {@code places}. */
  long take() {
    return (long) TAKEN.getAndAdd(this, 1L);
  }
}
