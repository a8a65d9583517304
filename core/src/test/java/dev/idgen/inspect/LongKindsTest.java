package dev.idgen.inspect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.layout.Layouts;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Ids of 96 bits and more, by the examples of their own specifications. */
class LongKindsTest {
  private static final long NOW = Instant.parse("2026-11-29T12:00:00Z").toEpochMilli();
  private static final Inspector INSPECTOR = Inspector.of(Layouts.IDGEN);

  /** The examples of RFC 9562, appendices A and B. */
  @ParameterizedTest
  @CsvSource({
    "C232AB00-9414-11EC-B3C8-9F6BDECED846, uuid-v1, 2022-02-22T19:22:22Z",
    "1EC9414C-232A-6B00-B3C8-9F6BDECED846, uuid-v6, 2022-02-22T19:22:22Z",
    "017F22E2-79B0-7CC3-98C4-DC0C0C07398F, uuid-v7, 2022-02-22T19:22:22Z",
    "5df41881-3aed-3515-88a7-2f4a814cf09e, uuid-v3,",
    "919108f7-52d1-4320-9bac-f847db4148a8, uuid-v4,",
    "2ed6657d-e927-568b-95e1-2665a8aea6a2, uuid-v5,",
    "2489E9AD-2EE2-8E00-8EC9-32D5F69181C0, uuid-v8,",
    "5c146b14-3c52-8afd-938a-375d0df1fbf6, uuid-v8,",
  })
  void inspect_uuid_isTold(String text, String kind, Instant time) {
    String[] forms = {text, text.toLowerCase(Locale.ROOT), "urn:uuid:" + text, "{" + text + "}"};
    for (String form : forms) {
      Reading reading = only(form);
      assertEquals(kind, reading.kind());
      assertEquals(time, reading.time());
      assertEquals(100, reading.score());
      assertEquals(128, bits(reading));
    }
    Reading bare = only(text.replace("-", ""));
    assertEquals(kind, bare.kind());
    assertEquals("hex", bare.form());
    assertEquals(85, bare.score());
  }

  @Test
  void inspect_uuidFields_areThoseOfTheRfc() {
    assertEquals(
        List.of(
            new ReadingField("timeLow", String.valueOf(0xC232AB00L), 32),
            new ReadingField("timeMid", String.valueOf(0x9414), 16),
            new ReadingField("version", "1", 4),
            new ReadingField("timeHigh", String.valueOf(0x1EC), 12),
            new ReadingField("variant", "2", 2),
            new ReadingField("clockSequence", String.valueOf(0x33C8), 14),
            new ReadingField("node", "9f6bdeced846", 48)),
        only("C232AB00-9414-11EC-B3C8-9F6BDECED846").fields());
    assertEquals(
        List.of(
            new ReadingField("timeHigh", String.valueOf(0x1EC9414CL), 32),
            new ReadingField("timeMid", String.valueOf(0x232A), 16),
            new ReadingField("version", "6", 4),
            new ReadingField("timeLow", String.valueOf(0xB00), 12),
            new ReadingField("variant", "2", 2),
            new ReadingField("clockSequence", String.valueOf(0x33C8), 14),
            new ReadingField("node", "9f6bdeced846", 48)),
        only("1EC9414C-232A-6B00-B3C8-9F6BDECED846").fields());
    assertEquals(
        List.of(
            new ReadingField("time", String.valueOf(0x017F22E279B0L), 48),
            new ReadingField("version", "7", 4),
            new ReadingField("randomA", "cc3", 12),
            new ReadingField("variant", "2", 2),
            new ReadingField("randomB", "18c4dc0c0c07398f", 62)),
        only("017F22E2-79B0-7CC3-98C4-DC0C0C07398F").fields());
  }

  @Test
  void inspect_uuidWithoutTimeOrVersion_isTold() {
    assertEquals("uuid-nil", only("00000000-0000-0000-0000-000000000000").kind());
    assertEquals("uuid-max", only("ffffffff-ffff-ffff-ffff-ffffffffffff").kind());
    assertEquals("uuid-max", only("F".repeat(32)).kind());
    assertEquals("uuid", only("c232ab00-9414-11ec-c3c8-9f6bdeced846").kind());
    assertEquals("uuid", only("c232ab00-9414-91ec-b3c8-9f6bdeced846").kind());
    assertEquals("uuid-v2", only("000003e8-9414-21ec-b300-9f6bdeced846").kind());
    Reading md5 = only("d41d8cd98f00b204e9800998ecf8427e"); // of the empty text
    assertEquals("uuid", md5.kind());
    assertTrue(md5.note().contains("MD5"));
  }

  @Test
  void inspect_uuidOfTheFuture_isDoubted() {
    Reading reading = only("ffffffff-ffff-7cc3-98c4-dc0c0c07398f");
    assertEquals("uuid-v7", reading.kind());
    assertEquals(80, reading.score());
    assertTrue(reading.reason().endsWith("its time is in the future"), reading.reason());
    assertTrue(only("00000000-0000-1000-8000-000000000000").reason().endsWith("before 2006"));
  }

  /** The check value of RFC 9562's version 7 for a date of our own. */
  @Test
  void inspect_uuidV7OfAKnownDate_hasThatDate() {
    Reading reading = only("01a13522-4200-7000-8000-000000000000");
    assertEquals(Instant.parse("2026-10-13T12:00:00Z"), reading.time());
  }

  /** The example of the ULID specification. */
  @Test
  void inspect_ulid_isTold() {
    Reading reading = only("01ARZ3NDEKTSV4RRFFQ69G5FAV");
    assertEquals("ulid", reading.kind());
    assertEquals(Instant.parse("2016-07-30T23:54:10.259Z"), reading.time());
    assertEquals(
        List.of(
            new ReadingField("time", "1469922850259", 48),
            new ReadingField("random", "d6764c61efb99302bd5b", 80)),
        reading.fields());
    assertEquals("ulid", only("01arz3ndektsv4rrffq69g5fav").kind());
    assertEquals(40, only("7ZZZZZZZZZZZZZZZZZZZZZZZZZ").score());
    refused("8ZZZZZZZZZZZZZZZZZZZZZZZZZ");
    refused("01ARZ3NDEKTSV4RRFFQ69G5FAU");
  }

  /**
   * The example of the TypeID specification, whose UUID is 0188bac7-4afa-78aa-bc3b-bd1eef28d881.
   */
  @Test
  void inspect_typeId_isTold() {
    Reading reading = INSPECTOR.inspect("prefix_01h2xcejqtf2nbrexx3vqjhp41", NOW).best();
    assertEquals("typeid", reading.kind());
    assertEquals("188bac74afa78aabc3bbd1eef28d881", String.valueOf(hex(reading)));
    assertEquals(new ReadingField("prefix", "prefix_", 0), reading.fields().get(0));
    assertEquals(Instant.ofEpochMilli(0x0188bac74afaL), reading.time());
    assertEquals(128, bits(reading));

    Inspection bare = INSPECTOR.inspect("01h2xcejqtf2nbrexx3vqjhp41", NOW);
    assertEquals(List.of("typeid", "ulid"), InspectorTest.kinds(bare));
    assertEquals("ulid", only("01H2XCEJQTF2NBREXX3VQJHP41").kind());
  }

  @Test
  void inspect_typeIdThatIsNoUuidV7_isDoubted() {
    Inspection loose = INSPECTOR.inspect("prefix_0123456789abcdefghjkmnpqrs", NOW);
    Reading reading = InspectorTest.reading(loose, "typeid");
    assertEquals("its bits are no UUID v7, which they should be", reading.note());
    assertEquals(60, reading.score());
    Inspection badPrefix = INSPECTOR.inspect("Prefix_01h2xcejqtf2nbrexx3vqjhp41", NOW);
    assertEquals(List.of("ulid"), InspectorTest.kinds(badPrefix));
    Inspection underscores = INSPECTOR.inspect("my_own_01h2xcejqtf2nbrexx3vqjhp41", NOW);
    assertEquals("typeid", underscores.kind());
    refused("prefix_81h2xcejqtf2nbrexx3vqjhp41");
  }

  /** The example of KSUID's own documentation. */
  @Test
  void inspect_ksuid_isTold() {
    Reading reading = only("0ujtsYcgvSTl8PAuAdqWYSMnLOv");
    assertEquals("ksuid", reading.kind());
    assertEquals(Instant.parse("2017-10-10T04:00:47Z"), reading.time());
    assertEquals(
        List.of(
            new ReadingField("time", "107608047", 32),
            new ReadingField("random", "b5a1cd34b5f99d1154fb6853345c9735", 128)),
        reading.fields());
    assertEquals(30, only("aWgEPTl1tmebfsQzFP4bxwgy80V").score());
    refused("aWgEPTl1tmebfsQzFP4bxwgy80W");
    assertEquals("ksuid", INSPECTOR.inspect("user_0ujtsYcgvSTl8PAuAdqWYSMnLOv", NOW).kind());
  }

  /** The example of XID's own tests. */
  @Test
  void inspect_xid_isTold() {
    Reading reading = only("9m4e2mr0ui3e8a215n4g");
    assertEquals("xid", reading.kind());
    assertEquals(Instant.ofEpochSecond(1300816219), reading.time());
    assertEquals(
        List.of(
            new ReadingField("time", "1300816219", 32),
            new ReadingField("machine", "60f486", 24),
            new ReadingField("process", String.valueOf(0xe428), 16),
            new ReadingField("counter", "4271561", 24)),
        reading.fields());
    refused("9m4e2mr0ui3e8a215n41"); // bits beyond 96
    refused("9M4E2MR0UI3E8A215N4G");
    refused("9m4e2mr0ui3e8a215n4z");
    assertEquals(30, only("00000000000000000000".replace("0", "v").replaceAll("v$", "g")).score());
  }

  /** The example of MongoDB's manual. */
  @Test
  void inspect_objectId_isTold() {
    Reading reading = only("507f1f77bcf86cd799439011");
    assertEquals("objectid", reading.kind());
    assertEquals(Instant.parse("2012-10-17T21:13:27Z"), reading.time());
    assertEquals(
        List.of(
            new ReadingField("time", String.valueOf(0x507f1f77), 32),
            new ReadingField("process", "bcf86cd799", 40),
            new ReadingField("counter", String.valueOf(0x439011), 24)),
        reading.fields());
    assertEquals("objectid", only("507F1F77BCF86CD799439011").kind());
    assertEquals("objectid", only("507111111111111111111111").kind());
    refused("107111111111111111111111"); // a decimal that is too large
    refused("507f1f77bcf86cd79943901g");
  }

  /** The example of NanoID's own documentation. */
  @Test
  void inspect_nanoId_isTold() {
    Reading reading = only("V1StGXR8_Z5jdHi6B-myT");
    assertEquals("nanoid", reading.kind());
    assertEquals(List.of(), reading.fields());
    assertNull(reading.time());
    assertNull(reading.number());
    refused("V1StGXR8.Z5jdHi6B-myT");
    refused("123456789012345678901");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "c232ab00-9414-11ec-b3c8-9f6bdeced84",
        "c232ab00-9414-11ec-b3c8-9f6bdeced8466",
        "c232ab0-09414-11ec-b3c8-9f6bdeced846",
        "{c232ab00-9414-11ec-b3c8-9f6bdeced846",
        "c232ab00-9414-11ec-b3c8-9f6bdeced846}",
        "c232ab00-9414-11ec-b3c8-9f6bdeced84g",
        "urn:uuid:c232ab00-9414-11ec-b3c8-9f6bdeced84",
      })
  void inspect_brokenUuid_isRefused(String text) {
    refused(text);
  }

  private static Reading only(String text) {
    Inspection inspection = INSPECTOR.inspect(text, NOW);
    assertEquals(1, inspection.readings().size(), () -> inspection.readings().toString());
    assertNull(inspection.decoded());
    assertFalse(inspection.best().title().isEmpty());
    return inspection.best();
  }

  private static String hex(Reading reading) {
    var number = reading.number();
    return number == null ? "" : number.toString(16);
  }

  private static int bits(Reading reading) {
    return reading.fields().stream().mapToInt(ReadingField::bits).sum();
  }

  private static void refused(String text) {
    assertThrows(InspectException.class, () -> INSPECTOR.inspect(text, NOW));
  }
}
