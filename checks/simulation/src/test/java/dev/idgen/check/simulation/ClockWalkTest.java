package dev.idgen.check.simulation;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class ClockWalkTest {
  private static final int SEEDS = Integer.getInteger("idgen.walks", 1_500);

  @Test
  void run_manySeeds_idsDifferAndRise() {
    Long only = Long.getLong("idgen.seed");
    long first = only == null ? 1 : only;
    long end = only == null ? SEEDS : only;
    long issued = 0;
    for (long seed = first; seed <= end; seed++) {
      issued += ClockWalk.run(seed);
    }
    assertTrue(only != null || issued > 100L * SEEDS, "issued " + issued);
  }
}
