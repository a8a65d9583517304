package dev.idgen.server.resp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.IdException;
import dev.idgen.Reason;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Replies come in the order of their commands, whenever their ids do. */
class OrderTest {
  private final RespFixture server = new RespFixture();
  private final TestEngine sequence = server.engine("sequence");

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void pipeline_ofMany_isAnsweredInOrder() {
    try (RespClient client = server.client()) {
      int many = 20_000;
      Thread sender =
          new Thread(
              () -> {
                ByteArrayOutputStream all = new ByteArrayOutputStream();
                for (int i = 0; i < many; i++) {
                  all.writeBytes(RespClient.encoded("INCR", "segment"));
                }
                client.send(all.toByteArray());
              });
      sender.start();
      for (long i = 1; i <= many; i++) {
        assertEquals(i, client.reply());
      }
    }
  }

  @Test
  void pipeline_firstWaits_othersWaitForItsReply() {
    sequence.hold = true;
    try (RespClient client = server.client()) {
      client.command("INCR", "sequence").command("INCR", "segment").command("PING");
      client.command("HELLO", "3").command("CLIENT", "GETNAME").command("INCR", "no");
      client.command("ID.NEXT", "ulid").command("INCR", "sequence");
      TestEngine.Held first = sequence.heldCall();
      TestEngine.Held last = sequence.heldCall();
      sequence.answer(last); // the later one comes first
      try (RespClient other = server.client()) {
        assertEquals("PONG", other.ask("PING")); // nobody else waits
      }
      sequence.answer(first);
      assertEquals(2L, client.reply());
      assertEquals(1L, client.reply());
      assertEquals("PONG", client.reply());
      assertEquals(3L, assertInstanceOf(Map.class, client.reply()).get("proto"));
      assertNull(client.reply()); // in the form that was spoken then
      assertEquals(
          new RespClient.Problem("UNKNOWN_TAG tag: no (expected: one that was made)"),
          client.reply());
      assertEquals("ulid-1", client.reply());
      assertEquals(1L, client.reply());
    }
  }

  /** A list takes room: it is made when it can be sent, not kept behind others. */
  @Test
  void pipeline_listBehindOneThatWaits_isMadeAfterIt() {
    sequence.hold = true;
    try (RespClient client = server.client()) {
      client.command("INCR", "sequence").command("ID.NEXT", "segment", "COUNT", "3");
      client.command("INCR", "segment");
      TestEngine.Held first = sequence.heldCall();
      try (RespClient other = server.client()) {
        assertEquals(1L, other.ask("INCR", "segment")); // the list was not made yet
      }
      sequence.answer(first);
      assertEquals(1L, client.reply());
      assertEquals(List.of("2", "3", "4"), client.reply());
      assertEquals(5L, client.reply());
    }
  }

  /** Replies that are there and must wait are bounded: then no more is read. */
  @Test
  void pipeline_muchBehindOneThatWaits_isReadNoFurther() {
    sequence.hold = true;
    int many = 2_000;
    try (RespClient client = server.client()) {
      ByteArrayOutputStream all = new ByteArrayOutputStream();
      all.writeBytes(RespClient.encoded("INCR", "sequence"));
      for (int i = 0; i < many; i++) {
        all.writeBytes(RespClient.encoded("INCR", "segment"));
      }
      client.send(all.toByteArray());
      TestEngine.Held first = sequence.heldCall();
      long taken = server.engine("segment").next.get() - 1;
      assertTrue(taken <= 300, taken + " are kept");
      sequence.answer(first);
      for (long i = 1; i <= many; i++) {
        assertEquals(i == 1 ? 1L : i - 1, client.reply());
      }
    }
  }

  @Test
  void pipeline_completedInAnyOrder_isAnsweredInOrder() {
    long seed = Long.getLong("idgen.seed", System.nanoTime());
    System.out.println("idgen.seed=" + seed);
    Random random = new Random(seed);
    sequence.hold = true;
    try (RespClient client = server.client()) {
      for (int round = 0; round < 20; round++) {
        int many = 1 + random.nextInt(60);
        List<TestEngine.Held> calls = new ArrayList<>();
        for (int i = 0; i < many; i++) {
          client.command("INCRBY", "sequence", "" + (i + 2)).command("ECHO", "" + i);
        }
        for (int i = 0; i < many; i++) {
          calls.add(sequence.heldCall());
        }
        sequence.next.set(1_000_000L * round);
        List<TestEngine.Held> shuffled = new ArrayList<>(calls);
        Collections.shuffle(shuffled, random);
        shuffled.forEach(sequence::answer);
        for (int i = 0; i < many; i++) {
          long last = calls.get(i).answer().join().runs().get(0).lastInclusive();
          assertEquals(last, client.reply(), "seed " + seed);
          assertEquals("" + i, client.reply(), "seed " + seed);
        }
      }
    }
  }

  @Test
  void pipeline_someAreRefusedLater_areErrorsInTheirPlaces() {
    sequence.hold = true;
    try (RespClient client = server.client()) {
      client.command("INCR", "sequence").command("INCR", "sequence").command("PING");
      TestEngine.Held first = sequence.heldCall();
      sequence
          .heldCall()
          .answer()
          .completeExceptionally(new IdException(Reason.DEADLINE, "no ids in time", 50));
      sequence.answer(first);
      assertEquals(1L, client.reply());
      assertEquals(
          new RespClient.Problem("DEADLINE no ids in time; again in 50 ms"), client.reply());
      assertEquals("PONG", client.reply());
    }
  }

  /** More than may wait is left unread, and answered all the same. */
  @Test
  void pipeline_overItsLimit_isReadNoFurtherUntilThereAreFewer() {
    RespLimits ten = new RespLimits(10_000, 10, 64 << 10, 15_000, 600_000, 100, 32 << 20);
    try (RespFixture small = new RespFixture(ten, dev.idgen.server.service.Callers.OPEN);
        RespClient client = small.client()) {
      TestEngine held = small.engine("sequence");
      held.hold = true;
      for (int i = 0; i < 35; i++) {
        client.command("INCR", "sequence");
      }
      for (int left = 35; left > 0; left--) {
        TestEngine.Held call = held.heldCall();
        assertTrue(held.heldCalls() < 10, held.heldCalls() + " more wait");
        held.answer(call);
        assertEquals(36L - left, client.reply());
      }
    }
  }

  /** The client has said all it will: it gets its replies, and then the end. */
  @Test
  void client_endsSending_getsItsReplies() {
    sequence.hold = true;
    try (RespClient client = server.client()) {
      client.command("INCR", "sequence").command("PING").send("*1\r\n$4\r\nPI").endOfSending();
      sequence.answer(sequence.heldCall());
      assertEquals(":1\r\n+PONG\r\n", client.untilClosed());
    }
  }

  @Test
  void client_leavesWhileItsIdsAreMade_harmsNobody() {
    sequence.hold = true;
    RespClient gone = server.client();
    gone.command("INCR", "sequence");
    TestEngine.Held call = sequence.heldCall();
    gone.close();
    sequence.answer(call);
    sequence.hold = false;
    try (RespClient client = server.client()) {
      assertEquals("PONG", client.ask("PING"));
    }
  }

  // ---- the end of the server

  @Test
  void stop_repliesAreOwed_sendsThemFirst() {
    sequence.hold = true;
    try (RespClient client = server.client();
        RespClient idle = server.client()) {
      assertEquals("PONG", idle.ask("PING"));
      client.command("INCR", "sequence").command("PING");
      TestEngine.Held call = sequence.heldCall();
      var drained = server.service.drain();
      var stopped = server.transport.stop(20_000).toCompletionStage().toCompletableFuture();
      assertEquals("", idle.untilClosed());
      sequence.answer(call);
      assertEquals(":1\r\n+PONG\r\n", client.untilClosed());
      drained.toCompletableFuture().join();
      stopped.join();
    }
  }

  @Test
  void stop_clientFetchesNothing_isCut() {
    sequence.hold = true;
    try (RespClient client = server.client()) {
      client.command("INCR", "sequence");
      sequence.heldCall();
      server.transport.stop(1).toCompletionStage().toCompletableFuture().join();
      assertEquals("", client.untilClosed());
    }
  }

  @Test
  void draining_newCommands_areTold() {
    try (RespClient client = server.client()) {
      assertEquals(1L, client.ask("INCR", "segment"));
      server.service.drain();
      assertEquals(
          "DRAINING the server is stopping; again in 1000 ms", client.error("INCR", "segment"));
      assertEquals("PONG", client.ask("PING"));
    }
  }
}
