package dev.idgen.uuid;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.text.Seed;
import dev.idgen.text.TextException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UuidsTest {
  private static final String V1 = "c232ab00-9414-11ec-b3c8-9f6bdeced846";

  /** RFC 9562, appendices A and B, and its nil and max. */
  @ParameterizedTest
  @CsvSource({
    "C232AB00-9414-11EC-B3C8-9F6BDECED846, 1, 2022-02-22T19:22:22Z",
    "5df41881-3aed-3515-88a7-2f4a814cf09e, 3,",
    "919108f7-52d1-4320-9bac-f847db4148a8, 4,",
    "2ed6657d-e927-568b-95e1-2665a8aea6a2, 5,",
    "1EC9414C-232A-6B00-B3C8-9F6BDECED846, 6, 2022-02-22T19:22:22Z",
    "017F22E2-79B0-7CC3-98C4-DC0C0C07398F, 7, 2022-02-22T19:22:22Z",
    "2489E9AD-2EE2-8E00-8EC9-32D5F69181C0, 8,",
    "5c146b14-3c52-8afd-938a-375d0df1fbf6, 8,",
    "00000000-0000-0000-0000-000000000000, -1,",
    "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF, -1,",
    "017F22E2-79B0-7CC3-D8C4-DC0C0C07398F, -1,",
  })
  void parse_examplesOfTheStandard_giveVersionAndTime(String text, int version, Instant time) {
    UUID uuid = Uuids.parse(text);
    assertEquals(text.toLowerCase(Locale.ROOT), Uuids.print(uuid));
    assertEquals(version, Uuids.versionOf(uuid));
    assertEquals(time != null, Uuids.hasTime(uuid));
    if (time != null) {
      assertEquals(time, Uuids.timeOf(uuid));
    } else {
      var e = assertThrows(IllegalArgumentException.class, () -> Uuids.timeOf(uuid));
      assertEquals("uuid: " + uuid + " (expected: version 1, 6 or 7 of RFC 9562)", e.getMessage());
    }
  }

  @Test
  void timeOf_versions1And6_areExactTo100Nanoseconds() {
    Instant first = Instant.parse("1582-10-15T00:00:00Z");
    assertEquals(first, Uuids.timeOf(Uuids.parse("00000000-0000-1000-8000-000000000000")));
    assertEquals(first, Uuids.timeOf(Uuids.parse("00000000-0000-6000-8000-000000000000")));
    Instant next = first.plusNanos(100);
    assertEquals(next, Uuids.timeOf(Uuids.parse("00000001-0000-1000-8000-000000000000")));
    assertEquals(next, Uuids.timeOf(Uuids.parse("00000000-0000-6001-8000-000000000000")));
    Instant last = first.plusSeconds(115_292_150_460L).plusNanos(684_697_500);
    assertEquals(last, Uuids.timeOf(Uuids.parse("ffffffff-ffff-1fff-8000-000000000000")));
    assertEquals(last, Uuids.timeOf(Uuids.parse("ffffffff-ffff-6fff-8000-000000000000")));
  }

  @Test
  void parse_anythingButTheCanonicalForm_saysWhere() {
    assertRefused("", "text: \"\" (expected: 36 characters)");
    assertRefused("{" + V1 + "}", "text: \"{" + V1 + "}\" (expected: 36 characters)");
    assertRefused(
        V1.replace("-", ""),
        "text: \"c232ab00941411ecb3c89f6bdeced846\" (expected: 36 characters)");
    String moved = "c232ab0-09414-11ec-b3c8-9f6bdeced846";
    assertRefused(moved, "text: \"" + moved + "\" at 7 (expected: 0-9a-f)");
    String joined = "c232ab00_9414-11ec-b3c8-9f6bdeced846";
    assertRefused(joined, "text: \"" + joined + "\" at 8 (expected: -)");
    String script = V1.substring(0, 35) + "\u0666";
    assertRefused(script, "text: \"" + V1.substring(0, 35) + "\\u0666\" at 35 (expected: 0-9a-f)");
    assertRefused(
        "0".repeat(10_000_000),
        "text: \"" + "0".repeat(48) + "...\" of 10000000 characters (expected: 36 characters)");
  }

  private static void assertRefused(String text, String message) {
    assertEquals(message, assertThrows(TextException.class, () -> Uuids.parse(text)).getMessage());
  }

  @Test
  void parse_ofPrint_isTheUuid() {
    Random random = Seed.random("parse_ofPrint_isTheUuid");
    for (int i = 0; i < 10_000; i++) {
      UUID uuid = new UUID(random.nextLong(), random.nextLong());
      String text = Uuids.print(uuid);
      assertEquals(uuid, Uuids.parse(text));
      assertEquals(uuid, Uuids.parse(text.toUpperCase(Locale.ROOT)));
      assertEquals(uuid, Uuids.ofBytes(Uuids.toBytes(uuid)));
      byte[] into = new byte[Uuids.LENGTH + 2];
      assertEquals(Uuids.LENGTH + 1, Uuids.print(uuid, into, 1));
      assertEquals(text, new String(into, 1, Uuids.LENGTH, StandardCharsets.US_ASCII));
    }
  }

  @Test
  void parse_anyCharacters_isAUuidOrTextException() {
    Random random = Seed.random("parse_anyCharacters_isAUuidOrTextException");
    for (int i = 0; i < 100_000; i++) {
      StringBuilder text = new StringBuilder(V1);
      int limit = random.nextBoolean() ? 0x80 : 0x10000;
      for (int at = random.nextInt(36); at < 36; at += 1 + random.nextInt(36)) {
        text.setCharAt(at, (char) random.nextInt(limit));
      }
      text.setLength(random.nextInt(8) == 0 ? random.nextInt(40) : 36);
      assertUuidOrRefused(text.toString());
    }
  }

  private static void assertUuidOrRefused(String text) {
    UUID uuid;
    try {
      uuid = Uuids.parse(text);
    } catch (TextException e) {
      assertTrue(String.valueOf(e.getMessage()).length() < 500, e::getMessage);
      return;
    }
    assertEquals(Uuids.print(uuid), text.toLowerCase(Locale.ROOT));
  }

  @Test
  void print_tooLittleRoom_isRefused() {
    byte[] into = new byte[Uuids.LENGTH];
    var e = assertThrows(IndexOutOfBoundsException.class, () -> Uuids.print(Uuids.MAX, into, 1));
    assertEquals("offset: 1 (expected: 0..0)", e.getMessage());
    assertThrows(IndexOutOfBoundsException.class, () -> Uuids.print(Uuids.MAX, into, -1));
    assertArrayEquals(new byte[Uuids.LENGTH], into);
  }

  @Test
  void ofBytes_wrongNumber_isRefused() {
    var e = assertThrows(IllegalArgumentException.class, () -> Uuids.ofBytes(new byte[15]));
    assertEquals("bytes: 15 (expected: 16)", e.getMessage());
    assertEquals(Uuids.parse(V1), Uuids.ofBytes(HexFormat.of().parseHex(V1.replace("-", ""))));
  }

  /** C82. */
  @Test
  void compareUnsigned_halvesAcrossTheSignBit_followTheTexts() {
    Random random = Seed.random("compareUnsigned_halvesAcrossTheSignBit_followTheTexts");
    UUID low = new UUID(Long.MAX_VALUE, -1);
    UUID high = new UUID(Long.MIN_VALUE, 0);
    assertTrue(Uuids.compareUnsigned(low, high) < 0);
    assertTrue(Uuids.compareUnsigned(new UUID(5, Long.MAX_VALUE), new UUID(5, -1)) < 0);
    assertEquals(0, Uuids.compareUnsigned(low, low));
    for (int i = 0; i < 10_000; i++) {
      UUID first = new UUID(random.nextLong(), random.nextLong());
      UUID second =
          new UUID(
              random.nextBoolean() ? first.getMostSignificantBits() : random.nextLong(),
              random.nextLong());
      assertEquals(
          Integer.signum(first.toString().compareTo(second.toString())),
          Uuids.compareUnsigned(first, second));
    }
  }

  @Test
  void hasTime_nilAndMax_isFalse() {
    assertFalse(Uuids.hasTime(Uuids.NIL));
    assertFalse(Uuids.hasTime(Uuids.MAX));
  }
}
