package dev.idgen.opaque;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.text.Text;
import dev.idgen.text.TextException;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.bouncycastle.crypto.fpe.FPEFF1Engine;
import org.bouncycastle.crypto.params.FPEParameters;
import org.bouncycastle.crypto.params.KeyParameter;
import org.junit.jupiter.api.Test;

class OpaqueTextTest {
  private static final OpaqueKey A = key('a', "2b7e151628aed2a6abf7158809cf4f3c");
  private static final OpaqueKey B = key('B', "ef4359d8d580aa4f7f036d6f04fc6a94");
  private static final Text TEXT = new OpaqueKeys(List.of(A)).of("order");

  private static OpaqueKey key(char name, String hex) {
    return new OpaqueKey(name, HexFormat.of().parseHex(hex));
  }

  /** Sample 1 of NIST's FF1 samples: the cipher is the one that the standard means. */
  @Test
  void cipher_sampleOfTheStandard_isMet() {
    FPEFF1Engine engine = new FPEFF1Engine();
    engine.init(true, new FPEParameters(new KeyParameter(A.bytes()), 10, new byte[0]));
    byte[] out = new byte[10];
    engine.processBlock(new byte[] {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, 0, 10, out, 0);
    assertArrayEquals(new byte[] {2, 4, 3, 3, 4, 7, 7, 4, 8, 4}, out);
  }

  /** Texts are in the hands of users: they must read back for ever. */
  @Test
  void encode_knownNumbers_staysAsItIs() {
    assertEquals("auvpYqLYl2sP", TEXT.encode(0));
    assertEquals("aBIAlHoHbLCf", TEXT.encode(1));
    assertEquals("awtTjbPvPVMj", TEXT.encode(Long.MAX_VALUE));
  }

  @Test
  void decode_everyBorder_givesTheNumberBack() {
    for (int bit = 0; bit < 63; bit++) {
      for (long near = -1; near <= 1; near++) {
        long id = (1L << bit) + near;
        assertEquals(id, TEXT.decode(TEXT.encode(id)));
      }
    }
    assertEquals(Long.MAX_VALUE, TEXT.decode(TEXT.encode(Long.MAX_VALUE)));
  }

  @Test
  void decode_randomNumbers_givesThemBackAndNoTwoTextsAreEqual() {
    Random random = new Random(7);
    Set<String> texts = new HashSet<>();
    for (int i = 0; i < 2_000; i++) {
      long id = random.nextLong() >>> 1;
      String text = TEXT.encode(id);
      assertEquals(12, text.length());
      assertTrue(texts.add(text));
      assertEquals(id, TEXT.decode(text));
      assertTrue(TEXT.isCanonical(text));
    }
  }

  /** 2^63 of 62^11 numbers are ids. */
  @Test
  void decode_randomTexts_refusesFourOfFive() {
    Random random = new Random(8);
    int accepted = 0;
    for (int i = 0; i < 2_000; i++) {
      StringBuilder text = new StringBuilder("a");
      for (int j = 0; j < 11; j++) {
        text.append(OpaqueText.ALPHABET.charAt(random.nextInt(62)));
      }
      try {
        long id = TEXT.decode(text);
        accepted++;
        assertEquals(text.toString(), TEXT.encode(id));
      } catch (TextException e) {
        assertTrue(
            String.valueOf(e.getMessage()).contains("one that was made with key a"),
            e.getMessage());
      }
    }
    assertTrue(accepted > 250 && accepted < 450, "accepted: " + accepted);
  }

  @Test
  void encode_anotherTagOrKey_isAnotherText() {
    assertNotEquals(TEXT.encode(5), new OpaqueKeys(List.of(A)).of("invoice").encode(5));
    assertNotEquals(
        TEXT.encode(5).substring(1), new OpaqueKeys(List.of(B)).of("order").encode(5).substring(1));
  }

  @Test
  void decode_keyWasReplaced_readsOldTextsAndMakesNewOnes() {
    Text rotated = new OpaqueKeys(List.of(B, A)).of("order");
    assertEquals(77, rotated.decode(TEXT.encode(77)));
    assertEquals('B', rotated.encode(77).charAt(0));
    assertFalse(rotated.isCanonical(TEXT.encode(77)));
    TextException e = assertThrows(TextException.class, () -> TEXT.decode(rotated.encode(77)));
    assertTrue(String.valueOf(e.getMessage()).contains("the name of a key"), e.getMessage());
  }

  @Test
  void decode_noText_isRefused() {
    for (String text : List.of("", "a", "a00000000000000", "a0000000000!", "a0000000000\u0130")) {
      assertThrows(TextException.class, () -> TEXT.decode(text), text);
    }
  }

  @Test
  void encode_negativeOrNoRoom_isRefused() {
    assertThrows(IllegalArgumentException.class, () -> TEXT.encode(-1));
    assertThrows(IndexOutOfBoundsException.class, () -> TEXT.encode(1, new byte[12], 1));
    assertThrows(IndexOutOfBoundsException.class, () -> TEXT.encode(1, new byte[12], -1));
  }

  @Test
  void keys_wrong_areRefusedWithoutBeingShown() {
    var e = assertThrows(IllegalArgumentException.class, () -> new OpaqueKey('a', new byte[15]));
    assertEquals("key a: 15 bytes (expected: 16, 24 or 32)", e.getMessage());
    assertThrows(IllegalArgumentException.class, () -> new OpaqueKey('-', new byte[16]));
    assertThrows(IllegalArgumentException.class, () -> new OpaqueKeys(List.of()));
    assertThrows(IllegalArgumentException.class, () -> new OpaqueKeys(List.of(A, A)));
    assertEquals("key a", A.toString());
  }
}
