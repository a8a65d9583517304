package dev.idgen.store.etcd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.check.servers.EtcdServer;
import dev.idgen.entropy.Entropy;
import dev.idgen.store.StoreAddress;
import dev.idgen.store.StoreException;
import io.etcd.jetcd.ByteSequence;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** What all stores in etcd rest upon, on real servers. */
class EtcdSessionTest {
  private static final String PREFIX = "/s";
  private static final ByteSequence KEY = Keys.bytes(PREFIX + "/x");

  private static Session open(EtcdServer server) {
    StoreAddress address = Session.parse("etcd://127.0.0.1:" + server.port() + PREFIX);
    return Session.open(address, Entropy.operatingSystem(), () -> {});
  }

  private static <T> T join(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }

  private static StoreException failure(CompletionStage<?> stage) {
    var e = assertThrows(CompletionException.class, () -> join(stage));
    return assertInstanceOf(StoreException.class, e.getCause());
  }

  private static Found read(Session session) {
    return join(session.run("read", () -> session.read("read", Session.gets(List.of(KEY)))));
  }

  private static CompletionStage<Boolean> write(Session session, Found found) {
    return session.run(
        "write",
        () ->
            session.write(
                "write", found, found.unchanged(List.of(KEY)), List.of(Session.put(KEY, "mine"))));
  }

  @Test
  void write_whatWasReadIsThere_isDoneOnce() {
    try (EtcdServer server = EtcdServer.start()) {
      Session session = open(server);
      try {
        Found found = read(session);
        assertTrue(join(write(session, found)));
        assertFalse(join(write(session, found)));
        assertEquals("mine", server.get(PREFIX + "/x"));
      } finally {
        session.close();
      }
    }
  }

  /** A copy has the same keys in the same revisions, and lacks what was written after it. */
  @Test
  void write_inACopyOfWhatWasRead_isUnknown() {
    try (EtcdServer server = EtcdServer.start();
        EtcdServer copy = EtcdServer.start()) {
      Session here = open(server);
      copy.put(PREFIX + "/identity", server.get(PREFIX + "/identity"));
      Session there = open(copy);
      try {
        Found found = read(here);
        assertEquals(found.identityRevision(), read(there).identityRevision());

        StoreException e = failure(write(there, found));

        assertTrue(e.outcomeUnknown());
        assertEquals(
            "etcd: write: cluster "
                + Long.toHexString(read(there).clusterId())
                + " (expected: "
                + Long.toHexString(found.clusterId())
                + ", which was read)",
            e.getMessage());
      } finally {
        here.close();
        there.close();
      }
    }
  }

  /** More keys than one answer has, while they change. */
  @Test
  void readAll_manyKeys_areAsTheyWere() {
    try (EtcdServer server = EtcdServer.start()) {
      Session session = open(server);
      List<String> expected = new ArrayList<>();
      for (int i = 0; i < 2_500; i++) {
        String name = PREFIX + "/many/" + (10_000 + i);
        server.put(name, "v");
        expected.add(name);
      }
      server.put(PREFIX + "/many0", "not among them");
      try {
        Found found = read(session);
        server.put(expected.get(0), "later");
        server.put(PREFIX + "/many/3", "later");
        List<String> keys = new ArrayList<>();
        join(
            session.run(
                "read",
                () -> {
                  session.readAll(
                      "read",
                      found,
                      Keys.bytes(PREFIX + "/many/"),
                      value -> {
                        assertEquals("v", Keys.text(value.getValue()));
                        keys.add(Keys.text(value.getKey()));
                      });
                  return true;
                }));
        assertEquals(expected, keys);
      } finally {
        session.close();
      }
    }
  }
}
