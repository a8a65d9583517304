package dev.idgen.server.grpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.idgen.grpc.v1.BatchNextIDRequest;
import dev.idgen.grpc.v1.NextIDRequest;
import dev.idgen.grpc.v1.NextIDResponse;
import dev.idgen.server.http.HttpFixture;
import dev.idgen.server.http.RawHttp2;
import dev.idgen.server.http.RawHttp2.Frame;
import dev.idgen.server.log.LogLines;
import dev.idgen.server.service.Callers;
import dev.idgen.server.service.EngineHealth;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.reflection.v1.ServerReflectionRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that send what they should not, frame by frame. */
class GrpcAbuseTest {
  private static final String NEXT = "/idgen.v1.IdService/NextID";
  private static final int CANCEL = 8;

  private final GrpcFixture server =
      new GrpcFixture(HttpFixture.HASTY, GrpcFixture.LIMITS, Callers.OPEN, true);

  @AfterEach
  void stop() {
    assertTrue(server.ids().nextID(one()).getId() > 0); // it served on, whatever came
    server.close();
  }

  private static NextIDRequest one() {
    return NextIDRequest.newBuilder().setBizTag("default").build();
  }

  private RawHttp2 connect() {
    return RawHttp2.connect(server.http.port);
  }

  private static byte[] head(String path, String... more) {
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put(":method", "POST");
    fields.put(":scheme", "http");
    fields.put(":path", path);
    fields.put(":authority", "localhost");
    fields.put("content-type", "application/grpc");
    fields.put("te", "trailers");
    for (int i = 0; i < more.length; i += 2) {
      fields.put(more[i], more[i + 1]);
    }
    return RawHttp2.fields(fields);
  }

  private static byte[] message(int flag, byte[] bytes) {
    byte[] message = new byte[5 + bytes.length];
    message[0] = (byte) flag;
    message[1] = (byte) (bytes.length >> 24);
    message[2] = (byte) (bytes.length >> 16);
    message[3] = (byte) (bytes.length >> 8);
    message[4] = (byte) bytes.length;
    System.arraycopy(bytes, 0, message, 5, bytes.length);
    return message;
  }

  private static RawHttp2 call(RawHttp2 client, int stream, byte[] head, byte[] body) {
    client.frame(RawHttp2.HEADERS, RawHttp2.END_HEADERS, stream, head);
    return client.frame(RawHttp2.DATA, RawHttp2.END_STREAM, stream, body);
  }

  private static String status(List<Frame> reply) {
    return last(reply).field("grpc-status");
  }

  private static Frame last(List<Frame> reply) {
    return reply.get(reply.size() - 1);
  }

  private static long id(List<Frame> reply) {
    try {
      byte[] bytes =
          reply.stream().filter(f -> f.type() == RawHttp2.DATA).findFirst().orElseThrow().payload();
      return NextIDResponse.parseFrom(Arrays.copyOfRange(bytes, 5, bytes.length)).getId();
    } catch (InvalidProtocolBufferException e) {
      throw new AssertionError(e);
    }
  }

  private static byte[] gzip(byte[] bytes) {
    ByteArrayOutputStream zipped = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(zipped)) {
      out.write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return zipped.toByteArray();
  }

  @Test
  void call_byHand_isServed() {
    try (RawHttp2 client = connect()) {
      List<Frame> reply = call(client, 1, head(NEXT), message(0, one().toByteArray())).reply(1);

      assertEquals("200", reply.get(0).field(":status"));
      assertEquals("application/grpc", reply.get(0).field("content-type"));
      assertEquals("0", status(reply));
      assertTrue(id(reply) > 0);
    }
  }

  @Test
  void message_inManyPieces_isServed() {
    try (RawHttp2 client = connect()) {
      client.frame(RawHttp2.HEADERS, RawHttp2.END_HEADERS, 1, head(NEXT));
      for (byte b : message(0, one().toByteArray())) {
        client.frame(RawHttp2.DATA, 0, 1, b);
      }
      client.frame(RawHttp2.DATA, RawHttp2.END_STREAM, 1);

      assertTrue(id(client.reply(1)) > 0);
    }
  }

  @Test
  void message_compressed_isServed() {
    try (RawHttp2 client = connect()) {
      byte[] head = head(NEXT, "grpc-encoding", "gzip");

      byte[] body = message(1, gzip(one().toByteArray()));
      assertTrue(id(call(client, 1, head, body).reply(1)) > 0);
      assertTrue(id(call(client, 3, head, message(0, one().toByteArray())).reply(3)) > 0);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "gzip, 1, 3", // no gzip at all
    "'', 1, 3", // says that it is compressed, and not how
    "identity, 1, 3",
    "snappy, 0, 12",
    "snappy, 1, 12",
  })
  void message_compressedInAnotherWay_isRefused(String encoding, int flag, String status) {
    try (RawHttp2 client = connect()) {
      byte[] head = encoding.isEmpty() ? head(NEXT) : head(NEXT, "grpc-encoding", encoding);

      List<Frame> reply = call(client, 1, head, message(flag, new byte[] {1, 2, 3})).reply(1);

      assertEquals(status, status(reply));
    }
  }

  @Test
  void message_thatInflates_isTooLarge() {
    try (RawHttp2 client = connect()) {
      byte[] bomb = gzip(new byte[20 << 20]);
      assertTrue(bomb.length < 64 << 10);
      client.frame(RawHttp2.HEADERS, RawHttp2.END_HEADERS, 1, head(NEXT, "grpc-encoding", "gzip"));
      byte[] body = message(1, bomb);
      for (int at = 0; at < body.length; at += 16_000) {
        client.frame(
            RawHttp2.DATA, 0, 1, Arrays.copyOfRange(body, at, Math.min(body.length, at + 16_000)));
      }
      List<Frame> reply = client.frame(RawHttp2.DATA, RawHttp2.END_STREAM, 1).reply(1);

      assertEquals("8", status(reply));
    }
  }

  @Test
  void message_tooLarge_isRefusedBeforeItIsSent() {
    try (RawHttp2 client = connect()) {
      client.frame(RawHttp2.HEADERS, RawHttp2.END_HEADERS, 1, head(NEXT));
      List<Frame> reply =
          client
              .frame(RawHttp2.DATA, 0, 1, (byte) 0, (byte) 0x7f, (byte) 0, (byte) 0, (byte) 0)
              .reply(1);

      assertEquals("8", status(reply));
      assertEquals(
          "message: over the limit (expected: at most 65536 bytes)",
          last(reply).field("grpc-message"));
      Frame reset = client.await(frame -> frame.type() == RawHttp2.RST_STREAM);
      assertEquals(0, reset.code());
      assertEquals(
          "0", status(call(client, 3, head(NEXT), message(0, one().toByteArray())).reply(3)));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 4, 5, 8})
  void request_endsWithinItsMessage_isRefused(int bytes) {
    try (RawHttp2 client = connect()) {
      byte[] part = Arrays.copyOf(message(0, one().toByteArray()), bytes);

      assertEquals("3", status(call(client, 1, head(NEXT), part).reply(1)));
    }
  }

  @Test
  void request_endsWithItsHead_isRefused() {
    try (RawHttp2 client = connect()) {
      int whole = RawHttp2.END_HEADERS | RawHttp2.END_STREAM;
      assertEquals("3", status(client.frame(RawHttp2.HEADERS, whole, 1, head(NEXT)).reply(1)));
    }
  }

  @Test
  void request_twoMessages_isRefused() {
    try (RawHttp2 client = connect()) {
      byte[] message = message(0, one().toByteArray());
      byte[] two = Arrays.copyOf(message, 2 * message.length);
      System.arraycopy(message, 0, two, message.length, message.length);

      assertEquals("3", status(call(client, 1, head(NEXT), two).reply(1)));
    }
  }

  @Test
  void message_noProtobuf_isRefused() {
    try (RawHttp2 client = connect()) {
      List<Frame> reply = call(client, 1, head(NEXT), message(0, new byte[] {-1, -1, -1})).reply(1);

      assertEquals("3", status(reply));
      assertFalse(last(reply).field("grpc-status-details-bin").isEmpty());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/idgen.v1.IdService/Other",
        "/idgen.v1.IdService/",
        "/idgen.v1.IdService",
        "/",
        "//",
        "/a/b/c",
        "/idgen.v1.IdService/NextID/",
        "/idgen.v1.idservice/nextid",
        "*"
      })
  void method_unknown_isUnimplemented(String path) {
    try (RawHttp2 client = connect()) {
      List<Frame> reply = call(client, 1, head(path), message(0, one().toByteArray())).reply(1);

      assertEquals("12", status(reply), reply.toString());
    }
  }

  @ParameterizedTest
  @CsvSource({
    "application/grpc-web, 415",
    "application/grpc+json, 415",
    "application/grpc+thrift, 415",
    "application/grpcx, 415",
    "application/json, 404"
  })
  void contentType_other_isRefusedByHttp(String type, String status) {
    try (RawHttp2 client = connect()) {
      Map<String, String> fields = new LinkedHashMap<>();
      fields.put(":method", "POST");
      fields.put(":scheme", "http");
      fields.put(":path", NEXT);
      fields.put("content-type", type);
      List<Frame> reply =
          call(client, 1, RawHttp2.fields(fields), message(0, one().toByteArray())).reply(1);

      assertEquals(status, reply.get(0).field(":status"));
    }
  }

  @Test
  void method_notPost_isRefusedByHttp() {
    try (RawHttp2 client = connect()) {
      Map<String, String> fields = new LinkedHashMap<>();
      fields.put(":method", "GET");
      fields.put(":scheme", "http");
      fields.put(":path", NEXT);
      fields.put("content-type", "application/grpc");
      int whole = RawHttp2.END_HEADERS | RawHttp2.END_STREAM;
      List<Frame> reply =
          client.frame(RawHttp2.HEADERS, whole, 1, RawHttp2.fields(fields)).reply(1);

      assertEquals("405", reply.get(0).field(":status"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "1", "S", "123456789S", "1.5S", "-1S", "1s", "1 S"})
  void timeout_malformed_isRefused(String timeout) {
    try (RawHttp2 client = connect()) {
      byte[] head = head(NEXT, "grpc-timeout", timeout);

      assertEquals("3", status(call(client, 1, head, message(0, one().toByteArray())).reply(1)));
    }
  }

  @Test
  void timeout_hasPassed_isExceededAndNothingIsIssued() {
    long before = server.engine().next.get();
    try (RawHttp2 client = connect()) {
      for (String timeout : List.of("0S", "1n")) {
        byte[] head = head(NEXT, "grpc-timeout", timeout);
        int stream = timeout.equals("0S") ? 1 : 3;
        assertEquals(
            "4", status(call(client, stream, head, message(0, one().toByteArray())).reply(stream)));
      }
    }
    assertEquals(before, server.engine().next.get());
  }

  @Test
  void timeout_shorterThanTheWait_isExceededAndTheCallIsNotHeld() throws Exception {
    server.engine().hold = true;
    try (RawHttp2 client = connect()) {
      byte[] head = head(NEXT, "grpc-timeout", "50m");
      List<Frame> reply = call(client, 1, head, message(0, one().toByteArray())).reply(1);

      assertEquals("4", status(reply));
      assertTrue(last(reply).field("grpc-message").contains("50m"), reply.toString());
      server.engine().heldCall().complete(server.engine().batch(1)); // too late: a gap

      server.engine().hold = false;
      assertEquals("0", status(call(client, 3, head, message(0, one().toByteArray())).reply(3)));
    }
  }

  private double counted(String series) {
    return server
        .http
        .get("/metrics")
        .body()
        .lines()
        .filter(line -> line.startsWith(series + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(series.length() + 1)))
        .sum();
  }

  /** Its ids are kept under the key, and counted; the call is one that was refused. */
  @Test
  void timeout_passesUnderAKey_isCountedAsSuchAndTheKeyHasItsIds() throws Exception {
    String requests = "idgen_requests_total{biz_tag=\"default\",engine=\"snowflake\",status=\"";
    server.engine().hold = true;
    try (RawHttp2 client = connect()) {
      byte[] head = head(NEXT, "grpc-timeout", "50m", "idempotency-key", "k");
      assertEquals("4", status(call(client, 1, head, message(0, one().toByteArray())).reply(1)));
      long first = server.engine().next.get();
      server.engine().heldCall().complete(server.engine().batch(1));
      server.engine().hold = false;

      assertEquals(1, counted(requests + "DEADLINE\"}"));
      assertEquals(0, counted(requests + "OK\"}"));
      assertEquals(1, counted("idgen_ids_issued_total{biz_tag=\"default\",engine=\"snowflake\"}"));
      byte[] again = head(NEXT, "idempotency-key", "k");
      assertEquals(first, id(call(client, 3, again, message(0, one().toByteArray())).reply(3)));
      assertEquals(1, counted(requests + "OK\"}"));
    }
  }

  @Test
  void key_givenTwice_isRefused() {
    try (RawHttp2 client = connect()) {
      byte[] one = head(NEXT, "idempotency-key", "k");
      byte[] more = RawHttp2.fields(Map.of("idempotency-key", "l"));
      byte[] both = Arrays.copyOf(one, one.length + more.length);
      System.arraycopy(more, 0, both, one.length, more.length);

      List<Frame> reply = call(client, 1, both, message(0, one().toByteArray())).reply(1);

      assertEquals("3", status(reply));
      assertEquals(
          "idempotency-key: given twice (expected: once)", last(reply).field("grpc-message"));
    }
  }

  @Test
  void timeout_passesWhileIdsAreEnciphered_isExceeded() {
    String hidden = "{\"text\":\"opaque\"}";
    server.http.send("PUT", "/admin/tags/hidden", hidden, "content-type", "application/json");
    server.http.opaque("hidden").hold();
    try (RawHttp2 client = connect()) {
      byte[] head = head("/idgen.v1.IdService/BatchNextID", "grpc-timeout", "50m");
      byte[] hundred =
          BatchNextIDRequest.newBuilder().setBizTag("hidden").setCount(100).build().toByteArray();

      assertEquals("4", status(call(client, 1, head, message(0, hundred)).reply(1)));
      assertEquals(200, server.http.get("/metrics").statusCode());
    } finally {
      server.http.opaque("hidden").letGo();
    }
  }

  @Test
  void call_cancelled_isForgotten() throws Exception {
    server.engine().hold = true;
    try (LogLines log = new LogLines();
        RawHttp2 client = connect()) {
      call(client, 1, head(NEXT), message(0, one().toByteArray()));
      var held = server.engine().heldCall();
      client.frame(RawHttp2.RST_STREAM, 0, 1, (byte) 0, (byte) 0, (byte) 0, (byte) CANCEL);
      client.frame(RawHttp2.PING, 0, 0, new byte[8]);
      client.await(frame -> frame.type() == RawHttp2.PING);
      held.complete(server.engine().batch(1));
      server.engine().hold = false;

      assertEquals(
          "0", status(call(client, 3, head(NEXT), message(0, one().toByteArray())).reply(3)));
      assertEquals(List.of(), log.all());
    }
  }

  @Test
  void connection_goneWhileACallWaits_isForgotten() throws Exception {
    server.engine().hold = true;
    try (LogLines log = new LogLines()) {
      RawHttp2 client = connect();
      call(client, 1, head(NEXT), message(0, one().toByteArray()));
      var held = server.engine().heldCall();
      client.close();
      held.complete(server.engine().batch(1));
      server.engine().hold = false;
      assertTrue(server.ids().nextID(one()).getId() > 0);
      assertEquals(List.of(), log.all());
    }
  }

  @Test
  void request_neverEnds_isReset() {
    try (RawHttp2 client = connect()) {
      client.frame(RawHttp2.HEADERS, RawHttp2.END_HEADERS, 1, head(NEXT));
      client.frame(RawHttp2.DATA, 0, 1, (byte) 0);

      Frame last = client.reply(1).get(0);
      assertEquals(RawHttp2.RST_STREAM, last.type());
      assertEquals(CANCEL, last.code());
    }
  }

  @Test
  void reply_notFetched_isReset() {
    try (RawHttp2 client = RawHttp2.connect(server.http.port, 4, 0)) { // a window of nothing
      byte[] many =
          BatchNextIDRequest.newBuilder()
              .setBizTag("default")
              .setCount(10_000)
              .build()
              .toByteArray();
      call(client, 1, head("/idgen.v1.IdService/BatchNextID"), message(0, many));

      List<Frame> reply = client.reply(1);
      assertEquals("200", reply.get(0).field(":status"));
      assertEquals(CANCEL, last(reply).code());
    }
  }

  @Test
  void replies_tooManyThatAreNotFetched_holdOffOthersUntilTheyAreReset() {
    GrpcLimits small = new GrpcLimits(10_000, 1_000_000, 64 << 10, 100_000);
    try (GrpcFixture full = new GrpcFixture(HttpFixture.HASTY, small, Callers.OPEN, true);
        RawHttp2 client = RawHttp2.connect(full.http.port, 4, 0)) {
      byte[] many =
          BatchNextIDRequest.newBuilder()
              .setBizTag("default")
              .setCount(10_000)
              .build()
              .toByteArray();
      call(client, 1, head("/idgen.v1.IdService/BatchNextID"), message(0, many));
      client.await(frame -> frame.type() == RawHttp2.HEADERS);

      StatusRuntimeException refusal =
          assertThrows(StatusRuntimeException.class, () -> full.ids().nextID(one()));
      assertEquals(Status.Code.UNAVAILABLE, refusal.getStatus().getCode());

      assertEquals(CANCEL, client.await(frame -> frame.type() == RawHttp2.RST_STREAM).code());
      assertTrue(full.ids().nextID(one()).getId() > 0);
    }
  }

  private static byte[] many() {
    return BatchNextIDRequest.newBuilder()
        .setBizTag("default")
        .setCount(10_000)
        .build()
        .toByteArray();
  }

  /** Others take the room while one waits for its ids, and while another is still being sent. */
  @Test
  void replies_thatFindNoRoomWhenTheyAreThere_areRefused() throws Exception {
    GrpcLimits small = new GrpcLimits(10_000, 1_000_000, 64 << 10, 100_000);
    try (GrpcFixture full = new GrpcFixture(HttpFixture.LIMITS, small, Callers.OPEN, true);
        RawHttp2 waiting = RawHttp2.connect(full.http.port);
        RawHttp2 client = RawHttp2.connect(full.http.port, 4, 0)) {
      full.engine().hold = true;
      call(waiting, 1, head(NEXT), message(0, one().toByteArray()));
      var held = full.engine().heldCall();
      full.engine().hold = false;
      waiting.frame(RawHttp2.HEADERS, RawHttp2.END_HEADERS, 3, head(NEXT));
      waiting.frame(RawHttp2.PING, 0, 0, new byte[8]);
      waiting.await(frame -> frame.type() == RawHttp2.PING);
      call(client, 1, head("/idgen.v1.IdService/BatchNextID"), message(0, many()));
      client.await(frame -> frame.type() == RawHttp2.HEADERS);

      long before = full.engine().next.get();
      waiting.frame(RawHttp2.DATA, RawHttp2.END_STREAM, 3, message(0, one().toByteArray()));
      assertEquals("14", status(waiting.reply(3)));
      assertEquals(before, full.engine().next.get());
      held.complete(full.engine().batch(1));
      List<Frame> reply = waiting.reply(1);
      assertEquals("14", status(reply));
      assertTrue(last(reply).field("grpc-message").startsWith("unsent replies: "));
    }
  }

  @Test
  void contentType_withItsFormat_isServed() {
    try (RawHttp2 client = connect()) {
      Map<String, String> fields = new LinkedHashMap<>();
      fields.put(":method", "POST");
      fields.put(":scheme", "http");
      fields.put(":path", NEXT);
      fields.put("content-type", "application/grpc+proto");
      byte[] head = RawHttp2.fields(fields);

      assertEquals("0", status(call(client, 1, head, message(0, one().toByteArray())).reply(1)));
    }
  }

  @Test
  void questions_whoseAnswersAreNotFetched_endTheSession() {
    byte[] question =
        message(
            0,
            ServerReflectionRequest.newBuilder()
                .setFileContainingSymbol("idgen.v1.IdService")
                .build()
                .toByteArray());
    try (RawHttp2 client = RawHttp2.connect(server.http.port, 4, 0)) {
      client.frame(
          RawHttp2.HEADERS,
          RawHttp2.END_HEADERS,
          1,
          head("/grpc.reflection.v1.ServerReflection/ServerReflectionInfo"));
      for (int i = 0; i < 100; i++) {
        client.frame(RawHttp2.DATA, 0, 1, question);
      }

      assertEquals(0, client.await(frame -> frame.type() == RawHttp2.RST_STREAM).code());
    }
  }

  @Test
  void watch_goesOnPastAllTimeouts() {
    try (RawHttp2 client = connect()) {
      byte[] service = HealthCheckRequest.getDefaultInstance().toByteArray();
      call(client, 1, head("/grpc.health.v1.Health/Watch"), message(0, service));
      client.await(frame -> frame.type() == RawHttp2.DATA);

      // Nothing is heard of the client for as long as a connection may be idle: it is asked.
      client.await(frame -> frame.type() == RawHttp2.PING);
      client.frame(RawHttp2.PING, RawHttp2.ACK, 0, new byte[8]);
      client.await(frame -> frame.type() == RawHttp2.PING);
      client.frame(RawHttp2.PING, RawHttp2.ACK, 0, new byte[8]);

      server.engine().health = new EngineHealth(false, List.of("lease: none"));
      byte[] told = client.await(frame -> frame.type() == RawHttp2.DATA).payload();
      assertEquals(2, told[6]); // NOT_SERVING
      server.engine().health = EngineHealth.WELL;
    }
  }

  @Test
  void watch_ofAClientThatIsGone_ends() {
    try (RawHttp2 client = connect()) {
      byte[] service = HealthCheckRequest.getDefaultInstance().toByteArray();
      call(client, 1, head("/grpc.health.v1.Health/Watch"), message(0, service));

      List<Frame> frames = client.untilClosed(); // it answers no ping
      assertTrue(frames.stream().anyMatch(frame -> frame.type() == RawHttp2.PING));
    }
  }

  @Test
  void calls_manyAtOnce_areAllAnswered() {
    try (RawHttp2 client = connect()) {
      byte[] head = head(NEXT);
      byte[] body = message(0, one().toByteArray());
      int calls = 200;
      for (int i = 0; i < calls; i++) {
        call(client, 1 + 2 * i, head, body);
      }
      for (int answered = 0; answered < calls; answered++) {
        assertEquals("0", client.await(Frame::isLast).field("grpc-status"));
      }
    }
  }

  @Test
  void fuzz_mangledCalls_areAnsweredOrClosed() {
    long seed = Long.getLong("idgen.seed", System.nanoTime());
    System.out.println("idgen.seed=" + seed);
    Random random = new Random(seed);
    byte[] sound = sound();
    for (int i = 0; i < 150; i++) {
      byte[] mangled = sound.clone();
      for (int changes = 1 + random.nextInt(4); changes > 0; changes--) {
        mangled[random.nextInt(mangled.length)] = (byte) random.nextInt(256);
      }
      try (RawHttp2 client = connect()) {
        client.bytes(mangled);
        client.frame(RawHttp2.PING, 0, 0, new byte[8]);
        Frame frame = client.next();
        while (frame != null
            && frame.type() != RawHttp2.GOAWAY
            && !(frame.type() == RawHttp2.PING && frame.flags() == RawHttp2.ACK)) {
          frame = client.next();
        }
      } catch (IllegalStateException e) {
        throw new AssertionError("seed " + seed + ", round " + i, e);
      }
    }
  }

  private static byte[] sound() {
    ByteArrayOutputStream sound = new ByteArrayOutputStream();
    sound.writeBytes(RawHttp2.framed(RawHttp2.HEADERS, RawHttp2.END_HEADERS, 1, head(NEXT)));
    sound.writeBytes(
        RawHttp2.framed(RawHttp2.DATA, RawHttp2.END_STREAM, 1, message(0, one().toByteArray())));
    return sound.toByteArray();
  }

  /** Text of the preface in the wrong place, and the like. */
  @Test
  void garbage_afterThePreface_closesTheConnection() {
    try (RawHttp2 client = connect()) {
      client.bytes("GET / HTTP/1.1\r\nhost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII));

      assertEquals(RawHttp2.GOAWAY, last(client.untilClosed()).type());
    }
  }
}
