package dev.idgen;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

class IdRunTest {

  @Test
  void lastInclusive_atTheEndOfTheIds_isExact() {
    assertEquals(Long.MAX_VALUE, new IdRun(Long.MAX_VALUE - 9, 10, 1).lastInclusive());
  }

  @Test
  void new_pastTheEndOfTheIds_isRefused() {
    var e =
        assertThrows(IllegalArgumentException.class, () -> new IdRun(Long.MAX_VALUE - 9, 11, 1));
    assertEquals("stride: 1 (expected: 1..0)", e.getMessage());
  }

  @Test
  void toArray_twoRuns_keepsOrder() {
    IdBatch batch = new IdBatch(List.of(new IdRun(5, 2, 10), new IdRun(100, 3, 1)));
    assertEquals(5, batch.count());
    assertArrayEquals(new long[] {5, 15, 100, 101, 102}, batch.toArray());
  }
}
