package dev.idgen.snowflake;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collection;
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

  /** It is reached as a lease is: a plain field of an object that only the racing bodies hold. */
  private static final class Counter implements Runnable {
    volatile int count;

    @Override
    public void run() {
      int seen = count;
      count = seen + 1;
    }
  }

  private static void loseACount() {
    Counter counter = new Counter();
    LeaseRaces.run(counter, counter);
    if (counter.count != 2) {
      throw new IllegalStateException("count: " + counter.count + " (expected: 2)");
    }
  }
}
