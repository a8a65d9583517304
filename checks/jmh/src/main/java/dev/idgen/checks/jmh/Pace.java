package dev.idgen.checks.jmh;

/**
 * How long to measure.
 *
 * @param forks processes for each thing
 * @param warmupMs before each measurement
 * @param iterations measurements in one process
 * @param iterationMs length of one
 */
record Pace(int forks, int warmupMs, int iterations, int iterationMs) {
  /** For a table that is to be believed. */
  static final Pace FULL = new Pace(3, 1_000, 3, 700);

  /** For a look while working on the code. */
  static final Pace QUICK = new Pace(1, 600, 2, 300);
}
