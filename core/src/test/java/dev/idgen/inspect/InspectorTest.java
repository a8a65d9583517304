package dev.idgen.inspect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.layout.Layout;
import dev.idgen.layout.Layouts;
import dev.idgen.text.Text;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class InspectorTest {
  private static final long NOW = Instant.parse("2026-11-29T12:00:00Z").toEpochMilli();
  private static final Inspector INSPECTOR = Inspector.of(Layouts.IDGEN);
  private static final String EXPECTED =
      " (expected: a decimal number 0..9223372036854775807, or a text of a known width or prefix)";

  @Test
  void inspect_idOfThisCluster_comesFirstWithItsFields() {
    long id = Layouts.IDGEN.encode(Layouts.IDGEN.tickAt(NOW), 7, 3);
    Inspection inspection = INSPECTOR.inspect(String.valueOf(id), NOW);
    assertEquals("snowflake", inspection.kind());
    assertEquals(Instant.ofEpochMilli(NOW), inspection.best().time());
    assertEquals("decimal", inspection.best().form());
    assertEquals("this cluster's layout; its time is plausible", inspection.best().reason());
    assertEquals(Layouts.IDGEN.decode(id), inspection.decoded());
    assertEquals(Layouts.IDGEN, inspection.layout());
    assertEquals(
        List.of(
            new ReadingField("time", String.valueOf(Layouts.IDGEN.tickAt(NOW)), 41),
            new ReadingField("worker", "7", 10),
            new ReadingField("sequence", "3", 12)),
        inspection.best().fields());
    assertEquals(kinds(inspection).stream().distinct().toList(), kinds(inspection));
    assertTrue(kinds(inspection).containsAll(List.of("twitter", "cosid", "number")));
    assertFalse(kinds(inspection).contains("idgen"), "the same layout twice");
  }

  @Test
  void inspect_idAheadOfTheClock_isStillDecodedButDoubted() {
    long ahead = Layouts.IDGEN.encode(Layouts.IDGEN.tickAt(NOW) + 2 * 86_400_000, 7, 3);
    Inspection inspection = INSPECTOR.inspect(String.valueOf(ahead), NOW);
    Reading own = reading(inspection, "snowflake");
    assertEquals("this cluster's layout, but its time is in the future", own.reason());
    assertEquals(5, own.score());
    assertEquals(Layouts.IDGEN.decode(ahead), inspection.decoded());
    long justAhead = Layouts.IDGEN.encode(Layouts.IDGEN.tickAt(NOW) + 86_400_000, 7, 3);
    assertEquals("snowflake", INSPECTOR.inspect(String.valueOf(justAhead), NOW).kind());
  }

  @Test
  void inspect_splitOrForeignOwnLayout_isThisClusters() {
    Layout split = Layout.builder().time(41).worker(5, 5).sequence(12).build();
    long id = split.encode(split.tickAt(NOW), 0b00010_00011, 0);
    Inspection inspection = Inspector.of(split).inspect(String.valueOf(id), NOW);
    assertEquals(
        List.of("time", "region", "worker", "sequence"),
        inspection.best().fields().stream().map(ReadingField::name).toList());
    assertEquals("snowflake", inspection.kind());
    assertTrue(kinds(inspection).contains("idgen"));
  }

  /** C81. */
  @Test
  void inspect_bordersOfNumberTypes_areExact() {
    for (long id : new long[] {1L << 31, 1L << 32, (1L << 53) + 1, Long.MAX_VALUE}) {
      Inspection inspection = INSPECTOR.inspect(String.valueOf(id), NOW);
      for (Reading reading : inspection.readings()) {
        assertEquals(String.valueOf(id), String.valueOf(reading.number()), reading.kind());
      }
      assertEquals(Layouts.IDGEN.decode(id), inspection.decoded());
    }
  }

  @Test
  void inspect_smallNumber_isRatherACounter() {
    Inspection inspection = INSPECTOR.inspect("42", NOW);
    assertEquals("number", inspection.kind());
    assertEquals("small enough for a counter", inspection.best().reason());
    assertEquals(List.of(new ReadingField("value", "42", 63)), inspection.best().fields());
    assertEquals(List.of("number", "snowflake"), kinds(inspection));
    assertEquals(
        "this cluster's layout, but its time is within a minute of the epoch",
        inspection.readings().get(1).reason());
    assertEquals(Layouts.IDGEN.decode(42), inspection.decoded());
  }

  @Test
  void inspect_numberThatNoOwnIdCanBe_hasNoDecoding() {
    Inspector javascript = Inspector.of(Layouts.JAVASCRIPT_SAFE);
    Inspection inspection = javascript.inspect("9007199254740992", NOW);
    assertNull(inspection.decoded());
    assertEquals(Layouts.JAVASCRIPT_SAFE, inspection.layout());
  }

  @Test
  void inspect_publicIds_areReadAsWhatTheyAre() {
    Reading twitter = reading(INSPECTOR.inspect("1541815603606036480", NOW), "twitter");
    assertEquals(Instant.parse("2022-06-28T16:07:40.105Z"), twitter.time());
    assertEquals(
        List.of(
            new ReadingField("time", "367597485448", 41),
            new ReadingField("datacenter", "11", 5),
            new ReadingField("worker", "26", 5),
            new ReadingField("sequence", "0", 12)),
        twitter.fields());
    assertTrue(twitter.reason().contains("its sequence is low"));

    Reading discord = reading(INSPECTOR.inspect("175928847299117063", NOW), "discord");
    assertEquals(Instant.parse("2016-04-30T11:18:25.796Z"), discord.time());
    assertEquals(new ReadingField("worker", "1", 5), discord.fields().get(1));
    assertEquals(new ReadingField("process", "0", 5), discord.fields().get(2));

    Reading cockroach = reading(INSPECTOR.inspect("148591304110702593", NOW), "cockroachdb");
    assertEquals(Instant.parse("2016-06-08T20:14:27.318940Z"), cockroach.time());
    assertEquals(new ReadingField("node", "1", 15), cockroach.fields().get(1));
    assertTrue(cockroach.note().contains("exclusive or"));

    Reading tidb = reading(INSPECTOR.inspect("4611686018427387905", NOW), "tidb-auto-random");
    assertEquals(
        List.of(new ReadingField("shard", "16", 5), new ReadingField("increment", "1", 58)),
        tidb.fields());
    assertNull(tidb.time());

    Reading notebook = reading(INSPECTOR.inspect("7378697629483820545", NOW), "notebook");
    assertEquals(Instant.ofEpochSecond(1717986918), notebook.time());
    assertTrue(notebook.note().contains("leave none for the sign"));
  }

  @Test
  void inspect_everyNamedLayout_isAmongTheReadingsOfItsIds() {
    Inspector inspector = Inspector.of(Layout.builder().time(52).worker(5).sequence(6).build());
    Layouts.all()
        .forEach(
            (name, layout) -> {
              long tick = Math.min(layout.tickAt(NOW), layout.maxTick() / 8 * 7);
              long id = layout.encode(tick, Math.min(1, layout.maxWorker()), 2);
              Inspection inspection = inspector.inspect(Long.toUnsignedString(id), NOW);
              assertEquals(layout.timeOf(id), reading(inspection, name).time(), name);
            });
  }

  @Test
  void inspect_fixedWidthTexts_areReadAsTheirNumber() {
    long id = Layouts.IDGEN.encode(Layouts.IDGEN.tickAt(NOW), 7, 0);
    for (String[] text :
        new String[][] {
          {Text.HEX.encode(id), "hex"},
          {Text.CROCKFORD.encode(id), "crockford"},
          {Text.CROCKFORD.encode(id).toLowerCase(Locale.ROOT), "crockford"},
          {Text.BASE58.encode(id), "base58"},
          {Text.BASE62.encode(id), "base62"},
        }) {
      Inspection inspection = INSPECTOR.inspect(text[0], NOW);
      Reading own =
          inspection.readings().stream()
              .filter(r -> r.kind().equals("snowflake") && r.form().equals(text[1]))
              .findFirst()
              .orElseThrow();
      assertEquals(95, own.score(), text[0]);
      assertEquals(Instant.ofEpochMilli(NOW), own.time());
      Inspection prefixed = INSPECTOR.inspect("ord_" + text[0], NOW);
      assertTrue(
          prefixed.readings().stream()
              .anyMatch(
                  r ->
                      r.form().equals(text[1])
                          && r.fields().get(0).equals(new ReadingField("prefix", "ord_", 0))
                          && Instant.ofEpochMilli(NOW).equals(r.time())),
          text[0]);
    }
  }

  @Test
  void inspect_prefix_isFoundBehindASeparatorOrWhereItIsKnown() {
    for (String prefix : List.of("ord_", "my.order:", "a-", "a_b-c~")) {
      Inspection inspection = INSPECTOR.inspect(prefix + "1541815603606036480", NOW);
      assertEquals(
          new ReadingField("prefix", prefix, 0), reading(inspection, "twitter").fields().get(0));
    }
    Inspection uuid = INSPECTOR.inspect("a-017F22E2-79B0-7CC3-98C4-DC0C0C07398F", NOW);
    assertEquals("uuid-v7", uuid.kind());
    assertEquals(
        List.of("uuid-v4"),
        kinds(INSPECTOR.inspect("c19108f7-52d1-4320-9bac-123456789012", NOW)),
        "no prefix and number in a UUID");
    refused("text: ORD42" + EXPECTED, () -> INSPECTOR.inspect("ORD42", NOW));
    Inspector knowing = Inspector.of(Layouts.IDGEN, List.of("", "ORD", "INV"));
    Inspection known = knowing.inspect("ORD42", NOW);
    assertEquals(new ReadingField("prefix", "ORD", 0), known.best().fields().get(0));
    assertEquals("number", known.kind());
    assertEquals(Layouts.IDGEN.decode(42), knowing.inspect("INV42", "own", NOW).decoded());
    refused("text: ord_" + EXPECTED, () -> INSPECTOR.inspect("ord_", NOW));
    refused("text: _42" + EXPECTED, () -> INSPECTOR.inspect("_42", NOW));
    refused("text: a1-42" + EXPECTED, () -> INSPECTOR.inspect("a1-42", NOW));
  }

  @Test
  void inspect_decimalThatAnotherFormFits_isRatherADecimal() {
    Inspection inspection = INSPECTOR.inspect("1541815603606036", NOW);
    assertEquals("decimal", inspection.best().form());
    inspection
        .readings()
        .forEach(
            r -> assertTrue(r.form().equals("decimal") || r.score() <= 55, () -> r.toString()));
    assertEquals("crockford", INSPECTOR.inspect("0000000000042", NOW).best().form());
    assertEquals("number", INSPECTOR.inspect("000000000000A", NOW).kind());
  }

  @Test
  void inspect_tsidText_isRatherATsid() {
    long id = Layouts.TSID.encode(Layouts.TSID.tickAt(NOW - 125_000_000_000L), 300, 1000);
    String text = Text.CROCKFORD.encode(id);
    Inspection inspection = Inspector.of(Layouts.COSID_JAVASCRIPT_SECONDS).inspect(text, NOW);
    assertEquals("tsid", inspection.kind());
  }

  @Test
  void inspect_from2To63On_needsALayout() {
    refused(
        "text: 9223372036854775808 (expected: a decimal number 0..9223372036854775807,"
            + " or a larger one together with the name of its layout)",
        () -> INSPECTOR.inspect("9223372036854775808", NOW));
    refused(
        "text: 18446744073709551615 (expected: a decimal number 0..9223372036854775807,"
            + " or a larger one together with the name of its layout)",
        () -> INSPECTOR.inspect("18446744073709551615", NOW));
    refused(
        "text: 18446744073709551616" + EXPECTED,
        () -> INSPECTOR.inspect("18446744073709551616", NOW));
    Inspection discord = INSPECTOR.inspect("18446744073709551615", "discord", NOW);
    assertEquals(Layouts.DISCORD.decode(-1), discord.decoded());
    assertEquals("18446744073709551615", String.valueOf(discord.best().number()));
    assertEquals("asked for; its time is in the future", discord.best().reason());
    assertNotNull(INSPECTOR.inspect("18446744073709551615", "notebook", NOW).best().time());
  }

  @Test
  void inspect_underEveryName_readsAnIdOfIt() {
    for (String name : INSPECTOR.layoutNames()) {
      Inspection inspection = INSPECTOR.inspect("721864159923240", name, NOW);
      assertEquals(1, inspection.readings().size());
      assertEquals("721864159923240", String.valueOf(inspection.best().number()));
      assertEquals(name.equals("own") ? "snowflake" : name, inspection.kind());
    }
    assertEquals("own", INSPECTOR.layoutNames().iterator().next());
  }

  @Test
  void inspect_underALayoutDescribed_readsIt() {
    Inspection inspection = INSPECTOR.inspect("721864159923240960", "41/10/12", NOW);
    assertEquals(Layouts.IDGEN.decode(721864159923240960L), inspection.decoded());
    Inspection described = INSPECTOR.inspect("721864159923240960", Layouts.SEATA.describe(), NOW);
    assertEquals(Layouts.SEATA, described.layout());
  }

  @Test
  void inspect_underALayoutThatDoesNotHoldIt_isRefused() {
    refused(
        "text: 9007199254740992 (expected: a number 0..9007199254740991,"
            + " which the layout cosid-javascript holds)",
        () -> INSPECTOR.inspect("9007199254740992", "cosid-javascript", NOW));
    refused(
        "text: abc (expected: a number 0..9223372036854775807, which the layout twitter holds)",
        () -> INSPECTOR.inspect("abc", "twitter", NOW));
    refused(
        "text: 9223372036854775808 (expected: a number 0..9223372036854775807,"
            + " which the layout tidb-auto-random holds)",
        () -> INSPECTOR.inspect("9223372036854775808", "tidb-auto-random", NOW));
    refused(
        "layout: nosuch (expected: 41/10/12 or the like, or one of "
            + String.join(", ", INSPECTOR.layoutNames())
            + ")",
        () -> INSPECTOR.inspect("1", "nosuch", NOW));
    assertThrows(InspectException.class, () -> INSPECTOR.inspect("1", "", NOW));
    assertThrows(InspectException.class, () -> INSPECTOR.inspect("1", "a;b", NOW));
  }

  @Test
  void inspect_whatIsNoId_isRefused() {
    refused("text: abc" + EXPECTED, () -> INSPECTOR.inspect("abc", NOW));
    refused("text: " + EXPECTED, () -> INSPECTOR.inspect("", NOW));
    refused("text:  42" + EXPECTED, () -> INSPECTOR.inspect(" 42", NOW));
    refused("text:    " + EXPECTED, () -> INSPECTOR.inspect("   ", NOW));
    refused("text: -1" + EXPECTED, () -> INSPECTOR.inspect("-1", NOW));
    refused("text: +1" + EXPECTED, () -> INSPECTOR.inspect("+1", NOW));
    refused("text: 007" + EXPECTED, () -> INSPECTOR.inspect("007", NOW));
    refused("text: ٣" + EXPECTED, () -> INSPECTOR.inspect("٣", NOW));
    refused("text: 1?2?[31m" + EXPECTED, () -> INSPECTOR.inspect("1\n2\u001b[31m", NOW));
    refused(
        "text: " + "9".repeat(64) + "... (expected: at most 128 characters)",
        () -> INSPECTOR.inspect("9".repeat(10_000_000), NOW));
  }

  @Test
  void inspect_soup_isReadOrRefusedAndNothingElse() {
    long seed = Long.getLong("idgen.seed", new Random().nextLong());
    System.out.println("-Didgen.seed=" + seed);
    Random random = new Random(seed);
    String[] seeds = {
      "1541815603606036480",
      "c232ab00-9414-11ec-b3c8-9f6bdeced846",
      "urn:uuid:017F22E2-79B0-7CC3-98C4-DC0C0C07398F",
      "01ARZ3NDEKTSV4RRFFQ69G5FAV",
      "prefix_01h2xcejqtf2nbrexx3vqjhp41",
      "0ujtsYcgvSTl8PAuAdqWYSMnLOv",
      "9m4e2mr0ui3e8a215n4g",
      "507f1f77bcf86cd799439011",
      "V1StGXR8_Z5jdHi6B-myT",
      "ord_0KZ3NDEKTSV4R",
    };
    String alphabet = "09afzAFZ_-{}: \u0000\u00e9\u0663\ud83d\udca9\ud83d";
    List<String> layouts = List.copyOf(INSPECTOR.layoutNames());
    int read = 0;
    for (int i = 0; i < 6_000; i++) {
      StringBuilder text = new StringBuilder(seeds[random.nextInt(seeds.length)]);
      for (int changes = random.nextInt(4); changes > 0 && text.length() > 0; changes--) {
        int at = random.nextInt(text.length());
        char c = alphabet.charAt(random.nextInt(alphabet.length()));
        switch (random.nextInt(3)) {
          case 0 -> text.setCharAt(at, c);
          case 1 -> text.insert(at, c);
          default -> text.deleteCharAt(at);
        }
      }
      read += outcome(text.toString(), layouts.get(random.nextInt(layouts.size())));
      read += outcome(soup(random), layouts.get(random.nextInt(layouts.size())));
    }
    assertTrue(read > 2_000, "hardly any text was read: " + read);
  }

  private static String soup(Random random) {
    StringBuilder soup = new StringBuilder();
    for (int length = random.nextInt(40); length > 0; length--) {
      soup.append(
          (char) (random.nextInt(8) == 0 ? random.nextInt(0x10000) : 33 + random.nextInt(94)));
    }
    return soup.toString();
  }

  private static int outcome(String text, String layout) {
    int read = 0;
    try {
      Inspection inspection = INSPECTOR.inspect(text, NOW);
      for (int i = 1; i < inspection.readings().size(); i++) {
        assertTrue(
            inspection.readings().get(i - 1).score() >= inspection.readings().get(i).score());
      }
      read++;
    } catch (InspectException e) {
      assertTrue(String.valueOf(e.getMessage()).startsWith("text: "), e::getMessage);
    }
    try {
      read += INSPECTOR.inspect(text, layout, NOW).readings().size();
    } catch (InspectException e) {
      assertTrue(String.valueOf(e.getMessage()).startsWith("text: "), e::getMessage);
    }
    return read;
  }

  @Test
  void reading_scoreOutOfRange_isRefused() {
    var e =
        assertThrows(
            IllegalArgumentException.class,
            () -> new Reading("a", "b", "c", null, List.of(), null, 101, "", ""));
    assertEquals("score: 101 (expected: 0..100)", e.getMessage());
    var none =
        assertThrows(
            IllegalArgumentException.class, () -> new Inspection("", null, null, List.of()));
    assertEquals("readings: 0 (expected: >= 1)", none.getMessage());
  }

  static Reading reading(Inspection inspection, String kind) {
    return inspection.readings().stream()
        .filter(reading -> reading.kind().equals(kind))
        .findFirst()
        .orElseThrow(() -> new AssertionError(kind + " is not among " + kinds(inspection)));
  }

  static List<String> kinds(Inspection inspection) {
    return inspection.readings().stream().map(Reading::kind).toList();
  }

  private static void refused(String message, Executable call) {
    assertEquals(message, assertThrows(InspectException.class, call).getMessage());
  }
}
