package dev.idgen.store.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class JdbcOptionsTest {
  @Test
  void options_whatMakesNoSense_isRefused() {
    assertRefused("maxOpen: 2 (expected: > 2)", 2, 0, 2_000);
    assertRefused("maxIdle: -1 (expected: >= 0)", 3, -1, 2_000);
    assertRefused("timeoutMs: 499 (expected: 500..60000)", 3, 0, 499);
    assertRefused("timeoutMs: 60001 (expected: 500..60000)", 3, 0, 60_001);
  }

  private static void assertRefused(String message, int maxOpen, int maxIdle, long timeoutMs) {
    var e =
        assertThrows(
            IllegalArgumentException.class, () -> new JdbcOptions(maxOpen, maxIdle, timeoutMs));
    assertEquals(message, e.getMessage());
  }

  @Test
  void defaults_areThoseOfTheSettings() {
    assertEquals(new JdbcOptions(20, 10, 2_000), JdbcOptions.DEFAULTS);
    assertEquals(18, JdbcOptions.DEFAULTS.pooled());
  }

  /** A row is given up before the answer is. */
  @Test
  void patience_any_givesARowUpFirst() {
    assertEquals(1_500, new Patience(2_000).lockMs());
    assertEquals(5_000, new Patience(2_000).idleMs());
    assertEquals(375, new Patience(500).lockMs());
  }
}
