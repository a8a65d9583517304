package dev.idgen.server.resp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.Reason;
import dev.idgen.server.log.LogLines;
import dev.idgen.server.service.Caller;
import dev.idgen.server.service.EngineKind;
import dev.idgen.server.service.ServiceReason;
import dev.idgen.server.service.TagRows;
import dev.idgen.text.Text;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CommandsTest {
  private final RespFixture server = new RespFixture();
  private final RespClient client = server.client();

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  // ---- ids

  @Test
  void incr_again_countsUp() {
    assertEquals(1L, client.ask("INCR", "default"));
    assertEquals(2L, client.ask("incr", "default"));
    assertEquals(1L, client.ask("INCR", "segment"));
    assertEquals(3L, client.ask("INCR", "default"));
  }

  @Test
  void incr_textTag_isAMismatch() {
    for (String tag : List.of("uuidv7", "uuidv4", "ulid", "random", "content")) {
      assertEquals(
          "ENGINE_MISMATCH engine: "
              + tag
              + " (expected: snowflake, segment, sequence: the ids of others are no 64-bit"
              + " numbers)",
          client.error("INCR", tag));
    }
  }

  @Test
  void incr_noSuchTag_isUnknown() {
    assertEquals("UNKNOWN_TAG tag: no (expected: one that was made)", client.error("INCR", "no"));
    assertTrue(client.error("INCR", "-no").startsWith("INVALID_TAG tag: -no (expected: "));
    assertTrue(client.error("INCR", "").startsWith("INVALID_TAG tag: empty (expected: "));
    assertTrue(client.error("INCR", "ä\r\n+OK").startsWith("INVALID_TAG tag: ä  +OK (expected: "));
    assertEquals("PONG", client.ask("PING"));
  }

  @Test
  void incrBy_segmentAndSequence_repliesTheLast() {
    for (String tag : List.of("segment", "sequence")) {
      assertEquals(10L, client.ask("INCRBY", tag, "10"));
      assertEquals(12L, client.ask("INCRBY", tag, "2"));
      assertEquals(13L, client.ask("INCRBY", tag, "1"));
      assertEquals(14L, client.ask("INCR", tag));
    }
  }

  @Test
  void incrBy_snowflake_isAMismatchButForOne() {
    assertEquals(
        "ENGINE_MISMATCH engine: snowflake (expected: segment, sequence: only their ids follow one"
            + " another)",
        client.error("INCRBY", "default", "2"));
    assertEquals(1L, client.ask("INCRBY", "default", "1"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "x", "", "1.5", "+1", "2147483648", "99999999999999999999"})
  void incrBy_noCount_isRefused(String count) {
    assertTrue(
        client.error("INCRBY", "segment", count).startsWith("INVALID_COUNT increment: "), count);
  }

  @Test
  void next_one_isABulkString() {
    assertEquals("1", client.ask("ID.NEXT", "default"));
    assertEquals("uuidv7-1", client.ask("ID.NEXT", "uuidv7"));
  }

  @Test
  void next_count_isAList() {
    assertEquals(List.of("1", "2", "3"), client.ask("ID.NEXT", "default", "COUNT", "3"));
    assertEquals(List.of("4"), client.ask("id.next", "default", "count", "1"));
    assertEquals(List.of("ulid-1", "ulid-2"), client.ask("ID.NEXT", "ulid", "COUNT", "2"));
    List<?> most = assertInstanceOf(List.class, client.ask("ID.NEXT", "segment", "COUNT", "10000"));
    assertEquals(IntStream.rangeClosed(1, 10_000).mapToObj(String::valueOf).toList(), most);
  }

  @Test
  void next_tagWithAText_isWrittenAsTheTagHasIt() {
    server.put(RespFixture.withText(TagRows.of("base", "segment"), "crockford", "o_"));
    Text text = Text.prefixed("o_", Text.CROCKFORD);
    assertEquals(text.encode(1), client.ask("ID.NEXT", "base"));
    assertEquals(
        List.of(text.encode(2), text.encode(3)), client.ask("ID.NEXT", "base", "COUNT", "2"));
    assertEquals(4L, client.ask("INCR", "base"));
  }

  /** Many of them are enciphered elsewhere, and keep their place all the same. */
  @Test
  void next_opaqueTag_isWrittenByItsKey() {
    server.put(RespFixture.withText(TagRows.of("hidden", "segment"), "opaque", ""));
    Text text = Text.prefixed("k_", Text.BASE62);
    for (int many : List.of(1, 16, 17, 1_000)) {
      long first = server.engine("hidden").next.get();
      client.command("ID.NEXT", "hidden", "COUNT", "" + many).command("PING");
      List<String> expected = LongStream.range(first, first + many).mapToObj(text::encode).toList();
      assertEquals(expected, client.reply());
      assertEquals("PONG", client.reply());
    }
  }

  @Test
  void next_overTheLimit_isNeverAShortReply() {
    assertEquals(
        "INVALID_COUNT count: 10001 (expected: 1..10000)",
        client.error("ID.NEXT", "default", "COUNT", "10001"));
    assertEquals(
        "INVALID_COUNT count: 0 (expected: 1..10000)",
        client.error("ID.NEXT", "default", "COUNT", "0"));
    assertEquals(1L, client.ask("INCR", "default"));
  }

  @Test
  void next_otherArguments_isASyntaxError() {
    assertEquals("ERR syntax error", client.error("ID.NEXT", "default", "COUNT"));
    assertEquals("ERR syntax error", client.error("ID.NEXT", "default", "LIMIT", "3"));
    assertEquals("ERR syntax error", client.error("ID.NEXT", "default", "COUNT", "3", "4"));
  }

  @ParameterizedTest
  @CsvSource({
    "INCR",
    "'INCR,a,b'",
    "'INCRBY,a'",
    "'INCRBY,a,1,2'",
    "ID.NEXT",
    "ID.INSPECT",
    "ECHO"
  })
  void command_otherNumberOfArguments_isRefused(String command) {
    String[] arguments = command.split(",");
    assertEquals(
        "ERR wrong number of arguments for '"
            + arguments[0].toLowerCase(java.util.Locale.ROOT)
            + "' command",
        client.error(arguments));
  }

  /** C81: each border through each command. */
  @Test
  void ids_atTheBordersOfNumbers_areExact() {
    for (long id : new long[] {1L << 31, 1L << 32, 1L << 53, (1L << 53) + 1, Long.MAX_VALUE - 2}) {
      server.engine("segment").next.set(id);
      assertEquals(id, client.ask("INCR", "segment"));
      assertEquals(String.valueOf(id + 1), client.ask("ID.NEXT", "segment"));
    }
    server.engine("segment").next.set(Long.MAX_VALUE - 1);
    assertEquals(Long.MAX_VALUE - 1, client.ask("INCR", "segment"));
    server.engine("segment").next.set(Long.MAX_VALUE);
    assertEquals(Long.MAX_VALUE, client.ask("INCR", "segment"));
    server.engine("segment").next.set(Long.MAX_VALUE - 9);
    assertEquals(Long.MAX_VALUE, client.ask("INCRBY", "segment", "10"));
    server.engine("segment").next.set(Long.MAX_VALUE - 1);
    assertEquals(
        List.of("9223372036854775806", "9223372036854775807"),
        client.ask("ID.NEXT", "segment", "COUNT", "2"));
    server.engine("segment").next.set(0);
    assertEquals(0L, client.ask("INCR", "segment"));
  }

  // ---- inspect

  @Test
  void inspect_ownId_tellsItsFields() {
    long id = RespFixture.LAYOUT.encode(92_000_000_123L, 7, 5);
    assertEquals(
        List.of(
            "kind",
            "snowflake",
            "id",
            "" + id,
            "time",
            "2026-11-30T19:33:20.123Z",
            "machine",
            7L,
            "sequence",
            5L),
        client.ask("ID.INSPECT", "" + id));
    client.ask("HELLO", "3");
    Map<?, ?> fields = assertInstanceOf(Map.class, client.ask("ID.INSPECT", "" + id));
    assertEquals("snowflake", fields.get("kind"));
    assertEquals(7L, fields.get("machine"));
  }

  @Test
  void inspect_textOfATag_isReadAsItWasWritten() {
    server.put(RespFixture.withText(TagRows.of("base", "snowflake"), "crockford", "o_"));
    long id = RespFixture.LAYOUT.encode(92_000_000_123L, 7, 5);
    client.ask("HELLO", "3");
    Map<?, ?> fields =
        assertInstanceOf(
            Map.class, client.ask("ID.INSPECT", Text.prefixed("o_", Text.CROCKFORD).encode(id)));
    assertEquals("" + id, fields.get("id"));
  }

  @Test
  void inspect_foreignText_tellsWhatItMostPlausiblyIs() {
    client.ask("HELLO", "3");
    Map<?, ?> fields =
        assertInstanceOf(
            Map.class, client.ask("ID.INSPECT", "0190a8e8-1c5a-7d5e-8c1a-0242ac120002"));
    assertEquals("uuid-v7", fields.get("kind"));
    assertEquals("2024-07-12T21:45:02.298Z", fields.get("time"));
  }

  @Test
  void inspect_noId_isInvalid() {
    assertTrue(client.error("ID.INSPECT", "abc").startsWith("INVALID_ID "));
    assertTrue(client.error("ID.INSPECT", "").startsWith("INVALID_ID "));
    assertTrue(client.error("ID.INSPECT", "9".repeat(60_000)).startsWith("INVALID_ID "));
  }

  // ---- what clients say when they connect

  @Test
  void hello_3_speaksMaps() {
    assertEquals(14, assertInstanceOf(List.class, client.ask("HELLO")).size());
    Map<?, ?> three = assertInstanceOf(Map.class, client.ask("HELLO", "3", "SETNAME", "app"));
    assertEquals("idgen", three.get("server"));
    assertEquals(3L, three.get("proto"));
    assertEquals("master", three.get("role"));
    assertEquals("app", client.ask("CLIENT", "GETNAME"));
    List<?> two = assertInstanceOf(List.class, client.ask("HELLO", "2"));
    assertEquals(2L, two.get(5));
    assertEquals(three.get("id"), two.get(7));
  }

  @Test
  void hello_other_isRefusedAndChangesNothing() {
    assertEquals("NOPROTO unsupported protocol version", client.error("HELLO", "4"));
    assertEquals("NOPROTO unsupported protocol version", client.error("HELLO", "x"));
    assertEquals(
        "ERR syntax error in HELLO option 'SETNAME'", client.error("HELLO", "3", "SETNAME"));
    assertTrue(client.error("HELLO", "3", "SETNAME", "a b").startsWith("ERR Client names cannot"));
    assertInstanceOf(List.class, client.ask("HELLO"));
  }

  @Test
  void ping_andEcho_sendBack() {
    assertEquals("PONG", client.ask("PING"));
    assertEquals("hi there", client.ask("PING", "hi there"));
    assertEquals("ä\r\n", client.ask("ECHO", "ä\r\n"));
    assertEquals(
        "ERR wrong number of arguments for 'ping' command", client.error("PING", "a", "b"));
  }

  @Test
  void select_0_isTheOnlyOne() {
    assertEquals("OK", client.ask("SELECT", "0"));
    assertEquals("ERR DB index is out of range", client.error("SELECT", "1"));
  }

  @Test
  void client_commands_areAnswered() {
    assertNull(client.ask("CLIENT", "GETNAME"));
    assertEquals("OK", client.ask("CLIENT", "SETNAME", "worker-1"));
    assertEquals("worker-1", client.ask("CLIENT", "GETNAME"));
    assertEquals("OK", client.ask("CLIENT", "SETINFO", "LIB-NAME", "jedis"));
    assertEquals("OK", client.ask("client", "setinfo", "lib-ver", "6.0.0"));
    assertTrue(assertInstanceOf(Long.class, client.ask("CLIENT", "ID")) > 0);
    assertEquals(
        "ERR unknown subcommand or wrong number of arguments for 'TRACKING'",
        client.error("CLIENT", "TRACKING", "ON"));
    assertTrue(client.error("CLIENT", "SETNAME", "a b").startsWith("ERR Client names cannot"));
  }

  @Test
  void client_id_isAnotherForEachConnection() {
    try (RespClient other = server.client()) {
      assertNotEquals(client.ask("CLIENT", "ID"), other.ask("CLIENT", "ID"));
    }
  }

  @Test
  void command_tellsOfEachThatThereIs() {
    List<?> all = assertInstanceOf(List.class, client.ask("COMMAND"));
    assertEquals((long) all.size(), client.ask("COMMAND", "COUNT"));
    List<?> incr = assertInstanceOf(List.class, all.get(0));
    assertEquals(List.of("incr", 2L, List.of("write", "fast"), 1L, 1L, 1L), incr.subList(0, 6));
    List<?> names = assertInstanceOf(List.class, client.ask("COMMAND", "LIST"));
    for (Object name : names) {
      try (RespClient one = server.client()) {
        Object reply = one.ask(name.toString(), "1", "2", "3", "4");
        assertFalse(String.valueOf(reply).contains("unknown command"), name + " -> " + reply);
      }
    }
    List<?> some = assertInstanceOf(List.class, client.ask("COMMAND", "INFO", "incr", "get"));
    assertEquals(Arrays.asList(incr, null), some);
  }

  @Test
  void commandDocs_namesWithWhatTheyDo() {
    client.ask("HELLO", "3");
    Map<?, ?> docs = assertInstanceOf(Map.class, client.ask("COMMAND", "DOCS"));
    assertEquals(client.ask("COMMAND", "COUNT"), (long) docs.size());
    Map<?, ?> one = assertInstanceOf(Map.class, client.ask("COMMAND", "DOCS", "INCR", "GET"));
    Map<?, ?> incr = assertInstanceOf(Map.class, one.get("incr"));
    assertEquals("Issues one id, as an integer.", incr.get("summary"));
    assertEquals(1, one.size());
  }

  @Test
  void config_get_isHarmless() {
    assertEquals(List.of("save", ""), client.ask("CONFIG", "GET", "save"));
    assertEquals(List.of("appendonly", "no"), client.ask("config", "get", "appendonly"));
    assertEquals(List.of(), client.ask("CONFIG", "GET", "dir"));
    assertTrue(client.error("CONFIG", "SET", "dir", "/tmp").startsWith("ERR unknown subcommand"));
  }

  @Test
  void info_tellsThatItIsLoaded() {
    String info = assertInstanceOf(String.class, client.ask("INFO"));
    assertTrue(info.contains("loading:0\r\n"), info);
    assertTrue(info.contains("role:master\r\n"), info);
    assertTrue(info.contains("server_name:idgen\r\n"), info);
    assertInstanceOf(String.class, client.ask("INFO", "server"));
  }

  @Test
  void quit_isAnsweredAndEnds() {
    client.command("INCR", "default").command("QUIT").command("INCR", "default");
    assertEquals(":1\r\n+OK\r\n", client.untilClosed());
    assertEquals(2, server.engine("default").next.get());
  }

  @Test
  void anythingElse_isUnknown() {
    assertEquals("ERR unknown command 'GET'", client.error("GET", "a"));
    assertEquals("ERR unknown command 'fl  ushall'", client.error("fl\r\nushall"));
    assertTrue(client.error("x".repeat(60_000)).endsWith("..."));
    assertEquals("PONG", client.ask("PING"));
  }

  @Test
  void inline_words_areCommands() {
    client.send("incr default\r\nID.NEXT default COUNT 2\nPING\r\n\r\n");
    assertEquals(1L, client.reply());
    assertEquals(List.of("2", "3"), client.reply());
    assertEquals("PONG", client.reply());
  }

  // ---- refusals

  @ParameterizedTest
  @CsvSource({
    "NO_LEASE",
    "CLOCK_BACKWARD",
    "CLOCK_AHEAD",
    "STORE_UNAVAILABLE",
    "DRAINING",
    "EXHAUSTED",
    "DEADLINE",
    "OVERLOADED"
  })
  void refusal_ofTheEngine_isItsWord(Reason reason) {
    server.engine("segment").refuse(reason, "why: so (expected: not)", 0);
    assertEquals(reason + " why: so (expected: not)", client.error("INCR", "segment"));
    assertEquals(reason + " why: so (expected: not)", client.error("INCRBY", "segment", "2"));
    assertEquals(reason + " why: so (expected: not)", client.error("ID.NEXT", "segment"));
  }

  @Test
  void refusal_thatPasses_saysWhenToComeBack() {
    server.engine("segment").refuse(Reason.STORE_UNAVAILABLE, "store: away", 400);
    assertEquals("STORE_UNAVAILABLE store: away; again in 400 ms", client.error("INCR", "segment"));
  }

  @Test
  void fault_ofTheServer_tellsNothingOfItsInside() {
    server.engine("segment").fault = new IllegalStateException("secret");
    try (LogLines log = new LogLines()) {
      assertEquals("ERR the server failed; its log tells more", client.error("INCR", "segment"));
      assertEquals(1, log.count("command failed"), log.all() + "");
    }
  }

  @Test
  void requests_ofThisTransport_areCounted() {
    client.ask("INCR", "segment");
    client.ask("ID.NEXT", "segment", "COUNT", "3");
    client.ask("INCR", "no");
    client.ask("INCR");
    var meter = server.service.tag(Caller.ANYBODY, "segment").meter();
    assertEquals(2, meter.served());
    assertEquals(4, meter.ids());
    assertEquals(1, server.service.meters().withoutTag(ServiceReason.UNKNOWN_TAG));
    assertEquals(1, server.service.meters().withoutTag(ServiceReason.INVALID_BODY));
    long[] counts = server.service.meters().durations(EngineKind.SEGMENT).counts();
    assertEquals(2, LongStream.of(counts).sum());
  }

  @Test
  void words_ofAllReasons_areInTheCatalogue() {
    Map<ServiceReason, String> others = new HashMap<>();
    others.put(ServiceReason.UNAUTHENTICATED, "NOAUTH");
    others.put(ServiceReason.FORBIDDEN, "NOPERM");
    others.put(ServiceReason.INTERNAL, "ERR");
    for (ServiceReason reason : ServiceReason.values()) {
      assertEquals(others.getOrDefault(reason, reason.name()), Words.of(reason));
    }
  }
}
