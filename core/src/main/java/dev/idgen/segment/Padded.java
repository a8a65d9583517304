package dev.idgen.segment;

/**
 * Keeps a counter alone on its cache line. Every take writes it, so whatever lay beside it would
 * have to be fetched anew from the other processor by every take.
 *
 * <p>Fields of a superclass come before those of its subclasses, so two classes that hold nothing
 * but space keep the neighbours away: two lines on either side, since processors fetch lines in
 * pairs.
 */
final class Padded {
  private Padded() {}

  /** Space before. */
  @SuppressWarnings("unused")
  abstract static class Before {
    long b00, b01, b02, b03, b04, b05, b06, b07;
    long b10, b11, b12, b13, b14, b15, b16, b17;
  }

  /** The counter; the class that has it says what it counts. */
  abstract static class Counter extends Before {
    volatile long counter;
  }

  /** Space behind. */
  @SuppressWarnings("unused")
  abstract static class After extends Counter {
    long a00, a01, a02, a03, a04, a05, a06, a07;
    long a10, a11, a12, a13, a14, a15, a16, a17;
  }
}
