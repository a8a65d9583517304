package dev.idgen.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class PrefixedTextTest {
  private static final Text ORDER = Text.prefixed("order_", Text.CROCKFORD);

  @Test
  void encode_anId_putsThePrefixBeforeIt() {
    assertEquals("order_0M14KM3Y4Z000", ORDER.encode(721864159923240960L));
    assertEquals(721864159923240960L, ORDER.decode("order_0M14KM3Y4Z000"));
    assertTrue(ORDER.isCanonical("order_0M14KM3Y4Z000"));
    assertFalse(ORDER.isCanonical("order_0m14KM3Y4Z000"));
    assertFalse(ORDER.isCanonical("ORDER_0M14KM3Y4Z000"));
    assertEquals("crockford", ORDER.name());
    assertEquals("order_crockford", ORDER.toString());
    assertEquals(19, ORDER.lengthMax());
  }

  @Test
  void decode_otherPrefix_saysWhereItDiffers() {
    assertRefused("0M14KM3Y4Z000", "text: \"0M14KM3Y4Z000\" at 0 (expected: prefix order_)");
    assertRefused(
        "orders_0M14KM3Y4Z00", "text: \"orders_0M14KM3Y4Z00\" at 5 (expected: prefix order_)");
    assertRefused("ord", "text: \"ord\" at 3 (expected: prefix order_)");
    assertRefused("", "text: \"\" at 0 (expected: prefix order_)");
  }

  @Test
  void decode_wrongRest_saysWhereInTheWholeText() {
    assertRefused("order_", "text: \"order_\" at 6 (expected: 13 characters)");
    assertRefused(
        "order_000000000000U",
        "text: \"order_000000000000U\" at 18 (expected: one of 0-9A-Z without U)");
    assertRefused(
        "order_00000000000000", "text: \"order_00000000000000\" (expected: 1..19 characters)");
  }

  @Test
  void prefixed_prefixThatCouldNotBeCarriedEverywhere_isRefused() {
    String expected = " (expected: 1..64 of A-Za-z0-9._~:-)";
    assertPrefixRefused("", "prefix: \"\"" + expected);
    assertPrefixRefused("a b", "prefix: \"a b\"" + expected);
    assertPrefixRefused("\"", "prefix: \"\\u0022\"" + expected);
    assertPrefixRefused("ä", "prefix: \"\\u00e4\"" + expected);
    assertPrefixRefused(
        "a".repeat(65), "prefix: \"" + "a".repeat(48) + "...\" of 65 characters" + expected);
    assertEquals(64 + 11, Text.prefixed("a".repeat(64), Text.BASE62).lengthMax());
  }

  private static void assertPrefixRefused(String prefix, String message) {
    var e =
        assertThrows(IllegalArgumentException.class, () -> Text.prefixed(prefix, Text.CROCKFORD));
    assertEquals(message, e.getMessage());
  }

  private static void assertRefused(String text, String message) {
    assertEquals(message, assertThrows(TextException.class, () -> ORDER.decode(text)).getMessage());
  }
}
