package dev.idgen.server.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.server.engine.StillTime;
import dev.idgen.store.StoreException;
import dev.idgen.store.TagChanges;
import dev.idgen.store.TagReply;
import dev.idgen.store.TagRow;
import dev.idgen.store.TagStore;
import dev.idgen.store.UnreadTag;
import dev.idgen.store.memory.MemoryTagStore;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TagWatchTest {
  private static final TagRow DEFAULT = TagRows.of("default", "snowflake");

  private final StillTime time = new StillTime(1_800_000_000_000L);
  private final ShakyStore store = new ShakyStore();
  private final List<CountingEngine> made = new ArrayList<>();
  private final List<String> failures = new ArrayList<>();

  private final List<String> notServed = new ArrayList<>();
  private final List<String> changes = new ArrayList<>();

  private final TagDirectory directory =
      new TagDirectory(DEFAULT, new Engines(), TagTexts.PLAIN, time, "tags: not read yet");
  private final TagWatch watch =
      new TagWatch("default", store, directory, DEFAULT, time.scheduler(), new Told());

  private final class Engines implements TagEngines {
    @Override
    public TagEngine engine(TagRow row, EngineKind kind) {
      return TagWatchTest.this.engine(row);
    }

    @Override
    public void notServed(String tag, String why) {
      notServed.add(tag + ": " + why);
    }
  }

  private final class Told implements WatchEvents {
    @Override
    public void readFailed(String why) {
      failures.add(why);
    }

    @Override
    public void storeChanged(String before, String now) {
      changes.add(before + " -> " + now);
    }
  }

  private TagEngine engine(TagRow row) {
    if (row.description().equals("fault")) {
      throw new IllegalStateException("no engine");
    }
    CountingEngine engine = new CountingEngine(EngineKind.SEGMENT, 1);
    made.add(engine);
    return engine;
  }

  /** A store that a test takes away, silences, or puts a backup of in place. */
  private static final class ShakyStore implements TagStore {
    MemoryTagStore store = new MemoryTagStore();
    String identity = "";
    StoreException away = StoreException.refused("shaky: away");
    Runnable first = () -> {}; // before the next write
    boolean isAway;
    boolean silent;
    int asked;
    final Queue<Runnable> whileOnItsWay = new ArrayDeque<>(); // one for each of the next answers
    final Map<String, UnreadTag> unread = new HashMap<>(); // instead of the rows of these tags

    @Override
    public CompletionStage<@Nullable TagRow> read(String namespace, String tag) {
      return store.read(namespace, tag);
    }

    @Override
    public CompletionStage<TagReply> write(String namespace, TagRow next, long knownVersion) {
      Runnable before = first;
      first = () -> {};
      before.run();
      UnreadTag there = unread.get(next.tag());
      return there == null
          ? store.write(namespace, next, knownVersion)
          : CompletableFuture.failedFuture(StoreException.permanent(there.why(), null).ofRow());
    }

    @Override
    public CompletionStage<TagChanges> changes(String namespace, long revision) {
      asked++;
      if (silent) {
        return new CompletableFuture<>();
      }
      if (isAway) {
        return CompletableFuture.failedFuture(away);
      }
      var answer = store.changes(namespace, revision).thenApply(c -> told(c, revision));
      Runnable meanwhile = whileOnItsWay.poll();
      if (meanwhile != null) {
        meanwhile.run();
      }
      return answer;
    }

    private TagChanges told(TagChanges c, long revision) {
      return new TagChanges(
          c.identity() + identity,
          c.head(),
          c.rows().stream().filter(row -> !unread.containsKey(row.tag())).toList(),
          unread.values().stream()
              .filter(tag -> tag.revision() == 0 || tag.revision() > revision)
              .toList(),
          c.complete());
    }

    @Override
    public void close() {
      store.close();
    }
  }

  private void write(TagRow row, long known) {
    store.store.write("default", row, known).toCompletableFuture().join();
  }

  private boolean finds(String name) {
    try {
      directory.find(name);
      return true;
    } catch (ServiceException e) {
      assertEquals(ServiceReason.UNKNOWN_TAG, e.reason());
      return false;
    }
  }

  @Test
  void start_newNamespace_makesTheDefaultTag() {
    assertTrue(watch.start().toCompletableFuture().isDone());
    TagRow row = store.read("default", "default").toCompletableFuture().join();
    assertEquals(1, row == null ? 0 : row.version());
    assertFalse(finds("order"));
  }

  /** Two servers at once on a new store: one of them comes second. */
  @Test
  void start_anotherServerMakesTheDefaultTagFirst_isFoundAllTheSame() {
    store.first = () -> write(DEFAULT.updatedAt(7), 0);
    assertTrue(watch.start().toCompletableFuture().isDone());
    assertEquals(7, directory.find("default").row().updatedMillis());
  }

  /** Made here while everything was being read. */
  @Test
  void start_tagIsMadeMeanwhile_isFound() {
    store.first =
        () -> {
          write(TagRows.of("order", "segment"), 0);
          directory.apply(
              Objects.requireNonNull(store.read("default", "order").toCompletableFuture().join()));
        };
    watch.start();
    assertTrue(finds("order"));
  }

  /** The store is failed over between two pages. */
  @Test
  void start_identityChangesBetweenPages_isReadFromTheFirstOn() {
    for (int i = 0; i < TagStore.PAGE + 5; i++) {
      write(TagRows.of("t" + i, "segment"), 0);
    }
    store.silent = true;
    watch.start();
    time.advance(1);
    store.silent = false;
    time.advance(11_000);
    MemoryTagStore other = new MemoryTagStore();
    for (int i = 0; i < TagStore.PAGE + 9; i++) {
      other.write("default", TagRows.of("u" + i, "segment"), 0);
    }
    assertTrue(finds("t0"));
    store.store = other;
    store.identity = "b";
    time.advance(5_000);
    assertFalse(finds("t0"));
    assertTrue(finds("u0"));
    assertTrue(finds("u" + (TagStore.PAGE + 8)));
  }

  @Test
  void start_defaultWasRemoved_staysRemoved() {
    write(DEFAULT, 0);
    write(DEFAULT.removedAt(5), 1);
    watch.start();
    assertFalse(finds("default"));
  }

  @Test
  void start_moreThanAPage_readsAll() {
    for (int i = 0; i < TagStore.PAGE + 5; i++) {
      write(TagRows.of("t" + i, "segment"), 0);
    }
    watch.start();
    time.advance(10);
    assertTrue(finds("t0"));
    assertTrue(finds("t" + (TagStore.PAGE + 4)));
  }

  @Test
  void changes_ofOthers_areKnownWithinFiveSeconds() {
    watch.start();
    write(TagRows.of("order", "segment"), 0);
    time.advance(5_000);
    assertTrue(finds("order"));
    write(TagRows.of("order", "segment").raisedTo(500, 1), 1);
    time.advance(5_000);
    assertEquals(500, made.get(made.size() - 1).floor);
    write(TagRows.of("order", "segment").raisedTo(500, 1).removedAt(2), 2);
    time.advance(5_000);
    assertFalse(finds("order"));
    assertTrue(made.get(made.size() - 1).closed);
  }

  @Test
  void start_storeAway_saysSoAndGoesOnByItself() {
    store.isAway = true;
    CompletableFuture<Void> first = watch.start().toCompletableFuture();
    time.advance(3_000);
    assertFalse(first.isDone());
    ServiceException e = assertThrows(ServiceException.class, () -> directory.find("order"));
    assertEquals(ServiceReason.STORE_UNAVAILABLE, e.reason());
    assertEquals("tag: order: not known yet: shaky: away", e.detail());
    e = assertThrows(ServiceException.class, () -> directory.find("default"));
    assertEquals("tag: default: not known yet: shaky: away", e.detail());
    assertThrows(ServiceException.class, () -> directory.find(null));

    store.isAway = false;
    time.advance(1_000);
    assertTrue(first.isDone());
    assertTrue(finds("default"));
    assertFalse(finds("order"));
    assertEquals("shaky: away", failures.get(0));
  }

  /** What is set for the default in the store holds from the first call on. */
  @Test
  void start_defaultOfAnotherKind_isNotServedAsBuiltIn() {
    write(TagRows.of("default", "segment"), 0);
    store.isAway = true;
    watch.start();
    assertThrows(ServiceException.class, () -> directory.find(null));
    store.isAway = false;
    time.advance(1_000);
    assertEquals("segment", directory.find(null).row().engine());
    store.isAway = true;
    time.advance(60_000);
    assertEquals("segment", directory.find(null).row().engine()); // as it was known
  }

  /** A missing grant: nothing to wait for. */
  @Test
  void start_storeRefusesForGood_fails() {
    store.isAway = true;
    store.away = StoreException.permanent("shaky: permission denied", null);
    CompletableFuture<Void> first = watch.start().toCompletableFuture();
    assertTrue(first.isDone());
    var e = assertThrows(CompletionException.class, first::join);
    assertEquals("shaky: permission denied", String.valueOf(e.getCause()).split(": ", 2)[1]);
    assertEquals("shaky: permission denied", directory.problem());
  }

  /** Somebody may give the grant back. */
  @Test
  void store_refusesForGoodLater_isAskedAgain() {
    watch.start();
    store.isAway = true;
    store.away = StoreException.permanent("shaky: permission denied", null);
    time.advance(5_000);
    store.isAway = false;
    write(TagRows.of("late", "segment"), 0);
    time.advance(5_000);
    assertTrue(finds("late"));
  }

  /** A newer version may share the store. */
  @Test
  void changes_tagThatThisVersionCannotServe_isRefusedAndOthersAreFollowed() {
    watch.start();
    write(TagRows.of("future", "uuidv9"), 0);
    write(TagRows.of("order", "segment"), 0);
    time.advance(5_000);
    assertTrue(finds("order"));
    assertEquals(
        "tag: future: this server cannot serve it: engine: uuidv9 (expected: snowflake, segment,"
            + " sequence, uuidv7, uuidv4, ulid, random, content)",
        refusal(directory.find("future").engine()));

    write(TagRows.of("future", "segment"), 1);
    time.advance(5_000);
    assertEquals(1, next("future"));
  }

  private long next(String tag) {
    return ((NumberEngine) directory.find(tag).engine()).tryNext();
  }

  private static String refusal(TagEngine unserved) {
    NumberEngine engine = (NumberEngine) unserved;
    var e =
        assertThrows(
            CompletionException.class, () -> engine.nextAsync(1, 1).toCompletableFuture().join());
    ServiceException refusal = ServiceException.of(e);
    assertEquals(ServiceReason.ENGINE_MISMATCH, refusal.reason());
    assertEquals(-1, engine.tryNext());
    return refusal.detail();
  }

  /** A newer version has written it, or a hand: it may be a removal or a raise. */
  @ParameterizedTest
  @ValueSource(longs = {0, 3})
  void changes_rowThatCannotBeRead_isNotServedAndOthersAreFollowed(long revision) {
    watch.start();
    write(TagRows.of("order", "segment"), 0);
    time.advance(5_000);
    CountingEngine served = made.get(made.size() - 1);

    store.unread.put("order", new UnreadTag("order", revision, "row: version 2 (expected: 1)"));
    write(TagRows.of("order", "segment").updatedAt(8), 1);
    write(TagRows.of("late", "segment"), 0);
    time.advance(5_000);

    assertTrue(served.closed);
    assertEquals(
        "tag: order: this server cannot serve it: row: version 2 (expected: 1)",
        refusal(directory.find("order").engine()));
    assertTrue(finds("late"));
    time.advance(100_000);
    assertEquals(List.of("order: row: version 2 (expected: 1)"), notServed, "told once");

    store.unread.clear();
    write(TagRows.of("order", "segment").updatedAt(9), 2);
    time.advance(5_000);
    assertEquals(1, next("order"));
  }

  @Test
  void start_rowThatCannotBeRead_isNotServedAndOthersAre() {
    write(TagRows.of("order", "segment"), 0);
    write(TagRows.of("other", "segment"), 0);
    store.unread.put("order", new UnreadTag("order", 1, "step: 0 (expected: 1..9)"));
    assertTrue(watch.start().toCompletableFuture().isDone());
    assertTrue(finds("other"));
    assertEquals(
        "tag: order: this server cannot serve it: step: 0 (expected: 1..9)",
        refusal(directory.find("order").engine()));
    assertEquals(List.of(), failures);
  }

  /** By a hand: no caller can ask for it, so it is told of and no more. */
  @Test
  void start_unreadRowWithoutAName_isToldOnce() {
    write(TagRows.of("order", "segment"), 0);
    store.unread.put("no name", new UnreadTag("no name", 0, "tag: no name (expected: one)"));
    watch.start();
    time.advance(120_000);
    assertTrue(finds("order"));
    assertEquals(List.of("no name: tag: no name (expected: one)"), notServed);
    assertEquals(2, directory.all().size());
  }

  /** It is there: making it would take the place of what nobody can read. */
  @Test
  void start_rowOfTheDefaultTagCannotBeRead_othersAreServed() {
    write(TagRows.of("order", "segment"), 0);
    write(DEFAULT, 0);
    store.unread.put("default", new UnreadTag("default", 2, "row: version 2 (expected: 1)"));
    assertTrue(watch.start().toCompletableFuture().isDone());
    assertTrue(finds("order"));
    assertEquals(
        "tag: default: this server cannot serve it: row: version 2 (expected: 1)",
        refusal(directory.find(null).engine()));
  }

  /** Written just after everything was read: the next reading tells that it is there. */
  @Test
  void start_rowOfTheDefaultTagComesAndCannotBeRead_isReadAgain() {
    store.first =
        () -> {
          write(DEFAULT, 0);
          store.unread.put("default", new UnreadTag("default", 1, "row: version 2 (expected: 1)"));
        };
    CompletableFuture<Void> first = watch.start().toCompletableFuture();
    assertFalse(first.isDone());
    time.advance(1_000);
    assertTrue(first.isDone());
    assertEquals(List.of("row: version 2 (expected: 1)"), failures);
    assertEquals(List.of("default: row: version 2 (expected: 1)"), notServed);
  }

  /** Who mends a row by hand may leave its revision as it was. */
  @Test
  void changes_rowIsMendedByHand_isServedWithinAMinute() {
    write(TagRows.of("order", "segment"), 0);
    store.unread.put("order", new UnreadTag("order", 0, "row: 3 fields (expected: 21)"));
    watch.start();
    time.advance(10_000);
    store.unread.clear();
    time.advance(60_000);
    assertEquals(1, next("order"));
    int asked = store.asked;
    time.advance(60_000);
    assertEquals(asked + 30, store.asked, "no more than there is to ask for");
  }

  @Test
  void changes_faultInOne_isToldAndAskedAgain() {
    watch.start();
    write(Changes.description("fault").on(TagRows.of("order", "segment"), 1), 0);
    time.advance(5_000);
    assertEquals("java.lang.IllegalStateException: no engine", failures.get(0));
    write(TagRows.of("late", "segment"), 0);
    time.advance(5_000);
    assertTrue(finds("late"));
  }

  @Test
  void storeAway_later_tagsAreThoseThatWereKnown() {
    write(TagRows.of("order", "segment"), 0);
    watch.start();
    store.isAway = true;
    time.advance(60_000);
    assertTrue(finds("order"));
    assertFalse(finds("none"));
    store.isAway = false;
    write(TagRows.of("late", "segment"), 0);
    time.advance(5_000);
    assertTrue(finds("late"));
  }

  @Test
  void store_thatDoesNotAnswer_isAskedAgain() {
    watch.start();
    store.silent = true;
    time.advance(5_000);
    int asked = store.asked;
    store.silent = false;
    write(TagRows.of("late", "segment"), 0);
    time.advance(15_000);
    assertTrue(store.asked > asked);
    assertTrue(finds("late"));
  }

  /** A failover may lose the tags that were made last. */
  @Test
  void store_hasLostWrites_everythingIsReadAgain() {
    watch.start();
    write(TagRows.of("kept", "segment"), 0);
    MemoryTagStore backup = new MemoryTagStore();
    backup.write("default", DEFAULT, 0);
    backup.write("default", TagRows.of("kept", "segment"), 0);
    write(TagRows.of("lost", "segment"), 0);
    time.advance(5_000);
    assertTrue(finds("lost"));

    store.store = backup;
    time.advance(5_000);
    assertFalse(finds("lost"));
    assertTrue(finds("kept"));
    assertEquals(List.of("identity memory, revision 3 -> identity memory, revision 2"), changes);
  }

  /** This server's own writes, too: they were not told by the store. */
  @Test
  void store_hasLostOwnWrites_everythingIsReadAgain() {
    watch.start();
    MemoryTagStore backup = new MemoryTagStore();
    backup.write("default", DEFAULT, 0);
    write(TagRows.of("own", "segment"), 0);
    directory.apply(
        Objects.requireNonNull(store.read("default", "own").toCompletableFuture().join()));
    store.store = backup;
    time.advance(5_000);
    assertFalse(finds("own"));
  }

  /** Written here after that was noticed: newer than what was known of the former one. */
  @Test
  void store_identityChanges_ownWritesOfALowerRevisionAreKnown() {
    watch.start();
    for (int i = 0; i < 5; i++) {
      write(TagRows.of("order", "segment").updatedAt(i), i);
    }
    time.advance(5_000);
    MemoryTagStore other = new MemoryTagStore();
    other.write("default", DEFAULT, 0);
    store.store = other;
    store.identity = "b";
    store.whileOnItsWay.add(() -> {}); // that it is another store
    store.whileOnItsWay.add(
        () -> {
          write(TagRows.of("order", "segment").updatedAt(9), 0);
          directory.applyOwn(
              Objects.requireNonNull(store.read("default", "order").toCompletableFuture().join()));
        });
    time.advance(2_000);
    assertEquals(9, directory.find("order").row().updatedMillis());
    assertEquals(2, directory.find("order").row().revision());
  }

  /** What is not known yet is not pieced together: it is read as a whole. */
  @Test
  void start_ownWritesBeforeTheTagsAreKnown_areRead() {
    store.isAway = true;
    watch.start();
    write(TagRows.of("order", "segment"), 0);
    directory.applyOwn(
        Objects.requireNonNull(store.read("default", "order").toCompletableFuture().join()));
    assertThrows(ServiceException.class, () -> directory.find("order"));
    store.isAway = false;
    time.advance(1_000);
    assertTrue(finds("order"));
  }

  /** A new primary may have as many writes as the old one, and others. */
  @Test
  void store_identityChanges_everythingIsReadAgain() {
    watch.start();
    write(TagRows.of("one", "segment"), 0);
    time.advance(5_000);
    MemoryTagStore other = new MemoryTagStore();
    other.write("default", DEFAULT, 0);
    other.write("default", TagRows.of("two", "segment"), 0);
    store.store = other;
    store.identity = "b";
    time.advance(5_000);
    assertFalse(finds("one"));
    assertTrue(finds("two"));
    assertEquals(List.of("identity memory, revision 2 -> identity memoryb, revision 2"), changes);
  }

  @Test
  void stop_thenNothingIsAsked() {
    watch.start();
    watch.stop();
    int asked = store.asked;
    time.advance(60_000);
    assertEquals(asked, store.asked);
  }
}
