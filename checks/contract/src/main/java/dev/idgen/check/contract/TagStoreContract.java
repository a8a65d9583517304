package dev.idgen.check.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.idgen.store.StoreException;
import dev.idgen.store.TagChanges;
import dev.idgen.store.TagReply;
import dev.idgen.store.TagRow;
import dev.idgen.store.TagStore;
import dev.idgen.store.UnreadTag;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What every {@link TagStore} must do. The author of a store extends this in its tests and says how
 * to open it.
 */
public abstract class TagStoreContract {
  private static final int WRITERS = 8;
  private static final int EACH = 20;

  private final List<TagStore> open = new ArrayList<>();

  /**
   * Opens one more client of one and the same store, which is empty at the first call in a test.
   *
   * @return of its own: closing it leaves the others open
   */
  protected abstract TagStore openClient();

  /**
   * Makes the row of a tag, in the namespace {@code default}, one that cannot be read, as a hand or
   * a newer version would.
   *
   * @return false: no row of this store can be
   */
  protected boolean spoil(String tag) {
    return false;
  }

  @AfterEach
  void closeClients() {
    open.forEach(TagStore::close);
  }

  private TagStore open() {
    TagStore client = openClient();
    open.add(client);
    return client;
  }

  private static <T> T join(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }

  private static TagRow row(String tag, String description, long floor, boolean removed) {
    return new TagRow(
        tag,
        "segment",
        "crockford",
        "ord_",
        7,
        Long.MAX_VALUE,
        20_000,
        100,
        1_000_000_000_000L,
        true,
        5_000_000_000L,
        6_000_000_000L,
        "team 'a' \"b\" \\ äß€",
        description,
        floor,
        0,
        0,
        removed,
        1_800_000_000_000L,
        1_800_000_000_001L);
  }

  private static TagRow row(String tag) {
    return row(tag, "", 0, false);
  }

  private static TagRow written(TagStore store, TagRow next, long known) {
    TagReply reply = join(store.write("default", next, known));
    return assertInstanceOf(TagReply.Written.class, reply, reply.toString()).row();
  }

  @Test
  void write_newTag_isReadByAnotherClientAsItWas() {
    TagRow written = written(open(), row("order"), 0);
    TagRow read = Objects.requireNonNull(join(open().read("default", "order")));
    assertEquals(written, read);
    assertEquals(1, read.version());
    assertEquals(1, read.revision());
    assertEquals("team 'a' \"b\" \\ äß€", read.owner());
    assertEquals(Long.MAX_VALUE, read.maximum());
    assertEquals(1_000_000_000_000L, read.stepMax());
    assertTrue(read.critical());
  }

  @Test
  void read_unknown_isNull() {
    TagStore store = open();
    assertNull(join(store.read("default", "order")));
    TagChanges none = join(store.changes("default", 0));
    assertEquals(0, none.head());
    assertEquals(List.of(), none.rows());
    assertTrue(none.complete());
  }

  @Test
  void write_versionThatIsNotThere_changesNothing() {
    TagStore store = open();
    TagRow one = written(store, row("order"), 0);
    for (long known : new long[] {0, 2, 7}) {
      TagReply reply = join(store.write("default", row("order", "late", 0, false), known));
      assertEquals(one, assertInstanceOf(TagReply.Conflict.class, reply).row());
    }
    TagReply absent = join(store.write("default", row("other"), 3));
    assertNull(assertInstanceOf(TagReply.Conflict.class, absent).row());
    assertEquals(1, join(store.changes("default", 0)).head());
  }

  @Test
  void changes_afterARevision_areTheLaterOnesOnce() {
    TagStore store = open();
    written(store, row("a"), 0);
    written(store, row("b"), 0);
    written(store, row("a", "again", 5, false), 1);
    TagRow gone = written(store, row("b", "", 0, true), 1);

    TagChanges all = join(open().changes("default", 0));
    assertEquals(List.of("a", "b"), all.rows().stream().map(TagRow::tag).toList());
    assertEquals(4, all.head());
    assertTrue(all.complete());
    assertEquals(List.of(gone), join(store.changes("default", 3)).rows());
    assertEquals(List.of(), join(store.changes("default", 4)).rows());
    assertEquals(5, all.rows().get(0).floor());
    assertTrue(all.rows().get(1).removed());
    assertEquals(all.identity(), join(store.changes("default", 0)).identity());
  }

  @Test
  void write_afterATombstone_goesOnWithItsVersion() {
    TagStore store = open();
    written(store, row("a"), 0);
    TagRow gone = written(store, row("a", "", 9, true), 1);
    assertEquals(2, gone.version());
    assertInstanceOf(
        TagReply.Conflict.class, join(store.write("default", row("a", "", 9, false), 0)));
    assertEquals(3, written(store, row("a", "", 9, false), 2).version());
  }

  /** C92. */
  @Test
  void namespaces_two_areIndependent() {
    TagStore store = open();
    written(store, row("a"), 0);
    TagReply other = join(store.write("other", row("a", "there", 0, false), 0));
    assertEquals(1, assertInstanceOf(TagReply.Written.class, other).row().revision());
    assertEquals("", Objects.requireNonNull(join(store.read("default", "a"))).description());
    assertEquals(1, join(store.changes("other", 0)).rows().size());
  }

  @Test
  void tags_thatDifferInCase_areTwo() {
    TagStore store = open();
    written(store, row("a"), 0);
    assertEquals(1, written(store, row("A"), 0).version());
    assertEquals(2, join(store.changes("default", 0)).rows().size());
  }

  /** Who follows the revisions sees every write, however many there are at once. */
  @Test
  void write_manyAtOnce_followerMissesNone() throws Exception {
    TagStore follower = open();
    AtomicBoolean done = new AtomicBoolean();
    AtomicInteger refusals = new AtomicInteger();
    List<Thread> writers = new ArrayList<>();
    for (int w = 0; w < WRITERS; w++) {
      TagStore store = w % 4 == 0 ? open() : open.get(open.size() - 1);
      int number = w;
      Thread writer =
          new Thread(
              () -> {
                for (int i = 0; i < EACH; i++) {
                  writeUntilDone(store, row("tag-" + number + "-" + i), refusals);
                }
              });
      writers.add(writer);
      writer.start();
    }
    Thread end =
        new Thread(
            () -> {
              for (Thread writer : writers) {
                joinThread(writer);
              }
              done.set(true);
            });
    end.start();
    Set<String> seen = new HashSet<>();
    long last = 0;
    boolean more = true;
    while (more) {
      more = !done.get(); // once more after the last write
      TagChanges changes = join(follower.changes("default", last));
      for (TagRow row : changes.rows()) {
        assertTrue(row.revision() > last);
        last = row.revision();
        seen.add(row.tag());
      }
      assertTrue(changes.head() >= last);
    }
    assertEquals(WRITERS * EACH, seen.size(), "refused attempts: " + refusals);
    assertEquals(WRITERS * EACH, last);
  }

  /** A store may refuse where others come first; a write that was refused was not made. */
  private static void writeUntilDone(TagStore store, TagRow row, AtomicInteger refusals) {
    while (true) {
      try {
        written(store, row, 0);
        return;
      } catch (CompletionException e) {
        StoreException failure = assertInstanceOf(StoreException.class, e.getCause());
        assertTrue(!failure.outcomeUnknown() && refusals.incrementAndGet() < 100, e.toString());
      }
    }
  }

  private static void joinThread(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void changes_moreThanAPage_areReadInSeveral() {
    TagStore store = open();
    int tags = TagStore.PAGE + 1;
    List<CompletionStage<TagReply>> replies = new ArrayList<>();
    for (int i = 0; i < tags; i++) {
      replies.add(store.write("default", row("t" + i), 0));
    }
    replies.forEach(TagStoreContract::join);
    TagChanges first = join(store.changes("default", 0));
    assertEquals(TagStore.PAGE, first.rows().size());
    assertEquals(false, first.complete());
    long last = first.rows().get(TagStore.PAGE - 1).revision();
    TagChanges second = join(store.changes("default", last));
    assertEquals(1, second.rows().size());
    assertEquals(tags, second.head());
    assertTrue(second.complete());
  }

  /** A hand, or a newer version, may have written it. */
  @Test
  void changes_rowThatCannotBeRead_keepNoOtherBack() {
    TagStore store = open();
    written(store, row("a"), 0);
    written(store, row("b"), 0);
    written(store, row("c"), 0);
    assumeTrue(spoil("b"), "no row of this store can be spoilt");

    TagChanges all = join(open().changes("default", 0));
    assertEquals(List.of("a", "c"), all.rows().stream().map(TagRow::tag).toList());
    assertEquals(List.of("b"), all.unread().stream().map(UnreadTag::tag).toList());
    assertTrue(List.of(0L, 2L).contains(all.unread().get(0).revision()));
    assertEquals(3, all.head());
    assertTrue(all.complete());
    for (var stage : List.of(store.read("default", "b"), store.write("default", row("b"), 1))) {
      var e = assertThrows(CompletionException.class, () -> join(stage));
      StoreException failure = assertInstanceOf(StoreException.class, e.getCause());
      assertTrue(failure.concernsRow() && failure.permanent(), failure.toString());
      assertEquals(all.unread().get(0).why(), failure.getMessage());
    }
    written(store, row("d"), 0);
    written(store, row("a", "again", 0, false), 1);
    TagChanges later = join(store.changes("default", 3));
    assertEquals(List.of("d", "a"), later.rows().stream().map(TagRow::tag).toList());
  }

  @Test
  void close_twice_thenEveryCallIsRefused() {
    TagStore store = open();
    store.close();
    store.close();
    var e = assertThrows(CompletionException.class, () -> join(store.read("default", "a")));
    assertInstanceOf(StoreException.class, e.getCause());
  }
}
