package dev.idgen.check.simulation;

import java.util.function.LongFunction;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Runs seeds, and says what it takes to see a failure again. */
final class Seeds {
  private Seeds() {}

  /**
   * Runs many seeds.
   *
   * @param failure runs one; empty when it held
   * @return null when all held; else what the lowest failing seed says
   */
  static @Nullable String firstFailure(long firstSeed, int seeds, LongFunction<String> failure) {
    return LongStream.range(firstSeed, firstSeed + seeds)
        .parallel()
        .mapToObj(failure)
        .filter(text -> !text.isEmpty())
        .findFirst()
        .orElse(null);
  }

  /**
   * Runs one seed.
   *
   * @return empty when it held
   */
  static String failure(Runnable run) {
    try {
      run.run();
      return "";
    } catch (Violation e) {
      return String.valueOf(e.getMessage());
    }
  }

  /**
   * Runs what a seed stands for.
   *
   * @throws Violation with the seed, the plan and the last events
   */
  static void drive(long seed, Object plan, World world, Runnable course) {
    try {
      course.run();
    } catch (RuntimeException | AssertionError e) {
      throw new Violation(
          e.getMessage()
              + String.format("%n%s%nlast events:", plan)
              + world.trace().last()
              + String.format("%nreplay: -Didgen.seed=%d", seed),
          e);
    }
  }
}
