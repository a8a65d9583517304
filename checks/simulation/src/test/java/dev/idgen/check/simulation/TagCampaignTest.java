package dev.idgen.check.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import org.junit.jupiter.api.Test;

/**
 * Many clusters of servers that follow tags, with marks over several databases, each from a seed.
 * {@code -Didgen.seed=N} runs one, {@code -Didgen.seeds=N} many.
 */
class TagCampaignTest {
  private static final int SEEDS = Integer.getInteger("idgen.seeds", 2_000);

  @Test
  void run_manySeeds_keepEveryPromise() {
    Long only = Long.getLong("idgen.seed");
    String failure =
        only == null ? TagCampaign.firstFailure(1, SEEDS) : TagCampaign.firstFailure(only, 1);
    if (failure != null) {
      fail(failure);
    }
  }

  @Test
  void run_sameSeedTwice_givesTheSameTrace() {
    for (long seed = 1; seed <= 25; seed++) {
      assertEquals(TagCampaign.run(seed), TagCampaign.run(seed), "seed " + seed);
    }
    assertNotEquals(TagCampaign.run(1).traceHash(), TagCampaign.run(2).traceHash());
  }

  /** A check that sees nothing finds nothing. */
  @Test
  void run_anySeeds_issueAndRefuse() {
    long issued = 0;
    long refusals = 0;
    for (long seed = 1; seed <= 20; seed++) {
      Campaign.Outcome outcome = TagCampaign.run(seed);
      issued += outcome.issued();
      refusals += outcome.refusals();
    }
    assertTrue(issued > 10_000, "issued " + issued);
    assertTrue(refusals > 1_000, "refused " + refusals);
  }
}
