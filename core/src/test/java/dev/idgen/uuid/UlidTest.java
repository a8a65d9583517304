package dev.idgen.uuid;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.text.Seed;
import dev.idgen.text.TextException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Locale;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class UlidTest {
  private static final String EXAMPLE = "01ARYZ6S41TSV4RRFFQ69G5FAV";

  /** The time of the specification's own example. */
  @Test
  void parse_knownTexts_giveTimeAndBits() {
    assertEquals(Instant.ofEpochMilli(1469918176385L), Ulid.parse(EXAMPLE).time());
    assertEquals(EXAMPLE, Ulid.parse(EXAMPLE).toString());
    assertEquals(new Ulid(0, 0), Ulid.parse("0".repeat(26)));
    assertEquals(new Ulid(-1, -1), Ulid.parse("7" + "Z".repeat(25)));
    assertEquals(new Ulid(1L << 16, 0), Ulid.parse("00000000010000000000000000"));
    assertEquals(new Ulid(0, 1), Ulid.parse("00000000000000000000000001"));
    assertEquals(new Ulid(1, 0), Ulid.parse("0000000000000G000000000000"));
  }

  @Test
  void parse_lowerCase_isTheSame() {
    assertEquals(Ulid.parse(EXAMPLE), Ulid.parse(EXAMPLE.toLowerCase(Locale.ROOT)));
  }

  @Test
  void parse_notAUlid_saysWhere() {
    assertRefused("", "text: \"\" (expected: 26 characters)");
    assertRefused(EXAMPLE + "0", "text: \"" + EXAMPLE + "0\" (expected: 26 characters)");
    assertRefused("8" + "0".repeat(25), "text: \"8" + "0".repeat(25) + "\" at 0 (expected: 0-7)");
    for (char c : "UILO-iluo*".toCharArray()) {
      String text = EXAMPLE.substring(0, 25) + c;
      assertRefused(
          text, "text: \"" + text + "\" at 25 (expected: one of 0-9A-Z without I, L, O, U)");
    }
    assertRefused(
        "/" + "0".repeat(25),
        "text: \"/" + "0".repeat(25) + "\" at 0 (expected: one of 0-9A-Z without I, L, O, U)");
    assertRefused(
        "0".repeat(10_000_000),
        "text: \"" + "0".repeat(48) + "...\" of 10000000 characters (expected: 26 characters)");
  }

  private static void assertRefused(String text, String message) {
    assertEquals(message, assertThrows(TextException.class, () -> Ulid.parse(text)).getMessage());
  }

  @Test
  void conversions_anyUlid_comeBack() {
    Random random = Seed.random("conversions_anyUlid_comeBack");
    for (int i = 0; i < 20_000; i++) {
      Ulid ulid = new Ulid(random.nextLong(), random.nextLong());
      assertEquals(ulid, Ulid.parse(ulid.toString()));
      assertEquals(ulid, Ulid.ofBytes(ulid.toBytes()));
      assertEquals(ulid, Ulid.ofUuid(ulid.toUuid()));
      assertArrayEquals(ulid.toBytes(), Uuids.toBytes(ulid.toUuid()));
      byte[] into = new byte[Ulid.LENGTH + 2];
      assertEquals(Ulid.LENGTH + 1, ulid.print(into, 1));
      assertEquals(ulid.toString(), new String(into, 1, Ulid.LENGTH, StandardCharsets.US_ASCII));
    }
  }

  @Test
  void compareTo_anyTwo_followsTheTexts() {
    Random random = Seed.random("compareTo_anyTwo_followsTheTexts");
    for (int i = 0; i < 20_000; i++) {
      Ulid first = new Ulid(random.nextLong(), random.nextLong());
      Ulid second =
          new Ulid(random.nextBoolean() ? first.high() : random.nextLong(), random.nextLong());
      assertEquals(
          Integer.signum(first.toString().compareTo(second.toString())), first.compareTo(second));
    }
    assertEquals(0, new Ulid(1, 2).compareTo(new Ulid(1, 2)));
  }

  @Test
  void parse_oneCharacterChanged_isAnotherOrRefusedOrLowerCase() {
    Ulid ulid = Ulid.parse(EXAMPLE);
    for (int at = 0; at < Ulid.LENGTH; at++) {
      for (int c = 0; c < 0x180; c++) {
        String text = EXAMPLE.substring(0, at) + (char) c + EXAMPLE.substring(at + 1);
        assertSameOnlyInLowerCase(ulid, text);
      }
    }
  }

  private static void assertSameOnlyInLowerCase(Ulid ulid, String text) {
    Ulid parsed;
    try {
      parsed = Ulid.parse(text);
    } catch (TextException e) {
      return;
    }
    assertEquals(text.toUpperCase(Locale.ROOT), parsed.toString());
    assertEquals(parsed.equals(ulid), text.toUpperCase(Locale.ROOT).equals(EXAMPLE));
  }

  @Test
  void parse_anyCharacters_isAUlidOrTextException() {
    Random random = Seed.random("parse_anyCharacters_isAUlidOrTextException");
    for (int i = 0; i < 100_000; i++) {
      StringBuilder text = new StringBuilder(EXAMPLE);
      int limit = random.nextBoolean() ? 0x80 : 0x10000;
      for (int at = random.nextInt(26); at < 26; at += 1 + random.nextInt(26)) {
        text.setCharAt(at, (char) random.nextInt(limit));
      }
      text.setLength(random.nextInt(8) == 0 ? random.nextInt(30) : 26);
      assertSameOnlyInLowerCase(Ulid.parse(EXAMPLE), text.toString());
    }
  }

  @Test
  void print_tooLittleRoom_isRefused() {
    byte[] into = new byte[Ulid.LENGTH];
    Ulid ulid = new Ulid(-1, -1);
    var e = assertThrows(IndexOutOfBoundsException.class, () -> ulid.print(into, 1));
    assertEquals("offset: 1 (expected: 0..0)", e.getMessage());
    assertThrows(IndexOutOfBoundsException.class, () -> ulid.print(into, -1));
    assertArrayEquals(new byte[Ulid.LENGTH], into);
  }

  @Test
  void ofBytes_wrongNumber_isRefused() {
    var e = assertThrows(IllegalArgumentException.class, () -> Ulid.ofBytes(new byte[17]));
    assertEquals("bytes: 17 (expected: 16)", e.getMessage());
  }

  @Test
  void ofUuid_aVersion7_keepsOrderAndTime() {
    UUID uuid = UuidV7.next();
    Ulid ulid = Ulid.ofUuid(uuid);
    assertEquals(Uuids.timeOf(uuid), ulid.time());
    assertTrue(ulid.compareTo(Ulid.ofUuid(UuidV7.next())) < 0);
  }
}
