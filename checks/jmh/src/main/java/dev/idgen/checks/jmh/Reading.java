package dev.idgen.checks.jmh;

import java.util.Arrays;
import java.util.List;

/**
 * What one thing scored, once in each fork.
 *
 * @param what what was measured
 * @param scores one for each fork, at least one
 */
record Reading(String what, List<Double> scores) {

  /** Refuses a reading of nothing. */
  Reading {
    scores = List.copyOf(scores);
    if (scores.isEmpty()) {
      throw new IllegalArgumentException("scores: 0 (expected: >= 1)");
    }
  }

  double median() {
    double[] sorted = sorted();
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  /** Half of what lies between the lowest and the highest fork, as a share of the median. */
  double error() {
    double[] sorted = sorted();
    return (sorted[sorted.length - 1] - sorted[0]) / 2 / median();
  }

  private double[] sorted() {
    double[] sorted = scores.stream().mapToDouble(Double::doubleValue).toArray();
    Arrays.sort(sorted);
    return sorted;
  }
}
