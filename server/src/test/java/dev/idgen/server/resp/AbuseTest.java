package dev.idgen.server.resp;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.server.service.Caller;
import dev.idgen.server.service.Callers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that send what they should not, as bytes on a socket. */
class AbuseTest {
  private static final Callers TOKENS =
      new Callers(
          Map.of(
              Callers.sha256("right"),
              new Caller("web", Set.of(Caller.Right.ISSUE), List.of("*"))));

  private final RespFixture server = new RespFixture(RespFixture.HASTY, Callers.OPEN);

  @AfterEach
  void stop() {
    try (RespClient client = server.client()) {
      assertEquals("PONG", client.ask("PING")); // it served on, whatever came
    }
    server.close();
  }

  /** C85. */
  @ParameterizedTest
  @CsvSource({
    "*2000000000\\r\\n, invalid multibulk length",
    "*1\\r\\n$2000000000\\r\\n, invalid bulk length",
    "*2\\r\\n$4\\r\\nECHO\\r\\n$65536\\r\\n, invalid bulk length",
    "*1\\r\\n*1\\r\\n, 'expected ''$'', got ''*'''",
    "*1\\r\\n$4\\r\\nPINGPONG, invalid bulk length"
  })
  void command_none_isToldAndCloses(String sent, String fault) {
    try (RespClient client = server.client()) {
      client.command("PING").send(sent.replace("\\r", "\r").replace("\\n", "\n"));
      client.trySend(RespClient.encoded("PING")); // has no meaning any more
      assertEquals("+PONG\r\n-ERR Protocol error: " + fault + "\r\n", client.untilClosed());
    }
  }

  /** C85: what is announced takes no room, before it is known who announces and after. */
  @Test
  void announcements_ofMuch_takeNoRoom() {
    byte[] nested = "*1\r\n".repeat(12_000).getBytes(StandardCharsets.US_ASCII); // 47 KB
    byte[] large = "*2000000000\r\n".getBytes(StandardCharsets.US_ASCII);
    try (RespFixture strict = new RespFixture(RespFixture.LIMITS, TOKENS)) {
      for (RespFixture each : List.of(server, strict)) {
        List<RespClient> open = new ArrayList<>();
        long before = heap();
        for (int i = 0; i < 200; i++) {
          open.add(each.client());
          open.get(open.size() - 1).trySend(nested);
          open.add(each.client());
          open.get(open.size() - 1).trySend(large);
        }
        for (RespClient client : open) {
          String reply = client.untilClosed();
          assertTrue(reply.isEmpty() || reply.startsWith("-ERR Protocol error: "), reply);
        }
        long grown = heap() - before;
        assertTrue(grown < 10 << 20, grown + " bytes more");
        open.forEach(RespClient::close);
      }
    }
  }

  private static long heap() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "POST /x HTTP/1.1\r\nHost: a\r\n\r\nINCR default\r\n",
        "GET / HTTP/1.1\r\n\r\n",
        "Host: a\r\nINCR default\r\n",
        "PUT /INCR HTTP/1.1\r\n"
      })
  void connection_beginsLikeHttp_isClosedWithoutAWord(String sent) {
    try (RespClient client = server.client()) {
      assertEquals("", client.send(sent).untilClosed());
    }
    assertEquals(1, server.engine("default").next.get());
  }

  @Test
  void line_withoutEnd_isRefused() {
    try (RespClient client = server.client()) {
      assertEquals(
          "-ERR Protocol error: too big inline request\r\n",
          client.send("x".repeat(1025)).untilClosed());
    }
  }

  @Test
  void command_halfSent_isCut() {
    for (String half : List.of("*2\r\n$4\r\nINCR\r\n$7\r\ndef", "PIN", "*")) {
      try (RespClient client = server.client()) {
        assertEquals("PONG", client.ask("PING"));
        assertEquals(
            "-ERR Protocol error: command: not whole in 600 ms (expected: sooner)\r\n",
            client.send(half).untilClosed());
      }
    }
  }

  /** The time runs from the first byte: who sends one now and then does not stop it. */
  @Test
  void command_byteByByte_isCutAllTheSame() {
    try (RespClient client = server.client()) {
      client.send("*2\r\n$4\r\nECHO\r\n$60000\r\n");
      boolean open = true;
      for (int i = 0; i < 2_000 && open; i++) {
        open = client.trySend(new byte[] {'x'});
        rest(5);
      }
      assertFalse(open);
    }
  }

  private static void rest(long millis) {
    try {
      Thread.sleep(millis); // the client is slow: that is what is tried
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Test
  void command_byteByByteInTime_isServed() {
    try (RespFixture patient = new RespFixture();
        RespClient client = patient.client()) {
      for (byte b : RespClient.encoded("INCR", "default")) {
        client.send(new byte[] {b});
      }
      assertEquals(1L, client.reply());
    }
  }

  @Test
  void command_ofTheLargestSize_isServed() {
    String text = "x".repeat((64 << 10) - 40);
    try (RespClient client = server.client()) {
      assertEquals(text, client.ask("ECHO", text));
    }
  }

  @Test
  void connection_idle_isClosedQuietly() {
    try (RespClient client = server.client();
        RespClient silent = server.client()) {
      assertEquals("PONG", client.ask("PING"));
      assertEquals("", client.untilClosed());
      assertEquals("", silent.untilClosed());
    }
  }

  /** What is read stays within bounds, and so does what is made. */
  @Test
  void client_fetchesNothing_isNotReadAnyFurtherAndCut() {
    try (RespClient client = server.client()) {
      byte[] ask = RespClient.encoded("ID.NEXT", "default", "COUNT", "10000");
      boolean open = true;
      for (int i = 0; i < 1_000_000 && open; i++) {
        open = client.trySend(ask);
      }
      assertFalse(open);
    }
    long made = server.engine("default").next.get();
    assertTrue(made < 1_000L * 10_000, made + " ids made for one who fetches none");
  }

  @Test
  void client_fetchesLate_getsAll() {
    try (RespFixture patient = new RespFixture();
        RespClient client = patient.client()) {
      int many = 300;
      for (int i = 0; i < many; i++) {
        client.command("ID.NEXT", "default", "COUNT", "5000"); // 20 MB of replies
      }
      for (int i = 0; i < many; i++) {
        List<?> ids = assertInstanceOf(List.class, client.reply());
        assertEquals(String.valueOf(i * 5_000 + 1), ids.get(0));
        assertEquals(5_000, ids.size());
      }
    }
  }

  @Test
  void replies_manyUnsent_refuseMoreOfTheLargeOnes() {
    RespLimits little = new RespLimits(1_000_000, 100, 64 << 10, 15_000, 600_000, 100, 1 << 20);
    try (RespFixture small = new RespFixture(little, Callers.OPEN);
        RespClient client = small.client();
        RespClient other = small.client()) {
      client.command("ID.NEXT", "default", "COUNT", "1000000");
      awaitFull(other);
      assertTrue(other.error("ID.NEXT", "default").startsWith("OVERLOADED unsent replies: "));
      assertTrue(assertInstanceOf(Long.class, other.ask("INCR", "default")) > 1_000_000);
      assertEquals(1_000_000, assertInstanceOf(List.class, client.reply()).size());
    }
  }

  /** Lists that come later find no room, and are sent when there is some again. */
  @Test
  void replies_manyUnsent_laterListsWaitForRoom() {
    RespLimits little = new RespLimits(1_000_000, 100, 64 << 10, 15_000, 600_000, 100, 1 << 20);
    try (RespFixture small = new RespFixture(little, Callers.OPEN);
        RespClient client = small.client();
        RespClient other = small.client()) {
      TestEngine sequence = small.engine("sequence");
      sequence.hold = true;
      other.command("ID.NEXT", "sequence", "COUNT", "1000");
      TestEngine.Held held = sequence.heldCall();
      client.command("ID.NEXT", "default", "COUNT", "1000000");
      try (RespClient third = small.client()) {
        awaitFull(third);
      }
      sequence.answer(held);
      assertEquals(1_000_000, assertInstanceOf(List.class, client.reply()).size());
      assertEquals(1_000, assertInstanceOf(List.class, other.reply()).size());
    }
  }

  /** Until the large reply is there, small ones are given. */
  private static void awaitFull(RespClient other) {
    for (int i = 0; i < 20_000; i++) {
      if (other.ask("ID.NEXT", "default") instanceof RespClient.Problem) {
        return;
      }
    }
    throw new AssertionError("never full");
  }

  @Test
  void connections_overTheLimit_areTurnedAway() {
    RespLimits one = new RespLimits(10_000, 100, 64 << 10, 15_000, 600_000, 1, 32 << 20);
    try (RespFixture small = new RespFixture(one, Callers.OPEN);
        RespClient first = small.client()) {
      assertEquals("PONG", first.ask("PING"));
      try (RespClient second = small.client()) {
        assertEquals(
            "-OVERLOADED connections: more than 1 (expected: at most that many at a time); again in"
                + " 1000 ms\r\n",
            second.untilClosed());
      }
      assertEquals("PONG", first.ask("PING"));
    }
  }

  @Test
  void commands_notWholeOverTheLimit_endTheirConnections() {
    try (RespFixture small = new RespFixture(RespFixture.LIMITS, Callers.OPEN, 100_000);
        RespClient first = small.client();
        RespClient second = small.client()) {
      byte[] half = ("*2\r\n$4\r\nECHO\r\n$60000\r\n" + "x".repeat(59_990)).getBytes(US_ASCII);
      first.send(half);
      await(small, held -> held == half.length);
      String reply = second.send(half).untilClosed();
      assertTrue(reply.startsWith("-OVERLOADED requests that are not whole: more than"), reply);
      await(small, held -> held == half.length);
      try (RespClient third = small.client()) {
        assertEquals("PONG", third.ask("PING"));
      }
      first.send("x".repeat(10).concat("\r\n").getBytes(US_ASCII));
      assertEquals("x".repeat(60_000), first.reply());
      await(small, held -> held == 0);
    }
  }

  @Test
  void commands_notWholeOfAConnectionThatIsGone_areNotCountedAnyMore() {
    try (RespFixture small = new RespFixture(RespFixture.LIMITS, Callers.OPEN, 100_000)) {
      RespClient client = small.client();
      client.send("*2\r\n$4\r\nEC".getBytes(US_ASCII));
      await(small, held -> held > 0);
      client.close();
      await(small, held -> held == 0);
    }
  }

  private static void await(RespFixture server, LongPredicate wanted) {
    long begun = System.nanoTime();
    while (!wanted.test(server.service.unread().held())) {
      assertTrue(System.nanoTime() - begun < TimeUnit.SECONDS.toNanos(20), "held");
      Thread.onSpinWait();
    }
  }

  @Test
  void fuzz_mangledCommands_areAnsweredOrClosed() {
    long seed = Long.getLong("idgen.seed", System.nanoTime());
    System.out.println("idgen.seed=" + seed);
    Random random = new Random(seed);
    for (int i = 0; i < 300; i++) {
      byte[] sent =
          RespClient.encoded("ID.NEXT", "default", "COUNT", "" + (1 + random.nextInt(20)));
      for (int changes = 1 + random.nextInt(4); changes > 0; changes--) {
        sent[random.nextInt(sent.length)] = (byte) random.nextInt(256);
      }
      try (RespClient client = server.client()) {
        String reply = client.send(sent).endOfSending().untilClosed();
        assertTrue(
            reply.isEmpty() || "-*$:+".indexOf(reply.charAt(0)) >= 0,
            "seed " + seed + ": " + reply);
        assertTrue(reply.isEmpty() || reply.endsWith("\r\n"), "seed " + seed + ": " + reply);
      }
    }
  }
}
