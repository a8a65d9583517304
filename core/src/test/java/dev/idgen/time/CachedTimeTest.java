package dev.idgen.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class CachedTimeTest {
  private static final long NOW = 1_790_000_000_000L;

  private final FakeTime fake = new FakeTime(NOW);
  private final CachedTime time = new CachedTime(fake, fake.scheduler());

  private void readOften() {
    for (int i = 0; i < 64; i++) {
      time.wallMillis();
    }
  }

  @Test
  void wallMillis_seldomRead_isTheClocksOwn() {
    for (int i = 0; i < 100; i++) {
      fake.stepWall(1);
      assertEquals(NOW + 1 + i, time.wallMillis());
    }
    fake.stepWall(-50);
    assertEquals(NOW + 50, time.wallMillis());
  }

  @Test
  void wallMillis_readOften_isACopyUntilTheTimerTicks() {
    readOften();
    fake.stepWall(7);
    assertEquals(NOW, time.wallMillis());
    fake.advanceMillis(1);
    assertEquals(NOW + 8, time.wallMillis());
  }

  @Test
  void wallMillis_clockSetBack_followsIt() {
    readOften();
    fake.stepWall(-5_000);
    fake.advanceMillis(1);
    assertEquals(NOW - 4_999, time.wallMillis());
  }

  @Test
  void wallMillis_leftAlone_isTheClocksOwnAgain() {
    readOften();
    fake.advanceMillis(40);
    fake.stepWall(3);
    assertEquals(NOW + 43, time.wallMillis());
  }

  @Test
  void wallMillis_readNowAndThen_keepsTheTimer() {
    readOften();
    for (int i = 0; i < 10; i++) {
      fake.advanceMillis(20);
      time.wallMillis();
    }
    fake.stepWall(3);
    assertEquals(NOW + 200, time.wallMillis());
  }

  @Test
  void wallMillis_readOftenAfterARest_startsTheTimerAgain() {
    readOften();
    fake.advanceMillis(40);
    readOften();
    fake.stepWall(3);
    assertEquals(NOW + 40, time.wallMillis());
  }

  @Test
  void nanosUntil_readOften_isNeverLate() {
    readOften();
    fake.stepWall(7);
    assertEquals(3_000_000, time.nanosUntil(NOW + 10));
    assertEquals(fake.monotonicNanos(), time.monotonicNanos());
  }

  @Test
  void cached_ofThisMachine_isWithinItsReach() {
    long before = System.currentTimeMillis();
    assertTrue(TimeSource.cached().wallMillis() >= before - 60_000);
  }
}
