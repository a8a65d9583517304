package dev.idgen.check.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What every {@link TagStore} must do. The author of a store extends this in its tests and says how
 * to open it.
 */
public abstract class TagStoreContract {
  private static final int WRITERS = 8;
  private static final int EACH = 20;
  private static final int CONTENDERS = 1_000;
  private static final int ROUNDS = 60; // on a bad network

  /** On a bad network, replies at least: in full with {@code -Didgen.losses=1000}. */
  private static final int LOSSES = Integer.getInteger("idgen.losses", 0);

  private static final int TRIES = 1_000;
  private static final int AROUND = 10; // writes of each writer before a restart, and after it
  private static final long ANSWER_S = 60;
  private static final long AGAIN_NANOS = 10_000_000;

  private final List<TagStore> open = new ArrayList<>();

  /**
   * Opens one more client of one and the same store, which is empty at the first call in a test.
   *
   * @return of its own: closing it leaves the others open
   */
  protected abstract TagStore openClient();

  /** Forgets everything, as when a disk was replaced. No client is open. */
  protected abstract void wipe();

  /**
   * Ends the server of the store as a power cut would, and starts it again on what it had written;
   * clients stay open. Nothing where there is no server.
   */
  protected void restartServer() {}

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

  // ---- crowds

  /**
   * One row, and more writers than there can be transactions at a time: one of them comes first.
   */
  @Test
  void write_thousandContenders_oneIsWritten() {
    List<TagStore> clients = List.of(open(), open(), open());
    TagRow before = written(clients.get(0), row("a"), 0);
    List<CompletionStage<TagReply>> stages = new ArrayList<>();
    for (int i = 0; i < CONTENDERS; i++) {
      stages.add(clients.get(i % 3).write("default", contender(i), before.version()));
    }
    List<TagRow> winners = new ArrayList<>();
    for (int i = 0; i < CONTENDERS; i++) {
      TagReply reply = replyOrAgain(stages.get(i), clients.get(i % 3), contender(i));
      if (reply instanceof TagReply.Written written) {
        winners.add(written.row());
      }
    }
    assertEquals(1, winners.size());
    assertEquals(winners.get(0), join(clients.get(1).read("default", "a")));
    assertEquals(2, join(clients.get(2).changes("default", 0)).head());
  }

  private static TagRow contender(int number) {
    return row("a", "contender " + number, 0, false);
  }

  /** What came too late in a crowd for the store to begin it was not done: it is asked again. */
  private static TagReply replyOrAgain(
      CompletionStage<TagReply> stage, TagStore client, TagRow next) {
    try {
      return join(stage);
    } catch (CompletionException e) {
      assertFalse(failure(e).outcomeUnknown(), e::toString);
      return join(client.write("default", next, 1));
    }
  }

  private static StoreException failure(CompletionException e) {
    return assertInstanceOf(StoreException.class, e.getCause(), e::toString);
  }

  // ---- stores that forget, servers that end

  /** Who follows is told by the identity, and who writes by the version. */
  @Test
  void wiped_writersAndFollowers_areToldSo() {
    TagStore store = open();
    written(store, row("a"), 0);
    String identity = join(store.changes("default", 0)).identity();
    store.close();
    wipe();

    TagStore after = open();
    assertNull(join(after.read("default", "a")));
    TagChanges changes = join(after.changes("default", 1));
    assertNotEquals(identity, changes.identity());
    assertEquals(0, changes.head());
    TagReply reply = join(after.write("default", row("a", "late", 0, false), 1));
    assertNull(assertInstanceOf(TagReply.Conflict.class, reply).row());
    assertEquals(1, written(after, row("a"), 0).revision());
  }

  @Test
  void restart_clients_haveWhatWasWritten() {
    TagStore store = open();
    TagRow one = written(store, row("a"), 0);
    TagChanges before = join(store.changes("default", 0));
    store.close();
    TagStore after = open();
    assertEquals(one, join(after.read("default", "a")));
    assertEquals(before, join(after.changes("default", 0)));
    assertEquals(2, written(after, row("b"), 0).revision());
  }

  /** C45: what was answered stays, and the version tells of what was not. */
  @Test
  void server_killedInTheMiddle_losesNothing() throws Exception {
    CountDownLatch before = new CountDownLatch(3 * AROUND);
    CountDownLatch after = new CountDownLatch(3 * AROUND);
    AtomicBoolean back = new AtomicBoolean();
    AtomicBoolean end = new AtomicBoolean();
    List<FutureTask<TagRow>> tasks = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      TagStore store = open();
      String tag = "t" + i;
      tasks.add(
          new FutureTask<>(
              () -> {
                TagRow last = persistent(store, tag, 0);
                while (!end.get()) {
                  boolean since = back.get();
                  last = persistent(store, tag, last.version());
                  (since ? after : before).countDown();
                }
                return last;
              }));
    }
    for (FutureTask<TagRow> task : tasks) {
      Thread thread = new Thread(task, "writer");
      thread.setDaemon(true);
      thread.start();
    }
    assertTrue(before.await(ANSWER_S, TimeUnit.SECONDS));
    restartServer();
    back.set(true);
    assertTrue(after.await(ANSWER_S, TimeUnit.SECONDS));
    end.set(true);
    List<TagRow> last = new ArrayList<>();
    for (FutureTask<TagRow> task : tasks) {
      last.add(task.get(ANSWER_S, TimeUnit.SECONDS));
    }
    TagChanges all = join(open().changes("default", 0));
    assertEquals(new HashSet<>(last), new HashSet<>(all.rows()));
    assertEquals(last.stream().mapToLong(TagRow::version).sum(), all.head());
  }

  /** Writes the next version, asking until it is there: by this writer, for there is no other. */
  private static TagRow persistent(TagStore store, String tag, long known) {
    TagRow next = row(tag, "version " + (known + 1), 0, false);
    for (int i = 0; i < TRIES; i++) {
      try {
        return ours(join(store.write("default", next, known)), next);
      } catch (CompletionException e) {
        assertFalse(failure(e).permanent(), e::toString);
        LockSupport.parkNanos(AGAIN_NANOS); // others may need the processor to come back
      }
    }
    throw new AssertionError("no answer in " + TRIES + " tries");
  }

  private static TagRow ours(TagReply reply, TagRow next) {
    if (reply instanceof TagReply.Written written) {
      return written.row();
    }
    TagRow there = assertInstanceOf(TagReply.Conflict.class, reply).row();
    assertNotNull(there);
    assertEquals(next.description(), there.description(), "an earlier try was made");
    return there;
  }

  // ---- bad networks

  /** C41: each write is repeated until it is answered; whatever was lost, it is made once. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void network_bad_eachWriteIsMadeOnce(long seed) {
    LossyTagStore lossy =
        new LossyTagStore(open(), new LossyNetwork(new LossyNetwork.Faults(15, 35, 10), seed));
    long seen = 0;
    for (int round = 0; round < ROUNDS || lossy.repliesLost() < LOSSES; round++) {
      TagRow now = made(lossy, round);
      assertEquals(round + 1, now.version(), "seed " + seed);
      lossy.deliverLate();
      TagChanges changes = join(lossy.changes("default", seen));
      assertEquals(List.of(now), changes.rows(), "seed " + seed);
      assertEquals(seen + 1, changes.head(), "seed " + seed);
      seen = changes.head();
    }
  }

  private static TagRow made(TagStore lossy, long known) {
    TagRow next = row("a", "version " + (known + 1), 0, false);
    for (int i = 0; i < TRIES; i++) {
      try {
        return ours(join(lossy.write("default", next, known)), next);
      } catch (CompletionException e) {
        assertTrue(failure(e).outcomeUnknown(), e::toString);
      }
    }
    throw new AssertionError("no answer in " + TRIES + " tries");
  }

  // ---- closing

  @Test
  void close_one_leavesTheOtherOpen() {
    TagStore one = open();
    TagStore two = open();
    one.close();
    written(two, row("a"), 0);
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
