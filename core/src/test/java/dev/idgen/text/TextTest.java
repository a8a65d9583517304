package dev.idgen.text;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

class TextTest {
  static final List<Text> TEXTS =
      List.of(
          Text.DECIMAL,
          Text.HEX,
          Text.CROCKFORD,
          Text.BASE58,
          Text.BASE62,
          Text.prefixed("order_", Text.CROCKFORD),
          Text.prefixed("o.", Text.DECIMAL),
          Text.prefixed("a:", Text.prefixed("b-", Text.BASE58)));

  /** C80: a number that a 53-bit reader would round. */
  @ParameterizedTest
  @CsvSource({
    "decimal, 0, 0",
    "decimal, 7, 7",
    "decimal, 10, 10",
    "decimal, 99999999, 99999999",
    "decimal, 100000000, 100000000",
    "decimal, 653247040368672768, 653247040368672768",
    "decimal, 9223372036854775807, 9223372036854775807",
    "hex, 0, 0000000000000000",
    "hex, 721864159923240960, 0a0493a0fc4f8000",
    "hex, 9223372036854775807, 7fffffffffffffff",
    "crockford, 0, 0000000000000",
    "crockford, 31, 000000000000Z",
    "crockford, 721864159923240960, 0M14KM3Y4Z000",
    "crockford, 9223372036854775807, 7ZZZZZZZZZZZZ",
    "base58, 0, 11111111111",
    "base58, 57, 1111111111z",
    "base58, 9223372036854775807, NQm6nKp8qFC",
    "base62, 0, 00000000000",
    "base62, 61, 0000000000z",
    "base62, 62, 00000000010",
    "base62, 9223372036854775807, AzL8n0Y58m7",
  })
  void encode_knownIds_givesKnownTexts(String name, long id, String text) {
    Text kind = Text.named(name);
    assertEquals(text, kind.encode(id));
    assertEquals(id, kind.decode(text));
    assertEquals(id, kind.decode(CharBuffer.wrap(text)));
    assertTrue(kind.isCanonical(text));
    assertEquals(name, kind.name());
    assertEquals(name, kind.toString());
  }

  @ParameterizedTest
  @FieldSource("TEXTS")
  void encode_intoAnArray_writesTheSameAndNothingElse(Text kind) {
    for (long id : new long[] {0, 9, 10, 1L << 31, 1L << 53, Long.MAX_VALUE}) {
      byte[] into = new byte[200];
      Arrays.fill(into, (byte) '!');
      int end = kind.encode(id, into, 3);
      String expected = "!!!" + kind.encode(id) + "!";
      assertEquals(expected, new String(into, 0, end + 1, StandardCharsets.US_ASCII));
      assertEquals(end - 3, kind.length(id));
      assertTrue(kind.length(id) <= kind.lengthMax());
      assertEquals('!', into[199]);
    }
    assertEquals(kind.lengthMax(), kind.length(Long.MAX_VALUE));
  }

  @ParameterizedTest
  @FieldSource("TEXTS")
  void encode_tooLittleRoom_isRefusedAndNothingWritten(Text kind) {
    int length = kind.length(12345);
    byte[] into = new byte[length + 2];
    var e = assertThrows(IndexOutOfBoundsException.class, () -> kind.encode(12345, into, 3));
    assertEquals("offset: 3 (expected: 0..2)", e.getMessage());
    e = assertThrows(IndexOutOfBoundsException.class, () -> kind.encode(12345, into, -1));
    assertEquals("offset: -1 (expected: 0..2)", e.getMessage());
    assertArrayEquals(new byte[length + 2], into);
  }

  @ParameterizedTest
  @FieldSource("TEXTS")
  void encode_negativeId_isRefused(Text kind) {
    String message = "id: -1 (expected: 0..9223372036854775807)";
    var e = assertThrows(IllegalArgumentException.class, () -> kind.encode(-1));
    assertEquals(message, e.getMessage());
    byte[] into = new byte[200];
    e = assertThrows(IllegalArgumentException.class, () -> kind.encode(-1, into, 0));
    assertEquals(message, e.getMessage());
    e = assertThrows(IllegalArgumentException.class, () -> kind.length(-1));
    assertEquals(message, e.getMessage());
    assertThrows(IllegalArgumentException.class, () -> kind.encode(Long.MIN_VALUE));
  }

  @Test
  void decode_notATextOfTheKind_saysWhereAndWhatWasExpected() {
    assertRefused(Text.DECIMAL, "", "text: \"\" (expected: 1..19 digits)");
    assertRefused(Text.DECIMAL, "007", "text: \"007\" at 0 (expected: no leading zero)");
    assertRefused(Text.DECIMAL, "00", "text: \"00\" at 0 (expected: no leading zero)");
    assertRefused(Text.DECIMAL, "-1", "text: \"-1\" at 0 (expected: 0-9)");
    assertRefused(Text.DECIMAL, "+1", "text: \"+1\" at 0 (expected: 0-9)");
    assertRefused(Text.DECIMAL, "1 ", "text: \"1 \" at 1 (expected: 0-9)");
    assertRefused(Text.DECIMAL, "1_000", "text: \"1_000\" at 1 (expected: 0-9)");
    assertRefused(Text.DECIMAL, "1\u0663", "text: \"1\\u0663\" at 1 (expected: 0-9)");
    assertRefused(
        Text.DECIMAL,
        "9223372036854775808",
        "text: \"9223372036854775808\" (expected: at most 9223372036854775807)");
    assertRefused(
        Text.DECIMAL,
        "9999999999999999999",
        "text: \"9999999999999999999\" (expected: at most 9223372036854775807)");
    assertRefused(
        Text.DECIMAL,
        "18446744073709551616",
        "text: \"18446744073709551616\" (expected: 1..19 digits)");
    assertRefused(Text.HEX, "7f", "text: \"7f\" (expected: 16 characters)");
    assertRefused(
        Text.HEX, "000000000000000F", "text: \"000000000000000F\" at 15 (expected: one of 0-9a-f)");
    assertRefused(
        Text.HEX,
        "8000000000000000",
        "text: \"8000000000000000\" at 0 (expected: at most 7fffffffffffffff)");
    assertRefused(
        Text.CROCKFORD,
        "000000000000U",
        "text: \"000000000000U\" at 12 (expected: one of 0-9A-Z without U)");
    assertRefused(
        Text.CROCKFORD,
        "8000000000000",
        "text: \"8000000000000\" at 0 (expected: at most 7ZZZZZZZZZZZZ)");
    assertRefused(
        Text.CROCKFORD,
        "0000-00000000",
        "text: \"0000-00000000\" at 4 (expected: one of 0-9A-Z without U)");
    assertRefused(
        Text.BASE58,
        "1111111111l",
        "text: \"1111111111l\" at 10 (expected: one of 0-9A-Za-z without 0, I, O, l)");
    assertRefused(
        Text.BASE58, "NQm6nKp8qFD", "text: \"NQm6nKp8qFD\" at 0 (expected: at most NQm6nKp8qFC)");
    assertRefused(
        Text.BASE62, "AzL8n0Y58m8", "text: \"AzL8n0Y58m8\" at 0 (expected: at most AzL8n0Y58m7)");
    assertRefused(
        Text.BASE62, "zzzzzzzzzzz", "text: \"zzzzzzzzzzz\" at 0 (expected: at most AzL8n0Y58m7)");
    assertRefused(
        Text.BASE62, "00000 00000", "text: \"00000 00000\" at 5 (expected: one of 0-9A-Za-z)");
  }

  /** The low byte of each of these is a digit. */
  @Test
  void decode_charactersPastLatin1_areNotCutToTheirLowByte() {
    assertRefused(Text.HEX, "0".repeat(15) + "\u0131", 15);
    assertRefused(Text.CROCKFORD, "0".repeat(12) + "\u4e31", 12);
    assertRefused(Text.BASE58, "\uff31".repeat(11), 0);
    assertRefused(Text.BASE62, "0000\u013000000" + "0", 4);
    assertRefused(Text.BASE62, "0000000000\u00b1", 10);
    assertFalse(Text.BASE62.isCanonical("0000\u013000000" + "0"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0m14km3y4z000", "oM14KM3Y4ZOoO", "0MI4KM3Y4Z000", "0Ml4kM3Y4Z00O"})
  void decode_crockfordAsItsRulesAllow_givesTheIdButIsNotCanonical(String text) {
    assertEquals(721864159923240960L, Text.CROCKFORD.decode(text));
    assertFalse(Text.CROCKFORD.isCanonical(text));
    assertTrue(Text.CROCKFORD.isCanonical("0M14KM3Y4Z000"));
  }

  @Test
  void isCanonical_notATextOfTheKind_isFalse() {
    for (Text kind : TEXTS) {
      for (String text : List.of("", " ", "-1", "x", "0".repeat(21), "z".repeat(11))) {
        assertFalse(kind.isCanonical(text), () -> kind + " " + text);
      }
    }
    assertFalse(Text.DECIMAL.isCanonical("01"));
    assertTrue(Text.DECIMAL.isCanonical("0"));
  }

  /** A sequence that changes between two looks at it. */
  @Test
  void decode_sequenceThatChangesItsLength_isRefused() {
    CharSequence fickle =
        new CharSequence() {
          @Override
          public int length() {
            return 13;
          }

          @Override
          public char charAt(int index) {
            return '0';
          }

          @Override
          public CharSequence subSequence(int start, int end) {
            return "0".repeat(end - start);
          }

          @Override
          public String toString() {
            return "00000000000000";
          }
        };
    assertRefused(Text.CROCKFORD, fickle, "text: \"00000000000000\" (expected: 13 characters)");
    assertFalse(Text.CROCKFORD.isCanonical(fickle));
  }

  @Test
  void named_unknownName_listsTheNames() {
    assertSame(Text.BASE62, Text.named("base62"));
    var e = assertThrows(IllegalArgumentException.class, () -> Text.named("base64"));
    assertEquals(
        "text: \"base64\" (expected: decimal, hex, crockford, base58 or base62)", e.getMessage());
  }

  @Test
  void isOrdered_naturalDecimal_isTheOnlyOneThatIsNot() {
    for (Text kind : TEXTS) {
      assertEquals(!kind.name().equals("decimal"), kind.isOrdered(), kind::toString);
    }
  }

  private static void assertRefused(Text kind, CharSequence text, String message) {
    assertEquals(message, assertThrows(TextException.class, () -> kind.decode(text)).getMessage());
  }

  private static void assertRefused(Text kind, String text, int position) {
    assertEquals(position, assertThrows(TextException.class, () -> kind.decode(text)).position());
  }
}
