package dev.idgen.server.main;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.grpc.v1.IdServiceGrpc;
import dev.idgen.grpc.v1.NextIDRequest;
import dev.idgen.layout.Layouts;
import dev.idgen.server.config.ConfigLoader;
import dev.idgen.server.main.Protocol.Outcome;
import dev.idgen.time.TimeSource;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The same request through each protocol of one server: the same kind of ids, the same reason, the
 * same metrics. What no real engine can be brought to do at will is in {@link
 * ProtocolRefusalsTest}.
 */
class ProtocolsTest {
  private static final String TOKEN = "a-token-of-the-web-shop";
  private static final String ADMIN = "a-token-of-the-operator";
  private static final String NO_TOKEN = "";

  @TempDir private static Path folder;

  private static IdgenServer idgen;
  private static ManagedChannel channel;
  private static Protocol.Server server;

  @BeforeAll
  static void start() throws Exception {
    Path tokens =
        Files.writeString(
            folder.resolve("tokens.yaml"),
            "- {name: web, token: "
                + TOKEN
                + ", tags: [default, 'm.*', none]}\n- {name: ops, token: "
                + ADMIN
                + ", rights: [admin]}\n");
    Path keys =
        Files.writeString(
            folder.resolve("keys.yaml"), "- {name: k, key: " + "5a".repeat(32) + "}\n");
    Map<String, String> flags =
        Map.of(
            "http-port",
            "0",
            "resp-port",
            "0",
            "data",
            folder.resolve("data").toString(),
            "auth.tokens",
            tokens.toString(),
            "opaque.keys",
            keys.toString());
    idgen =
        new IdgenServer(
            ConfigLoader.load(Map.of(), flags, folder, TimeSource.system().wallMillis()));
    idgen.start().toCompletableFuture().get(60, TimeUnit.SECONDS);
    channel = NettyChannelBuilder.forAddress("127.0.0.1", idgen.httpPort()).usePlaintext().build();
    server = new Protocol.Server(idgen.httpPort(), idgen.respPort(), channel);
    put("m.segment", "{\"engine\":\"segment\",\"text\":\"crockford\",\"prefix\":\"s_\"}");
    put("m.marked", "{\"engine\":\"segment\",\"text\":\"crockford\",\"prefix\":\"s7_\"}");
    put("m.sequence", "{\"engine\":\"sequence\"}");
    put("m.plain", "{\"engine\":\"segment\"}");
    put("m.opaque", "{\"engine\":\"segment\",\"text\":\"opaque\"}");
    put("m.uuidv7", "{\"engine\":\"uuidv7\"}");
    put("m.ulid", "{\"engine\":\"ulid\"}");
    put("m.content", "{\"engine\":\"content\"}");
    put("m.slow", "{\"engine\":\"segment\",\"ratePerSecond\":1,\"burst\":1}");
    put("m.small", "{\"engine\":\"segment\",\"maximum\":\"2\"}");
    put("m.end", "{\"engine\":\"segment\",\"maximum\":\"1\"}");
    put("other", "{}");
  }

  @AfterAll
  static void stop() throws InterruptedException {
    channel.shutdownNow().awaitTermination(20, TimeUnit.SECONDS);
    idgen.stop();
  }

  private static void put(String tag, String body) throws Exception {
    HttpResponse<String> made = server.http("PUT", "/admin/tags/" + tag, body, ADMIN);
    assertEquals(201, made.statusCode(), made.body());
  }

  private static double requests(String tag, String engine, String status) throws Exception {
    return server.requests(tag, engine, status, ADMIN);
  }

  private static double ids(String tag, String engine) throws Exception {
    return server.ids(tag, engine, ADMIN);
  }

  /** No protocol tells those who may not know a tag how it writes its ids. */
  @ParameterizedTest
  @EnumSource(
      value = Protocol.class,
      names = {"HTTP", "GRPC", "RESP"})
  void inspect_textOfATag_isReadForWhoMayKnowTheTag(Protocol protocol) throws Exception {
    String id = protocol.one(server, "m.marked", TOKEN).ids().get(0);
    assertEquals(Protocol.OK, protocol.inspect(server, id, TOKEN));
    assertEquals("INVALID_ID", protocol.inspect(server, id, ADMIN));
    assertEquals(
        protocol == Protocol.RESP ? "UNAUTHENTICATED" : "INVALID_ID",
        protocol.inspect(server, id, NO_TOKEN));
  }

  @ParameterizedTest
  @CsvSource({
    "default,snowflake,'[0-9]{18}',true",
    "m.segment,segment,'s_[0-9A-HJKMNP-TV-Z]{13}',false",
    "m.plain,segment,'[0-9]{1,6}',true",
    "m.sequence,sequence,'[0-9]{1,6}',true",
    "m.uuidv7,uuidv7,'[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}',false",
    "m.ulid,ulid,'[0-7][0-9A-HJKMNP-TV-Z]{25}',false",
  })
  void ids_eachProtocol_areOfTheSameKindInOrderAndCountedAlike(
      String tag, String engine, String pattern, boolean decimal) throws Exception {
    Set<String> all = new HashSet<>();
    String last = "";
    for (Protocol protocol : Protocol.values()) {
      for (int count : protocol == Protocol.LEAF ? new int[] {1} : new int[] {1, 50}) {
        if (!decimal && !protocol.texts()) {
          continue;
        }
        double requestsBefore = requests(tag, engine, Protocol.OK);
        double idsBefore = ids(tag, engine);
        Outcome outcome =
            count == 1
                ? protocol.one(server, tag, TOKEN)
                : protocol.batch(server, tag, count, TOKEN);
        assertEquals(Protocol.OK, outcome.reason(), protocol.name());
        assertEquals(count, outcome.ids().size());
        for (String id : outcome.ids()) {
          assertTrue(id.matches(pattern), protocol + ": " + id);
          assertTrue(all.add(id), protocol + " twice: " + id);
          assertTrue(last.length() < id.length() || last.compareTo(id) < 0, last + " then " + id);
          last = id;
        }
        assertEquals(requestsBefore + 1, requests(tag, engine, Protocol.OK), protocol.name());
        assertEquals(idsBefore + count, ids(tag, engine), protocol.name());
      }
    }
  }

  /** Fifty are enciphered on another thread than one. */
  @Test
  void ids_opaque_eachProtocolHidesTheNumber() throws Exception {
    Set<String> all = new HashSet<>();
    for (Protocol protocol : Protocol.values()) {
      if (protocol.texts()) {
        double idsBefore = ids("m.opaque", "segment");
        all.addAll(protocol.one(server, "m.opaque", TOKEN).ids());
        all.addAll(protocol.batch(server, "m.opaque", 50, TOKEN).ids());
        assertEquals(idsBefore + 51, ids("m.opaque", "segment"), protocol.name());
      }
      double before = requests("m.opaque", "segment", "FORBIDDEN");
      Outcome number = protocol.number(server, "m.opaque", TOKEN);
      assertEquals(protocol.told("FORBIDDEN"), number.reason(), protocol.name());
      assertEquals(before + 1, requests("m.opaque", "segment", "FORBIDDEN"), protocol.name());
    }
    assertEquals(3 * 51, all.size());
    assertTrue(all.stream().allMatch(id -> id.matches("k[0-9A-Za-z]{11}")), all.toString());
  }

  /** The Redis protocol has no words for a content, nor have those of Leaf and TinyID. */
  @Test
  void ids_ofOneContent_areTheSame() throws Exception {
    String body = "{\"tag\":\"m.content\",\"content\":\"a\",\"namespace\":\"url\"}";
    String id = new JsonObject(server.http("POST", "/ids", body, TOKEN).body()).getString("id");
    Metadata sent = new Metadata();
    sent.put(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + TOKEN);
    NextIDRequest asked =
        NextIDRequest.newBuilder()
            .setBizTag("m.content")
            .setContent("a")
            .setNamespace("url")
            .build();
    assertEquals(
        id,
        IdServiceGrpc.newBlockingStub(channel)
            .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(sent))
            .nextID(asked)
            .getText());
  }

  @ParameterizedTest
  @CsvSource({
    "none,1,token,UNKNOWN_TAG,'',''",
    "m.*,1,token,INVALID_TAG,'',''",
    "m.segment,0,token,INVALID_COUNT,m.segment,segment",
    "m.segment,-1,token,INVALID_COUNT,m.segment,segment",
    "m.segment,10001,token,INVALID_COUNT,m.segment,segment",
    "m.slow,2,token,INVALID_COUNT,m.slow,segment",
    "m.content,2,token,INVALID_COUNT,m.content,content",
    "m.content,1,token,INVALID_BODY,m.content,content",
    "other,1,token,FORBIDDEN,'',''",
    "default,1,none,UNAUTHENTICATED,'',''",
    "default,1,wrong,UNAUTHENTICATED,'',''",
    "m.small,5,token,EXHAUSTED,m.small,segment",
  })
  void refusal_eachProtocol_hasTheSameReasonAndIsCountedAlike(
      String tag, int count, String bearer, String reason, String countedTag, String engine)
      throws Exception {
    String token =
        switch (bearer) {
          case "none" -> NO_TOKEN;
          case "wrong" -> "another-token-that-nobody-has";
          default -> TOKEN;
        };
    boolean everywhere = count == 1 && !engine.equals("content");
    for (Protocol protocol : Protocol.values()) {
      if (!protocol.texts() && !everywhere) {
        continue; // one of them has no counts, the other one cuts them; neither has contents
      }
      double before = requests(countedTag, engine, reason);
      Outcome outcome =
          protocol == Protocol.LEAF
              ? protocol.one(server, tag, token)
              : protocol.batch(server, tag, count, token);
      assertEquals(protocol.told(reason), outcome.reason(), protocol.name());
      // In Redis' protocol a token that nobody has is refused by AUTH, before any request for ids.
      boolean byAuth = protocol == Protocol.RESP && bearer.equals("wrong");
      double expected = before + (byAuth ? 0 : 1);
      assertEquals(expected, requests(countedTag, engine, reason), protocol.name());
    }
  }

  /** One id alone, of the tags of the test before. */
  @ParameterizedTest
  @CsvSource({
    "none,UNKNOWN_TAG,'',''",
    "m.*,INVALID_TAG,'',''",
    "other,FORBIDDEN,'',''",
    "m.end,EXHAUSTED,m.end,segment",
  })
  void refusalOfOneId_eachProtocol_hasTheSameReasonAndIsCountedAlike(
      String tag, String reason, String countedTag, String engine) throws Exception {
    if (tag.equals("m.end")) {
      var unused = Protocol.HTTP.one(server, tag, TOKEN); // the one that it has
    }
    for (Protocol protocol : Protocol.values()) {
      double before = requests(countedTag, engine, reason);
      Outcome outcome = protocol.one(server, tag, TOKEN);
      assertEquals(protocol.told(reason), outcome.reason(), protocol.name());
      assertEquals(before + 1, requests(countedTag, engine, reason), protocol.name());
    }
  }

  @ParameterizedTest
  @CsvSource({"m.uuidv7,uuidv7", "m.content,content"})
  void number_ofIdsThatAreNone_isAMismatchInEachProtocol(String tag, String engine)
      throws Exception {
    for (Protocol protocol : Protocol.values()) {
      double before = requests(tag, engine, "ENGINE_MISMATCH");
      Outcome outcome = protocol.number(server, tag, TOKEN);
      assertEquals("ENGINE_MISMATCH", outcome.reason(), protocol.name());
      assertEquals(before + 1, requests(tag, engine, "ENGINE_MISMATCH"), protocol.name());
    }
  }

  /** Whichever protocol used a tag's rate up, all are told so. */
  @ParameterizedTest
  @EnumSource(value = Protocol.class, names = "LEAF", mode = EnumSource.Mode.EXCLUDE)
  void rate_isOneForAllProtocols(Protocol first) throws Exception {
    String tag = "m.rate." + first;
    put(tag, "{\"engine\":\"segment\",\"ratePerSecond\":1,\"burst\":1000}");
    assertEquals(Protocol.OK, first.batch(server, tag, 1000, TOKEN).reason());
    for (Protocol protocol : Protocol.values()) {
      if (protocol != Protocol.LEAF) {
        Outcome outcome = protocol.batch(server, tag, 1000, TOKEN);
        assertEquals("RATE_LIMITED", outcome.reason(), protocol.name());
      }
    }
  }

  /** C84: read by the layout, through each protocol, the time is that of the issue. */
  @ParameterizedTest
  @EnumSource(Protocol.class)
  void ids_eachProtocol_bearTheTimeOfTheirIssue(Protocol protocol) throws Exception {
    long before = TimeSource.system().wallMillis();
    long id = Long.parseLong(protocol.one(server, "default", TOKEN).ids().get(0));
    long made = Layouts.IDGEN.timeOf(id).toEpochMilli();
    long after = TimeSource.system().wallMillis();
    assertTrue(made >= before - 1 && made <= after + 1, protocol + ": " + made);
  }
}
