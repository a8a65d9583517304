package dev.idgen.uuid;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import org.junit.jupiter.api.Test;

class UuidV4Test {

  /** RFC 9562, appendix A.3. */
  @Test
  void take_bitsOfTheStandardsExample_givesItsId() {
    UuidV4 ids = new UuidV4(new ScriptedEntropy("919108f752d133205bacf847db4148a8"));
    assertEquals("919108f7-52d1-4320-9bac-f847db4148a8", ids.take().toString());
  }

  @Test
  void take_allBitsSetOrNone_keepsVersionAndVariant() {
    assertEquals(
        "ffffffff-ffff-4fff-bfff-ffffffffffff",
        new UuidV4(new ScriptedEntropy("ff")).take().toString());
    assertEquals(
        "00000000-0000-4000-8000-000000000000",
        new UuidV4(new ScriptedEntropy("00")).take().toString());
  }

  @Test
  void next_always_differs() {
    assertNotEquals(UuidV4.next(), UuidV4.next());
    assertEquals(4, Uuids.versionOf(UuidV4.next()));
  }
}
