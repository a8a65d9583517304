package dev.idgen.layout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.layout.Field.Kind;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class LayoutTest {
  private static final Instant EPOCH = Instant.parse("2024-01-01T00:00:00Z");
  private static final Layout SPLIT =
      Layout.builder().version(2, 3).time(39).worker(5, 5).sequence(12).build();

  @Test
  void build_default_hasTheDocumentedFields() {
    Layout layout = Layout.builder().time(41).worker(10).sequence(12).build();
    assertEquals(41, layout.timeBits());
    assertEquals(10, layout.workerBits());
    assertEquals(0, layout.regionBits());
    assertEquals(12, layout.sequenceBits());
    assertEquals(0, layout.versionBits());
    assertEquals(22, layout.timeShift());
    assertEquals(12, layout.workerShift());
    assertEquals(0, layout.sequenceShift());
    assertEquals((1L << 41) - 1, layout.maxTick());
    assertEquals(1023, layout.maxWorker());
    assertEquals(4095, layout.maxSequence());
    assertEquals(0, layout.fixedBits());
    assertEquals(EPOCH.toEpochMilli(), layout.epochMillis());
    assertTrue(layout.timeOrdered());
    assertTrue(layout.issuable());
    assertEquals(Layouts.IDGEN, layout);
  }

  @Test
  void fields_splitWorker_areShownApart() {
    assertEquals(
        List.of(
            new Field(Kind.VERSION, 2, 61),
            new Field(Kind.TIME, 39, 22),
            new Field(Kind.REGION, 5, 17),
            new Field(Kind.WORKER, 5, 12),
            new Field(Kind.SEQUENCE, 12, 0)),
        SPLIT.fields());
    assertEquals(3L << 61, SPLIT.fixedBits());
    assertEquals(3, SPLIT.version());
  }

  @Test
  void field_valueOf_readsItsBits() {
    long id = SPLIT.encode(77, 0b00011_00101, 9);
    assertEquals(
        List.of(3L, 77L, 3L, 5L, 9L),
        SPLIT.fields().stream().map(field -> field.valueOf(id)).toList());
  }

  @Test
  void field_outsideOf64Bits_isRefused() {
    refused("bits: 0 (expected: 1..63)", () -> new Field(Kind.TIME, 0, 0));
    refused("shift: 24 (expected: 0..23)", () -> new Field(Kind.TIME, 41, 24));
  }

  @Test
  void build_severalFaults_namesAll() {
    refused(
        "tickMillis: 7 (expected: 1, 10 or 1000); "
            + "epochMillis: -1 (expected: 0..253402300799999); "
            + "unsigned: true (expected: false in a JavaScript-safe layout); "
            + "sequence: 2 times (expected: once); "
            + "timeBits: none (expected: 33..52); "
            + "workerBits: 32 (expected: 0..31); "
            + "sequenceBits: -1 (expected: 0..31); "
            + "bits in all: 43 (expected: 64); "
            + "regionBits: 33 (expected: 0..32)",
        () ->
            Layout.builder()
                .worker(32)
                .sequence(12)
                .sequence(-1)
                .regionBits(33)
                .tickMillis(7)
                .epochMillis(-1)
                .javascriptSafe()
                .unsigned()
                .build());
  }

  @Test
  void build_bitsDoNotFill_isRefused() {
    refused("bits in all: 62 (expected: 63)", () -> Layout.of("40/10/12"));
    refused("bits in all: 64 (expected: 63)", () -> Layout.of("42/10/12"));
    refused(
        "bits in all: 63 (expected: 53)",
        () -> Layout.builder().fields("41/10/12").javascriptSafe().build());
    refused(
        "bits in all: 63 (expected: 64)",
        () -> Layout.builder().fields("41/10/12").unsigned().build());
    refused(
        "timeBits: none (expected: 35..52); bits in all: 0 (expected: 63)",
        () -> Layout.builder().build());
  }

  @Test
  void build_timeTooShortForAYear_isRefused() {
    refused("timeBits: 34 (expected: 35..52)", () -> Layout.of("34/10/19"));
    refused(
        "timeBits: 24 (expected: 25..52)",
        () -> Layout.builder().fields("24/20/19").tickMillis(1000).build());
    Layout year = Layout.builder().fields("25/20/18").tickMillis(1000).build();
    assertTrue(year.end().isAfter(EPOCH.plus(365, ChronoUnit.DAYS)));
    refused("timeBits: 53 (expected: 35..52)", () -> Layout.of("53/10/0"));
  }

  @Test
  void build_versionNotAtTheTop_isRefused() {
    refused(
        "version: below another field (expected: at the top)",
        () -> Layout.builder().time(39).version(2, 1).worker(10).sequence(12).build());
    refused(
        "version: 4 (expected: 0..3)",
        () -> Layout.builder().version(2, 4).time(39).worker(10).sequence(12).build());
  }

  @Test
  void build_splitWorkerOutOfRange_isRefused() {
    refused(
        "workerBits: -1 (expected: 0..31); bits in all: 52 (expected: 63); "
            + "regionBits: -1 (expected: 0..0)",
        () -> Layout.builder().time(41).worker(-1, 11).sequence(12).build());
    refused(
        "workerBits: 2147483647 (expected: 0..31); bits in all: 2147483700 (expected: 63); "
            + "regionBits: -1 (expected: 0..2147483647)",
        () ->
            Layout.builder()
                .time(41)
                .worker(Integer.MAX_VALUE, Integer.MAX_VALUE)
                .regionBits(-1)
                .sequence(12)
                .build());
  }

  @Test
  void builder_fieldsInALoop_isStopped() {
    Layout.Builder builder = Layout.builder();
    refused(
        "fields: more than 16 (expected: each at most once)",
        () -> {
          for (int i = 0; i < 100; i++) {
            builder.time(1);
          }
        });
  }

  @Test
  void build_noWorkerBits_knowsWorkerZeroOnly() {
    Layout layout = Layout.builder().time(41).worker(0).sequence(22).build();
    assertEquals(0, layout.maxWorker());
    assertEquals("41/0/22", layout.name());
    assertEquals(Layout.of("41/0/22"), layout);
    long id = layout.encode(5, 0, (1 << 22) - 1);
    assertEquals(0, layout.workerOf(id));
    assertEquals(0, layout.regionOf(id));
    assertEquals(5, layout.tickOf(id));
    refused("workerId: 1 (expected: 0..0)", () -> layout.encode(5, 1, 0));
  }

  /** C24. */
  @Test
  void encode_workerOutOfRange_isRefusedAndNeverSpills() {
    refused("workerId: 1024 (expected: 0..1023)", () -> Layouts.IDGEN.encode(1, 1024, 0));
    refused("workerId: -1 (expected: 0..1023)", () -> Layouts.IDGEN.encode(1, -1, 0));
    refused("sequence: 4096 (expected: 0..4095)", () -> Layouts.IDGEN.encode(1, 1, 4096));
    refused("sequence: -1 (expected: 0..4095)", () -> Layouts.IDGEN.encode(1, 1, -1));
    refused("tick: -1 (expected: 0..2199023255551)", () -> Layouts.IDGEN.encode(-1, 1, 1));
  }

  /** C9. */
  @Test
  void encode_atTheEndOfLife_lastTickWorksAndTheNextIsRefused() {
    for (Layout layout : Layouts.all().values()) {
      long last = layout.encode(layout.maxTick(), layout.maxWorker(), layout.maxSequence());
      assertEquals(layout.maxTick(), layout.tickOf(last));
      assertEquals(layout.idRange().lastInclusive(), last);
      assertEquals(!layout.issuable(), last < 0, layout.name());
      assertEquals(layout.end(), layout.timeOf(last).plusMillis(layout.tickMillis()));
      refused(
          "tick: " + (layout.maxTick() + 1) + " (expected: 0.." + layout.maxTick() + ")",
          () -> layout.encode(layout.maxTick() + 1, 0, 0));
      assertEquals(layout.maxTick(), layout.tickAt(layout.end().toEpochMilli() - 1));
      assertEquals(layout.maxTick() + 1, layout.tickAt(layout.end().toEpochMilli()));
    }
  }

  /** C10. */
  @Test
  void end_default_isIn2090OrLater() {
    assertEquals(Instant.parse("2093-09-06T15:47:35.552Z"), Layouts.IDGEN.end());
    assertTrue(Layouts.JAVASCRIPT_SAFE.end().isAfter(Instant.parse("2090-01-01T00:00:00Z")));
  }

  /** C10. */
  @Test
  void checkedAgainst_otherStoredLayout_refusesToStart() {
    Layout configured = Layout.builder().fields("31/10/22").tickMillis(1000).epochMillis(1).build();
    refused(
        "layout: 31/10/22 (expected: 41/10/12, as stored); "
            + "tickMillis: 1000 (expected: 1, as stored); "
            + "epochMillis: 1 (expected: 1704067200000, as stored)",
        () -> configured.checkedAgainst(Layouts.IDGEN));
    assertSame(Layouts.IDGEN, Layouts.IDGEN.checkedAgainst(Layout.parse(Layouts.IDGEN.describe())));
  }

  @Test
  void checkedForStart_epochAheadOrTooFewYearsLeft_isRefused() {
    long epoch = EPOCH.toEpochMilli();
    assertSame(Layouts.IDGEN, Layouts.IDGEN.checkedForStart(epoch));
    refused(
        "epochMillis: 1704067200000 (expected: <= 1704067199999, which is now)",
        () -> Layouts.IDGEN.checkedForStart(epoch - 1));
    refused(
        "end: 2093-09-06T15:47:35.552Z (expected: at least 1 year after 2092-09-06T10:00:00Z)",
        () -> Layouts.IDGEN.checkedForStart(Instant.parse("2092-09-06T10:00:00Z").toEpochMilli()));
    refused(
        "end: 2093-09-06T15:47:35.552Z (expected: at least 70 years after 2024-01-01T00:00:00Z)",
        () -> Layouts.IDGEN.checkedForStart(epoch, 70));
    refused("minYearsLeft: -1 (expected: >= 0)", () -> Layouts.IDGEN.checkedForStart(epoch, -1));
    refused(
        "layout: time42,worker10(region5),sequence12;tick=1;epoch=1420070400000;bits=64"
            + " (expected: 63 bits or 53: ids of 64 bits are only for reading)",
        () -> Layouts.DISCORD.checkedForStart(epoch));
  }

  @Test
  void decode_splitWorker_givesAllFields() {
    long id = SPLIT.encode(1000, 0b00011_00101, 9);
    assertEquals(
        new IdFields(id, EPOCH.plusSeconds(1), 1000, 0b00011_00101, 3, 5, 9, 3), SPLIT.decode(id));
  }

  @Test
  void decode_idOfAnotherLayout_isRefused() {
    refused("id: -1 (expected: 0..9223372036854775807)", () -> Layouts.IDGEN.decode(-1));
    refused(
        "id: 9007199254740992 (expected: 0..9007199254740991)",
        () -> Layouts.JAVASCRIPT_SAFE.decode(1L << 53));
    refused(
        "id: 6917529027641081855 (expected: 6917529027641081856..9223372036854775807)",
        () -> SPLIT.timeOf((3L << 61) - 1));
    Layout marked =
        Layout.builder().version(1, 1).time(41).worker(10).sequence(12).unsigned().build();
    refused(
        "id: 7 (expected: 9223372036854775808..18446744073709551615)", () -> marked.workerOf(7));
    assertTrue(marked.fits(-1));
    assertFalse(Layouts.IDGEN.fits(Long.MIN_VALUE));
    assertFalse(SPLIT.fits(0));
  }

  /** C81. */
  @Test
  void decode_bordersOfNumberTypes_areExact() {
    for (long id : new long[] {1L << 31, 1L << 32, 1L << 53, Long.MAX_VALUE}) {
      IdFields fields = Layouts.IDGEN.decode(id);
      assertEquals(id, Layouts.IDGEN.encode(fields.tick(), fields.worker(), fields.sequence()));
    }
    assertEquals(Layouts.JAVASCRIPT_SAFE.idRange(), new IdRange(0, (1L << 53) - 1));
    assertEquals(Layouts.IDGEN.idRange(), new IdRange(0, Long.MAX_VALUE));
  }

  @Test
  void decode_randomLayouts_givesBackWhatWasEncoded() {
    Random random = new Random(RandomLayouts.seed());
    for (int i = 0; i < 6_000; i++) {
      Layout layout = RandomLayouts.next(random);
      long tick =
          random.nextInt(10) == 0 ? layout.maxTick() : random.nextLong(layout.maxTick() + 1);
      int worker = (int) random.nextLong(layout.maxWorker() + 1L);
      long sequence = random.nextLong(layout.maxSequence() + 1);
      long id = layout.encode(tick, worker, sequence);
      IdFields fields = layout.decode(id);
      assertEquals(tick, fields.tick(), layout::describe);
      assertEquals(worker, fields.worker(), layout::describe);
      assertEquals(sequence, fields.sequence(), layout::describe);
      int localBits = layout.workerBits() - layout.regionBits();
      assertEquals(
          worker, ((long) fields.region() << localBits) + fields.localWorker(), layout::describe);
      assertEquals(layout.startMillis(tick), fields.time().toEpochMilli());
      assertEquals(tick, layout.tickAt(fields.time().toEpochMilli()));
      assertTrue(layout.idRange().contains(id));
      assertTrue(layout.issuable() ? id >= 0 : true, layout::describe);
    }
  }

  @Test
  void fits_randomIds_agreesWithTheRangeOfAllIds() {
    Random random = new Random(RandomLayouts.seed());
    for (int i = 0; i < 6_000; i++) {
      Layout layout = RandomLayouts.next(random);
      long id = random.nextLong() >>> random.nextInt(64);
      assertEquals(layout.idRange().contains(id), layout.fits(id), layout::describe);
      long first = layout.idRange().first();
      assertTrue(layout.fits(first) && (first == 0 || !layout.fits(first - 1)), layout::describe);
      long last = layout.idRange().lastInclusive();
      assertTrue(layout.fits(last) && (last == -1 || !layout.fits(last + 1)), layout::describe);
    }
  }

  @Test
  void tickAt_beforeTheEpoch_isNegative() {
    Layout seconds = Layouts.COSID_SECONDS;
    assertEquals(-1, seconds.tickAt(seconds.epochMillis() - 1));
    assertEquals(-1, seconds.tickAt(seconds.epochMillis() - 1000));
    assertEquals(-2, seconds.tickAt(seconds.epochMillis() - 1001));
    assertEquals(0, seconds.tickAt(seconds.epochMillis() + 999));
    assertEquals(-1, Layouts.IDGEN.tickAt(EPOCH.toEpochMilli() - 1));
  }

  @Test
  void idRange_window_holdsItsIdsAndNoOthers() {
    IdRange range = Layouts.IDGEN.idRange(EPOCH.plusMillis(10), EPOCH.plusMillis(12));
    assertEquals(Layouts.IDGEN.encode(10, 0, 0), range.first());
    assertEquals(Layouts.IDGEN.encode(11, 1023, 4095), range.lastInclusive());
    assertTrue(range.contains(range.first()) && range.contains(range.lastInclusive()));
    assertFalse(range.contains(range.first() - 1) || range.contains(range.lastInclusive() + 1));
    assertFalse(range.contains(-1));
  }

  @Test
  void idRange_emptyWindow_isEmpty() {
    Instant ofNoTick = EPOCH.plusNanos(1);
    assertTrue(Layouts.IDGEN.idRange(EPOCH, EPOCH).isEmpty());
    assertTrue(Layouts.IDGEN.idRange(ofNoTick, EPOCH.plusMillis(1)).isEmpty());
    assertTrue(Layouts.IDGEN.idRange(Instant.MIN, EPOCH).isEmpty());
    assertTrue(Layouts.IDGEN.idRange(Layouts.IDGEN.end(), Instant.MAX).isEmpty());
    assertFalse(IdRange.EMPTY.contains(0) || IdRange.EMPTY.contains(1));
    refused(
        "from: 2024-01-01T00:00:00.000000001Z (expected: <= 2024-01-01T00:00:00Z)",
        () -> Layouts.IDGEN.idRange(ofNoTick, EPOCH));
  }

  @Test
  void idRange_allOfTime_isTheWholeLayout() {
    for (Layout layout : Layouts.all().values()) {
      if (layout.timeOrdered()) {
        assertEquals(layout.idRange(), layout.idRange(Instant.MIN, Instant.MAX), layout.name());
      }
    }
  }

  @Test
  void idRange_timeNotFirst_isRefused() {
    var e =
        assertThrows(
            IllegalStateException.class, () -> Layouts.SEATA.idRange(EPOCH, EPOCH.plusMillis(1)));
    assertEquals(
        "layout: worker10/time41/sequence12 (expected: time first, for only then are the ids of a"
            + " time window one range)",
        e.getMessage());
    assertFalse(Layouts.SEATA.timeOrdered());
    assertTrue(SPLIT.timeOrdered());
  }

  @Test
  void idRange_randomWindows_agreesWithEveryIdsTime() {
    Random random = new Random(RandomLayouts.seed());
    int tried = 0;
    while (tried < 3_000) {
      Layout layout = RandomLayouts.next(random);
      if (!layout.timeOrdered()) {
        continue;
      }
      tried++;
      long middle = random.nextInt(4) == 0 ? layout.maxTick() - 3 : random.nextInt(6);
      Instant from = nearTick(layout, middle, random);
      Instant to = nearTick(layout, middle + random.nextInt(5), random);
      IdRange range = from.isAfter(to) ? layout.idRange(to, from) : layout.idRange(from, to);
      Instant low = from.isAfter(to) ? to : from;
      Instant high = from.isAfter(to) ? from : to;
      for (long tick = Math.max(0, middle - 4);
          tick <= Math.min(layout.maxTick(), middle + 9);
          tick++) {
        for (long sequence : new long[] {0, layout.maxSequence()}) {
          long id = layout.encode(tick, random.nextBoolean() ? 0 : layout.maxWorker(), sequence);
          Instant time = layout.timeOf(id);
          boolean within = !time.isBefore(low) && time.isBefore(high);
          assertEquals(
              within, range.contains(id), () -> layout + " " + low + " " + high + " " + id);
        }
      }
    }
  }

  private static Instant nearTick(Layout layout, long tick, Random random) {
    long nanos = random.nextLong(2_000_000 * layout.tickMillis());
    nanos = random.nextBoolean() ? 0 : nanos - 1_000_000 * layout.tickMillis();
    return Instant.ofEpochMilli(layout.startMillis(tick)).plusNanos(nanos);
  }

  @Test
  void idsPerSecond_countsWorkersSequencesAndTicks() {
    assertEquals(4_096_000, Layouts.IDGEN.idsPerSecond(1));
    assertEquals(4_096_000d * 1024, Layouts.IDGEN.idsPerSecond(1024));
    assertEquals(25_600, Layouts.SONYFLAKE_V1.idsPerSecond(1));
    assertEquals(8192, Layouts.BAIDU.idsPerSecond(1));
    refused("workers: 1025 (expected: 1..1024)", () -> Layouts.IDGEN.idsPerSecond(1025));
    refused("workers: 0 (expected: 1..1024)", () -> Layouts.IDGEN.idsPerSecond(0));
  }

  @Test
  void describe_isTheOneTextOfALayout() {
    assertEquals("time41,worker10,sequence12;tick=1;epoch=1704067200000", Layouts.IDGEN.describe());
    assertEquals(
        "version2=3,time39,worker10(region5),sequence12;tick=1;epoch=1704067200000",
        SPLIT.toString());
    assertEquals(
        "time31,worker3,sequence19;tick=1000;epoch=1577203200000;bits=53",
        Layouts.COSID_JAVASCRIPT_SECONDS.describe());
    assertEquals("version2=3/time39/worker10(region5)/sequence12", SPLIT.name());
    assertEquals("time39/sequence8/worker16", Layouts.SONYFLAKE_V1.name());
  }

  @Test
  void parse_randomLayouts_givesBackTheSame() {
    Random random = new Random(RandomLayouts.seed());
    Layout before = Layouts.IDGEN;
    for (int i = 0; i < 5_000; i++) {
      Layout layout = RandomLayouts.next(random);
      Layout again = Layout.parse(layout.describe());
      assertEquals(layout, again);
      assertEquals(layout.hashCode(), again.hashCode());
      assertEquals(layout.fields(), again.fields());
      assertEquals(layout.describe().equals(before.describe()), layout.equals(before));
      before = layout;
    }
  }

  @Test
  void equals_somethingElse_isFalse() {
    assertNotEquals(Layouts.IDGEN, Layouts.LEAF);
    assertNotEquals(Layouts.IDGEN, new Object());
  }

  @Test
  void parse_anythingButTheOneText_isRefused() {
    String expected =
        " (expected: time41,worker10,sequence12;tick=1;epoch=1704067200000 or the like)";
    refused("layout: " + expected, () -> Layout.parse(""));
    refused("layout: 41/10/12" + expected, () -> Layout.parse("41/10/12"));
    refused(
        "layout: " + "x".repeat(200) + "..." + expected,
        () -> Layout.parse("x".repeat(10_000_000)));
    refused(
        "layout: time041,worker10,sequence12"
            + " (expected: 41/10/12, or fields such as time41, worker10, sequence12)",
        () -> Layout.parse("time041,worker10,sequence12;tick=1;epoch=1"));
    refused(
        "layout: time41,worker10,sequence12;tick=1;epoch=01"
            + " (expected: time41,worker10,sequence12;tick=1;epoch=1)",
        () -> Layout.parse("time41,worker10,sequence12;tick=1;epoch=01"));
    refused(
        "layout: time41,worker0,sequence22;tick=1;epoch=1"
            + " (expected: time41,sequence22;tick=1;epoch=1)",
        () -> Layout.parse("time41,worker0,sequence22;tick=1;epoch=1"));
    refused(
        "timeBits: 30 (expected: 35..52); bits in all: 52 (expected: 63)",
        () -> Layout.parse("time30,worker10,sequence12;tick=1;epoch=1"));
  }

  @Test
  void of_bothForms_areRead() {
    assertEquals(Layouts.IDGEN, Layout.of("41/10/12"));
    assertEquals(
        Layouts.SEATA,
        Layout.builder().fields("worker10/time41/sequence12").epochMillis(1588435200000L).build());
    assertEquals(SPLIT, Layout.of(SPLIT.name()));
    refused(
        "layout: 41/10 (expected: 41/10/12, or fields such as time41, worker10, sequence12)",
        () -> Layout.of("41/10"));
    refused(
        "layout: " + "1".repeat(200) + "... (expected: at most 200 characters)",
        () -> Layout.of("1".repeat(201)));
  }

  @Test
  void parse_soup_isReadOrRefused() {
    Random random = new Random(RandomLayouts.seed());
    String alphabet = "time41worker10(region5),sequence12;tick=1;epoch=1704;bits=53/ \u0000é";
    for (int i = 0; i < 6_000; i++) {
      StringBuilder text = new StringBuilder(Layouts.TWITTER.describe());
      for (int changes = 1 + random.nextInt(4); changes > 0; changes--) {
        int at = random.nextInt(text.length());
        char c = alphabet.charAt(random.nextInt(alphabet.length()));
        if (random.nextBoolean()) {
          text.setCharAt(at, c);
        } else if (random.nextBoolean()) {
          text.insert(at, c);
        } else {
          text.deleteCharAt(at);
        }
      }
      try {
        assertEquals(text.toString(), Layout.parse(text.toString()).describe());
      } catch (IllegalArgumentException e) {
        assertTrue(String.valueOf(e.getMessage()).contains("(expected: "), e::getMessage);
      }
    }
  }

  private static void refused(String message, Executable call) {
    assertEquals(message, assertThrows(IllegalArgumentException.class, call).getMessage());
  }
}
