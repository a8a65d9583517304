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
import dev.idgen.store.memory.MemoryTagStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TagWatchTest {
  private static final TagRow DEFAULT = TagRows.of("default", "snowflake");

  private final StillTime time = new StillTime(1_800_000_000_000L);
  private final ShakyStore store = new ShakyStore();
  private final List<CountingEngine> made = new ArrayList<>();
  private final List<String> failures = new ArrayList<>();

  private final TagDirectory directory =
      new TagDirectory(DEFAULT, this::engine, TagTexts.PLAIN, time, "tags: not read yet");
  private final TagWatch watch =
      new TagWatch("default", store, directory, DEFAULT, time.scheduler(), failures::add);

  private TagEngine engine(TagRow row, EngineKind kind) {
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

    @Override
    public CompletionStage<@Nullable TagRow> read(String namespace, String tag) {
      return store.read(namespace, tag);
    }

    @Override
    public CompletionStage<TagReply> write(String namespace, TagRow next, long knownVersion) {
      Runnable before = first;
      first = () -> {};
      before.run();
      return store.write(namespace, next, knownVersion);
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
      return store
          .changes(namespace, revision)
          .thenApply(
              c -> new TagChanges(c.identity() + identity, c.head(), c.rows(), c.complete()));
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
    directory.find("default"); // exists from the start

    store.isAway = false;
    time.advance(1_000);
    assertTrue(first.isDone());
    assertFalse(finds("order"));
    assertEquals("shaky: away", failures.get(0));
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
    NumberEngine engine = (NumberEngine) directory.find("future").engine();
    assertEquals(-1, engine.tryNext());
    var e =
        assertThrows(
            CompletionException.class, () -> engine.nextAsync(1, 1).toCompletableFuture().join());
    ServiceException refusal = ServiceException.of(e);
    assertEquals(ServiceReason.ENGINE_MISMATCH, refusal.reason());
    assertEquals(
        "tag: future: this server cannot serve it: engine: uuidv9 (expected: snowflake, segment,"
            + " sequence, uuidv7, uuidv4, ulid, random, content)",
        refusal.detail());

    write(TagRows.of("future", "segment"), 1);
    time.advance(5_000);
    assertEquals(1, ((NumberEngine) directory.find("future").engine()).tryNext());
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
