package dev.idgen.check.simulation;

import dev.idgen.entropy.Entropy;
import java.util.SplittableRandom;

/** Random bits from a seed. */
final class SeededEntropy implements Entropy {
  private final SplittableRandom random;

  SeededEntropy(SplittableRandom random) {
    this.random = random;
  }

  @Override
  public void fill(byte[] bytes) {
    random.nextBytes(bytes);
  }

  @Override
  public long nextLong() {
    return random.nextLong();
  }
}
