package dev.idgen.text;

import java.util.Random;

/** Randomness of tests: prints its seed, and replays it from the property {@code idgen.seed}. */
public final class Seed {
  private static final String PROPERTY = "idgen.seed";

  private Seed() {}

  /** A generator for one test, whose seed is printed with the test's name. */
  public static Random random(String test) {
    long seed = Long.getLong(PROPERTY, System.nanoTime());
    System.out.println(test + ": -D" + PROPERTY + "=" + seed);
    return new Random(seed);
  }

  /** An id with a random number of bits, so that short ones are as frequent as long ones. */
  public static long id(Random random) {
    return random.nextLong() >>> (1 + random.nextInt(63));
  }
}
