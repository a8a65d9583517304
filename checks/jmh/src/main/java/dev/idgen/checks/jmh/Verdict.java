package dev.idgen.checks.jmh;

import static java.util.Locale.ROOT;

/**
 * One line of the table: what we reached beside what we want.
 *
 * @param work what is done
 * @param threads by how many threads
 * @param ours what we scored
 * @param against what that is compared with
 * @param ratio ours to that
 * @param error of the ratio
 * @param target the least ratio wanted, or the most where less is better
 * @param lessIsBetter whether the ratio is to be small
 */
record Verdict(
    String work,
    int threads,
    String ours,
    String against,
    double ratio,
    double error,
    double target,
    boolean lessIsBetter) {

  boolean reached() {
    return lessIsBetter ? ratio <= target : ratio >= target;
  }

  String markdown() {
    return String.format(
        ROOT,
        "| %s | %d | %s | %s | %.3g ± %.0f %% | %s %.4g | %s |",
        work,
        threads,
        ours,
        against,
        ratio,
        error * 100,
        lessIsBetter ? "<=" : ">=",
        target,
        reached() ? "reached" : "**LOST**");
  }
}
