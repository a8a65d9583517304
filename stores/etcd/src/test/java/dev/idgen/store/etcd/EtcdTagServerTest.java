package dev.idgen.store.etcd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.check.servers.CutProxy;
import dev.idgen.check.servers.EtcdServer;
import dev.idgen.store.StoreException;
import dev.idgen.store.TagChanges;
import dev.idgen.store.TagReply;
import dev.idgen.store.TagRow;
import dev.idgen.store.TagRules;
import dev.idgen.store.UnreadTag;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Settings of tags on real servers that fail. */
class EtcdTagServerTest {
  private static EtcdServer server;

  private String url = "";

  @BeforeAll
  static void startServer() {
    server = EtcdServer.start();
  }

  @AfterAll
  static void endServer() {
    server.close();
  }

  @BeforeEach
  void makePlace() {
    url = server.freshUrl();
  }

  // ---- words

  private static <T> T join(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }

  private static TagRow row(String tag) {
    return new TagRow(
        tag, "segment", "decimal", "", 1, 9, 5, 1, 9, false, 0, 0, "", "", 0, 0, 0, false, 7, 7);
  }

  private static TagRow written(CompletionStage<TagReply> stage) {
    TagReply reply = join(stage);
    return assertInstanceOf(TagReply.Written.class, reply, reply.toString()).row();
  }

  private static StoreException failure(CompletionStage<?> stage) {
    var e = assertThrows(CompletionException.class, () -> join(stage));
    return assertInstanceOf(StoreException.class, e.getCause());
  }

  /** A write before whose first try something happens. */
  private static CompletionStage<TagReply> write(
      EtcdTagStore store, TagRow next, AtomicInteger tries, Runnable between) {
    return store.transact(
        "default",
        next.tag(),
        (current, revision) -> {
          if (tries.incrementAndGet() == 1) {
            between.run();
          }
          return TagRules.write(current, next, 0, revision);
        });
  }

  private static String key(String url, String name) {
    return Session.parse(url).path() + "/" + name;
  }

  // ---- what others write meanwhile

  @Test
  void write_anotherTagAfterTheRead_getsTheNextRevision() {
    try (EtcdTagStore store = EtcdTagStore.open(url);
        EtcdTagStore other = EtcdTagStore.open(url)) {
      AtomicInteger tries = new AtomicInteger();

      TagRow mine =
          written(
              write(store, row("a"), tries, () -> written(other.write("default", row("b"), 0))));

      assertEquals(2, tries.get());
      assertEquals(2, mine.revision());
      TagChanges changes = join(other.changes("default", 0));
      assertEquals(2, changes.head());
      assertEquals(List.of("b", "a"), changes.rows().stream().map(TagRow::tag).toList());
    }
  }

  @Test
  void write_theSameTagAfterTheRead_isAConflict() {
    try (EtcdTagStore store = EtcdTagStore.open(url);
        EtcdTagStore other = EtcdTagStore.open(url)) {
      AtomicInteger tries = new AtomicInteger();

      TagReply reply =
          join(write(store, row("a"), tries, () -> written(other.write("default", row("a"), 0))));

      assertEquals(2, tries.get());
      TagRow there = Objects.requireNonNull(join(other.read("default", "a")));
      assertEquals(there, assertInstanceOf(TagReply.Conflict.class, reply).row());
      assertEquals(1, join(store.changes("default", 0)).head());
    }
  }

  // ---- what is lost

  /** C41: the version tells that it was written. */
  @Test
  void replies_lost_areUnknownAndWrittenOnce() {
    try (CutProxy proxy = CutProxy.before(server.port());
        EtcdTagStore lossy =
            EtcdTagStore.open("etcd://127.0.0.1:" + proxy.port() + Session.parse(url).path());
        EtcdTagStore store = EtcdTagStore.open(url)) {
      for (int i = 0; i < 10; i++) {
        TagRow next = row("t" + i);
        StoreException e =
            failure(write(lossy, next, new AtomicInteger(), () -> proxy.loseReplies(true)));
        proxy.loseReplies(false);

        assertTrue(e.outcomeUnknown(), e.toString());
        TagReply again = join(store.write("default", next, 0));
        TagRow there =
            Objects.requireNonNull(assertInstanceOf(TagReply.Conflict.class, again).row());
        assertEquals(1, there.version());
        assertEquals(i + 1, there.revision());
      }
      assertEquals(10, join(store.changes("default", 0)).rows().size());
    }
  }

  @Test
  void restore_inAnotherCluster_isToldByTheIdentity() {
    try (EtcdServer restored = EtcdServer.start();
        EtcdTagStore store = EtcdTagStore.open(url)) {
      written(store.write("default", row("a"), 0));
      String there = restored.freshUrl();
      for (String name : List.of("identity", "first-identity", "tags/default", "tag/default/a")) {
        restored.put(key(there, name), server.get(key(url, name)));
      }

      try (EtcdTagStore after = EtcdTagStore.open(there)) {
        TagChanges before = join(store.changes("default", 0));
        TagChanges then = join(after.changes("default", 0));
        assertEquals(before.rows(), then.rows());
        assertNotEquals(before.identity(), then.identity());
        assertEquals(2, written(after.write("default", row("b"), 0)).revision());
      }
    }
  }

  /** Whoever has seen a revision that the store does not know of any more, is told its head. */
  @Test
  void changes_afterARevisionThatIsNotThere_tellTheHead() {
    try (EtcdTagStore store = EtcdTagStore.open(url)) {
      written(store.write("default", row("a"), 0));
      TagChanges changes = join(store.changes("default", 7));
      assertEquals(1, changes.head());
      assertEquals(List.of(), changes.rows());
      assertTrue(changes.complete());
    }
  }

  /** C45. */
  @Test
  void server_killedAfterAWrite_hasIt() {
    try (EtcdServer mine = EtcdServer.start();
        EtcdTagStore store = EtcdTagStore.open(mine.freshUrl())) {
      TagRow written = written(store.write("default", row("a"), 0));

      mine.kill();
      StoreException e = failure(store.changes("default", 0));
      assertFalse(e.outcomeUnknown());
      assertFalse(e.permanent());
      mine.startAgain();

      assertEquals(written, join(store.read("default", "a")));
      assertEquals(2, written(store.write("default", row("b"), 0)).revision());
    }
  }

  // ---- what cannot be read

  @Test
  void rows_ofALaterVersion_areToldAndRefused() {
    try (EtcdTagStore store = EtcdTagStore.open(url)) {
      written(store.write("default", row("a"), 0));
      String key = key(url, "tag/default/a");
      server.put(key, "2 from the future");
      String message = "etcd: key " + key + ": row: version 2 (expected: 1)";
      for (var stage : List.of(store.read("default", "a"), store.write("default", row("a"), 1))) {
        StoreException e = failure(stage);
        assertEquals(message, e.getMessage());
        assertTrue(e.permanent());
        assertTrue(e.concernsRow());
      }
      assertEquals(
          List.of(new UnreadTag("a", 0, message)), join(store.changes("default", 0)).unread());
      assertNull(join(store.read("default", "b")));
    }
  }

  /** Copied by a hand: it is no row of the other tag. */
  @Test
  void row_ofAnotherTag_isToldAndRefused() {
    try (EtcdTagStore store = EtcdTagStore.open(url)) {
      written(store.write("default", row("a"), 0));
      server.put(key(url, "tag/default/b"), server.get(key(url, "tag/default/a")));
      String message = "etcd: key " + key(url, "tag/default/b") + ": tag: a (expected: b)";
      assertEquals(message, failure(store.read("default", "b")).getMessage());
      TagChanges changes = join(store.changes("default", 0));
      assertEquals(List.of("a"), changes.rows().stream().map(TagRow::tag).toList());
      assertEquals(List.of(new UnreadTag("b", 0, message)), changes.unread());
    }
  }
}
