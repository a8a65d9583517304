package dev.idgen.snowflake;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collection;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.Lincheck;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LeaseRacesTest {
  private static final int INVOCATIONS = Integer.getInteger("idgen.invocations", 300);

  static Collection<String> races() {
    return LeaseRaces.all().keySet();
  }

  @ParameterizedTest
  @MethodSource("races")
  void race_everyInterleavingThatMatters_holds(String name) {
    Runnable race = LeaseRaces.all().get(name);
    assertTrue(race != null);
    Lincheck.runConcurrentTest(INVOCATIONS, race);
  }

  /** The checker does see interleavings: a counter that is read and then written loses counts. */
  @Test
  void race_unsafeCounter_isFound() {
    assertThrows(
        AssertionError.class,
        () -> Lincheck.runConcurrentTest(INVOCATIONS, LeaseRacesTest::loseACount));
  }

  private static void loseACount() {
    AtomicInteger count = new AtomicInteger();
    Thread one = new Thread(() -> count.set(count.get() + 1));
    Thread two = new Thread(() -> count.set(count.get() + 1));
    one.start();
    two.start();
    try {
      one.join();
      two.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (count.get() != 2) {
      throw new IllegalStateException("count: " + count + " (expected: 2)");
    }
  }
}
