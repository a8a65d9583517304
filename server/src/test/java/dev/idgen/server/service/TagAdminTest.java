package dev.idgen.server.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.server.engine.StillTime;
import dev.idgen.store.SegmentReply;
import dev.idgen.store.SegmentRequest;
import dev.idgen.store.SegmentTerms;
import dev.idgen.store.StoreException;
import dev.idgen.store.TagChanges;
import dev.idgen.store.TagReply;
import dev.idgen.store.TagRow;
import dev.idgen.store.TagStore;
import dev.idgen.store.memory.MemorySegmentStore;
import dev.idgen.store.memory.MemoryTagStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TagAdminTest {
  private static final TagChange NOTHING = Changes.none();

  private final StillTime time = new StillTime(1_800_000_000_000L);
  private final MemoryTagStore tags = new MemoryTagStore();
  private final MemorySegmentStore marks = new MemorySegmentStore("s");
  private final List<String> told = new ArrayList<>();
  private final List<CountingEngine> made = new ArrayList<>();

  private final TagDirectory directory =
      new TagDirectory(TagRows.of("default", "snowflake"), this::engine, TagTexts.PLAIN, time, "");

  private final TagEvents events =
      new Told("") {
        @Override
        public TagEvents unknown() {
          return new Told("perhaps ");
        }
      };

  /** Writes down what happens. */
  private class Told implements TagEvents {
    private final String before;

    Told(String before) {
      this.before = before;
    }

    @Override
    public void tagWritten(TagRow after, @Nullable TagRow live, String by, boolean forced) {
      String what = live == null ? "made " : "changed ";
      told.add(before + what + after.tag() + (forced ? " forced" : ""));
    }

    @Override
    public void tagRemoved(TagRow tombstone, String by) {
      told.add(before + "removed " + tombstone.tag());
    }

    @Override
    public void tagRaised(TagRow row, String by) {
      told.add(before + "raised " + row.tag() + " to " + row.floor());
    }
  }

  private final TagAdmin admin = admin(tags, directory);

  private TagAdmin admin(TagStore store, TagDirectory heard) {
    return admin(store, heard, 1);
  }

  private TagAdmin admin(TagStore store, TagDirectory heard, int parts) {
    return new TagAdmin(
        "default",
        TagRows.of("any", "snowflake"),
        store,
        marks,
        row -> new SegmentTerms("default", row.tag(), row.start(), row.maximum(), parts, 0, 1_000),
        heard,
        time,
        events);
  }

  private TagEngine engine(TagRow row, EngineKind kind) {
    CountingEngine engine = new CountingEngine(kind, 1 + 1_000L * made.size());
    made.add(engine);
    return engine;
  }

  @BeforeEach
  void defaultIsThere() {
    join(tags.write("default", TagRows.of("default", "snowflake"), 0));
  }

  private static <T> T join(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }

  private static ServiceException refusal(CompletionStage<?> stage) {
    var e = assertThrows(CompletionException.class, () -> join(stage));
    return assertInstanceOf(ServiceException.class, e.getCause());
  }

  private TagAdmin.Put put(String name, TagChange change) {
    return join(admin.put(name, change, null, false));
  }

  private long allocate(String tag) {
    SegmentTerms terms = SegmentTerms.of("default", tag, 1_000);
    SegmentReply reply = join(marks.allocate(new SegmentRequest(terms, 10, -1)));
    return assertInstanceOf(SegmentReply.Granted.class, reply).first();
  }

  @Test
  void put_newTag_isInTheStoreAndFound() {
    TagAdmin.Put put = put("order", Changes.engine("segment"));
    assertTrue(put.made());
    assertEquals(1, put.row().version());
    assertEquals(time.wallMillis(), put.row().createdMillis());
    assertEquals(put.row(), join(tags.read("default", "order")));
    assertEquals(put.row(), directory.find("order").row());
    assertEquals(List.of("made order"), told);
  }

  @Test
  void put_theSameAgain_writesNothing() {
    put("order", Changes.engine("segment"));
    time.advance(5);
    TagAdmin.Put again = put("order", Changes.engine("segment"));
    assertFalse(again.made());
    assertEquals(1, again.row().version());
    assertEquals(List.of("made order"), told);
  }

  @Test
  void put_subset_keepsTheRest() {
    put("order", Changes.engine("segment"));
    time.advance(5);
    TagRow row = put("order", Changes.description("orders of the shop")).row();
    assertEquals("segment", row.engine());
    assertEquals("orders of the shop", row.description());
    assertEquals(2, row.version());
    assertEquals(row.createdMillis() + 5, row.updatedMillis());
    assertEquals(1, made.stream().filter(e -> e.kind == EngineKind.SEGMENT).count());
  }

  @Test
  void put_anotherStep_replacesTheEngine() {
    put("order", Changes.engine("segment"));
    TagEngine before = directory.find("order").engine();
    put("order", Changes.step(500));
    assertTrue(assertInstanceOf(CountingEngine.class, before).closed);
    assertFalse(made.get(made.size() - 1).closed);
  }

  @ParameterizedTest
  @CsvSource({"5,5,1000000", "10000,100,1000000", "5000000,100,5000000"})
  void put_newTagWithAStepAlone_makesRoomForIt(long step, long min, long max) {
    TagRow row = put("order", Changes.step(step)).row();
    assertEquals(List.of(step, min, max), List.of(row.step(), row.stepMin(), row.stepMax()));
  }

  @Test
  void put_otherVersionThanKnown_isAConflict() {
    put("order", Changes.engine("segment"));
    ServiceException e = refusal(admin.put("order", NOTHING, 2L, false));
    assertEquals(ServiceReason.VERSION_CONFLICT, e.reason());
    assertEquals("tag: order: at version 1 (expected: version 2)", e.detail());
    e = refusal(admin.put("order", Changes.step(7_000), TagAdmin.ABSENT, false));
    assertEquals("tag: order: at version 1 (expected: none)", e.detail());
    e = refusal(admin.put("other", NOTHING, TagAdmin.PRESENT, false));
    assertEquals("tag: other: absent (expected: a tag)", e.detail());
    assertEquals(2, join(admin.put("order", Changes.step(7_000), 1L, false)).row().version());
    assertTrue(join(admin.put("other", NOTHING, TagAdmin.ABSENT, false)).made());
    join(admin.put("other", Changes.step(7_000), TagAdmin.PRESENT, false));
  }

  @Test
  void put_anotherEngine_needsForce() {
    put("order", Changes.engine("segment"));
    ServiceException e = refusal(admin.put("order", Changes.engine("snowflake"), null, false));
    assertEquals(ServiceReason.ENGINE_MISMATCH, e.reason());
    assertEquals("segment", directory.find("order").row().engine());

    join(admin.put("order", Changes.engine("snowflake"), null, true));
    assertEquals("snowflake", directory.find("order").row().engine());
    assertEquals(List.of("made order", "changed order forced"), told);
  }

  /** A tombstone remembers its engine: those ids were issued, whoever removed the tag. */
  @Test
  void put_removedTagWithAnotherEngine_needsForce() {
    put("order", Changes.engine("segment"));
    join(admin.remove("order", null));
    ServiceException e = refusal(admin.put("order", NOTHING, null, false));
    assertEquals(ServiceReason.ENGINE_MISMATCH, e.reason());
  }

  @ParameterizedTest
  @CsvSource({
    "engine,uuidv9,'engine: uuidv9 (expected: snowflake, segment, sequence, uuidv7, uuidv4, ulid, random, content)'",
    "text,roman,'text: roman (expected: decimal, hex, crockford, base58, base62, opaque)'",
    "text,native,'text: native (expected: decimal, hex, crockford, base58, base62, opaque)'",
    "text,opaque,'text: opaque (expected: opaque.keys set on this server)'",
    "prefix,'ord ','prefix: \"ord \" (expected: 1..64 of A-Za-z0-9._~:-)'",
    "ratePerSecond,1000000001,'ratePerSecond: 1000000001 (expected: 0..1000000000)'",
    "burst,1000000001,'burst: 1000000001 (expected: 0..1000000000)'",
    "burst,5,'burst: 5 (expected: 0: there is no ratePerSecond)'",
    "step,0,'step: 0 (expected: 1..1000000)'",
    "stepMin,0,'stepMin: 0 (expected: 1..2305843009213693951)'",
    "maximum,0,'maximum: 0 (expected: 1..9223372036854775807)'",
  })
  void put_whatCannotBeServed_isRefused(String name, String value, String message) {
    ServiceException e = refusal(admin.put("order", Changes.of(name, value), null, false));
    assertEquals(ServiceReason.INVALID_BODY, e.reason());
    assertEquals(message, e.detail());
  }

  /** Order over several databases, or several regions, cannot be had. */
  @Test
  void put_sequenceWhereIdsAreShared_isRefused() {
    TagAdmin shared = admin(tags, directory, 2);
    ServiceException e = refusal(shared.put("order", Changes.engine("sequence"), null, false));
    assertEquals(ServiceReason.INVALID_BODY, e.reason());
    assertEquals(
        "engine: sequence (expected: another one, as 2 databases and regions share the ids)",
        e.detail());
    assertTrue(join(shared.put("order", Changes.engine("segment"), null, false)).made());
  }

  @Test
  void remove_thenPut_goesOnAboveItsMark() {
    put("order", Changes.engine("segment"));
    assertEquals(1, allocate("order"));
    join(admin.remove("order", null));
    assertEquals(
        ServiceReason.UNKNOWN_TAG,
        assertThrows(ServiceException.class, () -> directory.find("order")).reason());
    assertTrue(made.get(made.size() - 1).closed);
    SegmentTerms terms = SegmentTerms.of("default", "order", 1_000);
    assertInstanceOf(
        SegmentReply.Refused.class, join(marks.allocate(new SegmentRequest(terms, 10, -1))));

    TagAdmin.Put again = put("order", Changes.engine("segment"));
    assertTrue(again.made());
    assertEquals(3, again.row().version());
    assertEquals(11, allocate("order"));
    assertEquals(List.of("made order", "removed order", "made order"), told);
  }

  @Test
  void remove_default_isRefusedToCallersWithoutATag() {
    join(admin.remove("default", null));
    ServiceException e = assertThrows(ServiceException.class, () -> directory.find(null));
    assertEquals("tag: default (expected: one that was made)", e.detail());
  }

  /** The answer of the call before was lost. */
  @Test
  void put_repeatedWithTheVersionItKnew_isAnsweredAgain() {
    assertTrue(join(admin.put("order", Changes.engine("segment"), TagAdmin.ABSENT, false)).made());
    TagAdmin.Put again =
        join(admin.put("order", Changes.engine("segment"), TagAdmin.ABSENT, false));
    assertEquals(1, again.row().version());
    join(admin.put("order", Changes.step(900), 1L, false));
    assertEquals(2, join(admin.put("order", Changes.step(900), 1L, false)).row().version());
    assertEquals(List.of("made order", "changed order"), told);
  }

  /** The first step of a removal was done, and the second one is wanting. */
  @Test
  void remove_repeatedAfterItsFirstStep_endsIt() {
    TagRow row = put("order", Changes.engine("segment")).row();
    allocate("order");
    join(tags.write("default", row.removedAt(5), 1));
    assertEquals(ServiceReason.UNKNOWN_TAG, refusal(admin.remove("order", null)).reason());
    SegmentTerms terms = SegmentTerms.of("default", "order", 1_000);
    assertInstanceOf(
        SegmentReply.Refused.class, join(marks.allocate(new SegmentRequest(terms, 1, -1))));
  }

  /** The removal of another administrator reached the mark after the tag was made again. */
  @Test
  void put_theSameAgainWithADeadMark_revivesIt() {
    put("order", Changes.engine("segment"));
    allocate("order");
    join(marks.remove(SegmentTerms.of("default", "order", 1_000)));
    put("order", Changes.engine("segment"));
    assertEquals(11, allocate("order"));
  }

  /** The database of marks was restored; the tag says that it was raised. */
  @Test
  void raise_repeated_reachesTheMarkAgain() {
    put("order", Changes.engine("segment"));
    join(tags.write("default", directory.find("order").row().raisedTo(5_000, 7), 1));
    assertEquals(5_000, join(admin.raise("order", 5_000, null)).floor());
    assertEquals(5_000, allocate("order"));
  }

  /** What a failover leaves out must not be the whole tag. */
  @Test
  void put_smallTag_hasSmallSteps() {
    TagRow row = join(admin.put("order", Changes.of("maximum", "1000000"), null, false)).row();
    assertEquals(List.of(999L, 100L, 999L), List.of(row.step(), row.stepMin(), row.stepMax()));
    TagRow tiny = join(admin.put("tiny", Changes.of("maximum", "5"), null, false)).row();
    assertEquals(List.of(1L, 1L, 1L), List.of(tiny.step(), tiny.stepMin(), tiny.stepMax()));
  }

  @Test
  void remove_unknownOrOtherVersion_isRefused() {
    assertEquals(ServiceReason.UNKNOWN_TAG, refusal(admin.remove("order", null)).reason());
    put("order", Changes.engine("segment"));
    assertEquals(ServiceReason.VERSION_CONFLICT, refusal(admin.remove("order", 9L)).reason());
    assertSame(directory.find("order").engine(), made.get(made.size() - 1));
  }

  /** C65. */
  @Test
  void raise_floor_isInTheStoreAndInTheEngine() {
    put("order", Changes.engine("segment"));
    allocate("order");
    assertEquals(1_000_000, join(admin.raise("order", 1_000_000, null)).floor());
    assertEquals(1_000_000, made.get(made.size() - 1).floor);
    assertEquals(1_000_000, allocate("order"));
    assertEquals(2, join(admin.raise("order", 5, null)).version());
    assertEquals(List.of("made order", "raised order to 1000000"), told);
  }

  @Test
  void raise_tagWithoutAMarkOrOutOfRange_isRefused() {
    assertEquals(ServiceReason.ENGINE_MISMATCH, refusal(admin.raise("default", 5, null)).reason());
    put("order", Changes.engine("segment"));
    assertEquals(
        "to: 0 (expected: 1..9223372036854775807)",
        refusal(admin.raise("order", 0, null)).detail());
    assertEquals(ServiceReason.UNKNOWN_TAG, refusal(admin.raise("none", 5, null)).reason());
  }

  @Test
  void list_pages_areInTheOrderOfNames() {
    for (String name : List.of("c", "a", "b")) {
      put(name, Changes.engine("segment"));
    }
    assertEquals(List.of("a", "b"), admin.list(2, "").stream().map(TagRow::tag).toList());
    assertEquals(List.of("c", "default"), admin.list(5, "b").stream().map(TagRow::tag).toList());
  }

  @Test
  void everything_storeAway_isRefusedWithItsReason() {
    tags.close();
    ServiceException e =
        ServiceException.of(
            assertThrows(
                CompletionException.class, () -> join(admin.put("order", NOTHING, null, false))));
    assertEquals(ServiceReason.STORE_UNAVAILABLE, e.reason());
  }

  /** What is answered is known here, whoever wrote it, and whoever's answer was lost. */
  @Test
  void answers_ofWhatIsThereAlready_areKnownHere() {
    put("order", Changes.engine("segment"));
    TagDirectory other =
        new TagDirectory(
            TagRows.of("default", "snowflake"), this::engine, TagTexts.PLAIN, time, "");
    TagAdmin there = admin(tags, other);

    join(there.put("order", Changes.engine("segment"), null, false));
    assertEquals("order", other.find("order").name());
    join(admin.raise("order", 500, null));
    join(there.raise("order", 500, null));
    assertEquals(500, other.find("order").row().floor());
    join(admin.remove("order", null));
    assertEquals(ServiceReason.UNKNOWN_TAG, refusal(there.remove("order", null)).reason());
    assertThrows(ServiceException.class, () -> other.find("order"));
  }

  /** A removal that was under way comes between the mark's being made ready and the tag's. */
  @Test
  void put_removalReachesTheMarkMeanwhile_isMadeReadyAgain() {
    put("order", Changes.engine("segment"));
    allocate("order");
    join(admin.remove("order", null));
    TagStore racing =
        new RacingStore(null) {
          @Override
          public CompletionStage<TagReply> write(String namespace, TagRow next, long known) {
            join(marks.remove(SegmentTerms.of("default", "order", 1_000)));
            return tags.write(namespace, next, known);
          }
        };
    join(admin(racing, directory).put("order", Changes.engine("segment"), null, false));
    assertEquals(11, allocate("order"));
  }

  /** A removal came between: the mark refuses, and so nothing is raised. */
  @Test
  void raise_markIsRemoved_isRefused() {
    put("order", Changes.engine("segment"));
    join(marks.remove(SegmentTerms.of("default", "order", 1_000)));
    assertEquals(ServiceReason.UNKNOWN_TAG, refusal(admin.raise("order", 500, null)).reason());
    assertEquals(0, directory.find("order").row().floor());
  }

  /** The store does what it is told, and its answer is lost. */
  @Test
  void change_answerIsLost_isToldOfAllTheSame() {
    TagAdmin deaf =
        admin(
            new RacingStore(null) {
              @Override
              public CompletionStage<TagReply> write(String namespace, TagRow next, long known) {
                join(tags.write(namespace, next, known));
                return CompletableFuture.failedFuture(StoreException.unknown("shaky: no answer"));
              }
            },
            directory);
    for (CompletionStage<?> lost :
        List.<Supplier<CompletionStage<?>>>of(
                () -> deaf.put("order", Changes.engine("segment"), null, false),
                () -> deaf.raise("order", 500, null),
                () -> deaf.put("order", Changes.engine("sequence"), null, true),
                () -> deaf.remove("order", null))
            .stream()
            .map(Supplier::get)
            .toList()) {
      assertThrows(CompletionException.class, () -> join(lost));
    }
    assertEquals(
        List.of(
            "perhaps made order",
            "perhaps raised order to 500",
            "perhaps changed order forced",
            "perhaps removed order"),
        told);
  }

  /** Nothing can have been done: there is nothing to tell. */
  @Test
  void change_storeIsAway_isNotToldOf() {
    TagAdmin away =
        admin(
            new RacingStore(null) {
              @Override
              public CompletionStage<TagReply> write(String namespace, TagRow next, long known) {
                return CompletableFuture.failedFuture(StoreException.refused("shaky: away"));
              }
            },
            directory);
    CompletionStage<?> refused = away.put("order", Changes.engine("segment"), null, false);
    assertThrows(CompletionException.class, () -> join(refused));
    assertEquals(List.of(), told);
  }

  /** Another administrator writes between the read and the write of this one. */
  @Test
  void put_anotherWriterComesFirst_isTriedAgainOnWhatItWrote() {
    put("order", Changes.engine("segment"));
    TagStore racing = new RacingStore(TagRows.of("order", "segment"));
    TagRow row = join(admin(racing, directory).put("order", Changes.step(900), null, false)).row();
    assertEquals(3, row.version());
    assertEquals(900, row.step());
    assertEquals("of the other", row.description());
  }

  @Test
  void put_anotherWriterComesFirstAndTheVersionIsGiven_isAConflict() {
    put("order", Changes.engine("segment"));
    TagStore racing = new RacingStore(TagRows.of("order", "segment"));
    ServiceException e =
        refusal(admin(racing, directory).put("order", Changes.step(900), 1L, false));
    assertEquals("tag: order: at version 2 (expected: version 1)", e.detail());
  }

  /** Lets another writer in after the first read. */
  private class RacingStore implements TagStore {
    private @Nullable TagRow other;

    RacingStore(@Nullable TagRow other) {
      this.other = other == null ? null : Changes.description("of the other").on(other, 7);
    }

    @Override
    public CompletionStage<@Nullable TagRow> read(String namespace, String tag) {
      CompletionStage<@Nullable TagRow> read = tags.read(namespace, tag);
      TagRow next = other;
      if (next != null) {
        other = null;
        join(tags.write(namespace, next, 1));
      }
      return read;
    }

    @Override
    public CompletionStage<TagReply> write(String namespace, TagRow next, long knownVersion) {
      return tags.write(namespace, next, knownVersion);
    }

    @Override
    public CompletionStage<TagChanges> changes(String namespace, long revision) {
      return tags.changes(namespace, revision);
    }

    @Override
    public void close() {
      tags.close();
    }
  }
}
