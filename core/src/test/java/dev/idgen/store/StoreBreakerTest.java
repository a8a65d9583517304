package dev.idgen.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class StoreBreakerTest {
  private static final long MS = 1_000_000;

  private final StoreException away = StoreException.refused("away");
  private final StoreBreaker breaker = new StoreBreaker();

  private void failed(int times, StoreException failure) {
    for (int i = 0; i < times; i++) {
      breaker.failed(failure, 0);
    }
  }

  @Test
  void admits_fiveFailuresInARow_restsThenLetsOneTry() {
    failed(4, away);
    assertTrue(breaker.admits(0, false));
    failed(1, away);
    assertTrue(breaker.open());
    assertEquals("away", breaker.why());
    assertFalse(breaker.admits(999 * MS, false));
    assertTrue(breaker.admits(1_000 * MS, false));
    assertFalse(breaker.admits(1_000 * MS, false), "one at a time");
    breaker.succeeded();
    assertTrue(breaker.admits(1_000 * MS, false));
  }

  @Test
  void admits_criticalTag_mayTryFirst() {
    failed(5, away);
    assertFalse(breaker.admits(499 * MS, true));
    assertTrue(breaker.admits(500 * MS, true));
  }

  @Test
  void admits_trialWithoutAnEnd_letsAnotherTry() {
    failed(5, away);
    assertTrue(breaker.admits(1_000 * MS, false));
    assertFalse(breaker.admits(2_999 * MS, false));
    assertTrue(breaker.admits(3_000 * MS, false));
  }

  /** C69: one tag whose row somebody keeps locked asks again and again. */
  @Test
  void failed_oneRowAlone_letsOtherTagsCall() {
    failed(50, StoreException.refused("row locked").ofRow());
    assertTrue(breaker.admits(0, false));
  }
}
