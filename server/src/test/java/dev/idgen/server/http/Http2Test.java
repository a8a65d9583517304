package dev.idgen.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The calls of HTTP over HTTP/2 in clear text, and clients of it that behave badly. */
class Http2Test {
  private static final int CANCEL = 8;
  private static final int ENHANCE_YOUR_CALM = 11;

  private final HttpFixture server = new HttpFixture(HttpFixture.HASTY, 100);

  @AfterEach
  void stop() {
    assertEquals(200, server.get("/api/ids").statusCode()); // it served on, whatever came
    server.close();
  }

  private static byte[] request(String method, String path, String... more) {
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put(":method", method);
    fields.put(":scheme", "http");
    fields.put(":path", path);
    fields.put(":authority", "localhost:8080");
    for (int i = 0; i < more.length; i += 2) {
      fields.put(more[i], more[i + 1]);
    }
    return RawHttp2.fields(fields);
  }

  private static byte[] get(String path) {
    return request("GET", path);
  }

  private static RawHttp2 asked(RawHttp2 client, int stream, byte[] fields) {
    int whole = RawHttp2.END_HEADERS | RawHttp2.END_STREAM;
    return client.frame(RawHttp2.HEADERS, whole, stream, fields);
  }

  private static String status(List<RawHttp2.Frame> reply) {
    return reply.get(0).field(":status");
  }

  private static String body(List<RawHttp2.Frame> reply) {
    StringBuilder body = new StringBuilder();
    for (RawHttp2.Frame frame : reply) {
      if (frame.type() == RawHttp2.DATA) {
        body.append(new String(frame.payload(), StandardCharsets.UTF_8));
      }
    }
    return body.toString();
  }

  @Test
  void get_overHttp2_isServed() {
    try (RawHttp2 client = RawHttp2.connect(server.port)) {
      List<RawHttp2.Frame> reply = asked(client, 1, get("/api/ids")).reply(1);

      assertEquals("200", status(reply));
      assertEquals("application/json", reply.get(0).field("content-type"));
      assertTrue(body(reply).startsWith("[{\"id\":\"" + FakeEngine.FIRST + "\""), body(reply));
    }
  }

  @Test
  void post_withAndWithoutABody_isServed() {
    try (RawHttp2 client = RawHttp2.connect(server.port)) {
      client.frame(RawHttp2.HEADERS, RawHttp2.END_HEADERS, 1, request("POST", "/ids/batch"));
      client.frame(RawHttp2.DATA, 0, 1, "{\"cou".getBytes(StandardCharsets.UTF_8));
      client.frame(RawHttp2.DATA, 1, 1, "nt\":2}".getBytes(StandardCharsets.UTF_8));
      List<RawHttp2.Frame> reply = client.reply(1);
      assertEquals("200", status(reply), body(reply));
      assertTrue(body(reply).contains("\"ids\":["), body(reply));

      assertEquals("200", status(asked(client, 3, request("POST", "/ids")).reply(3)));
    }
  }

  @Test
  void refusal_overHttp2_isAProblem() {
    try (RawHttp2 client = RawHttp2.connect(server.port)) {
      List<RawHttp2.Frame> reply = asked(client, 1, get("/nothing")).reply(1);

      assertEquals("404", status(reply));
      assertTrue(body(reply).contains("\"reason\":\"UNKNOWN_PATH\""), body(reply));
    }
  }

  @Test
  void admin_overHttp2_looksAtTheAuthority() {
    try (RawHttp2 client = RawHttp2.connect(server.port)) {
      assertEquals("200", status(asked(client, 1, get("/admin/tags")).reply(1)));

      byte[] foreign =
          RawHttp2.fields(
              new LinkedHashMap<>(
                  Map.of(
                      ":method", "GET",
                      ":scheme", "http",
                      ":path", "/admin/tags",
                      ":authority", "evil.example")));
      List<RawHttp2.Frame> reply = asked(client, 3, foreign).reply(3);
      assertEquals("403", status(reply), body(reply));
      assertTrue(body(reply).contains("host: evil.example"), body(reply));
    }
  }

  @Test
  void requests_manyAtOnce_areAllAnswered() {
    try (RawHttp2 client = RawHttp2.connect(server.port)) {
      for (int stream = 1; stream < 400; stream += 2) {
        asked(client, stream, get("/api/ids"));
      }
      int answered = 0;
      while (answered < 200) {
        answered += client.await(RawHttp2.Frame::isLast).type() == RawHttp2.DATA ? 1 : 1000;
      }
      assertEquals(200, answered);
    }
  }

  @Test
  void settings_ofTheServer_nameItsLimits() {
    try (RawHttp2 client = RawHttp2.connect(server.port)) {
      RawHttp2.Frame settings = client.await(frame -> frame.type() == RawHttp2.SETTINGS);
      String shown = Arrays.toString(settings.payload());

      assertTrue(shown.contains("0, 3, 0, 0, 1, 0"), shown); // 256 streams
      assertTrue(shown.contains("0, 6, 0, 0, 32, 0"), shown); // 8 KiB of header fields
    }
  }

  @Test
  void body_overTheLimit_isRefusedAndTheConnectionGoesOn() {
    try (RawHttp2 client = RawHttp2.connect(server.port)) {
      client.frame(
          RawHttp2.HEADERS,
          RawHttp2.END_HEADERS,
          1,
          request("POST", "/ids", "content-length", "65537"));
      List<RawHttp2.Frame> reply = client.reply(1);
      assertEquals("413", status(reply), body(reply));
      assertEquals(0, client.await(f -> f.type() == RawHttp2.RST_STREAM).code());

      client.frame(RawHttp2.HEADERS, RawHttp2.END_HEADERS, 3, request("POST", "/ids"));
      for (int i = 0; i < 5; i++) {
        client.frame(RawHttp2.DATA, 0, 3, new byte[16_000]);
      }
      reply = client.reply(3);
      assertEquals("413", status(reply), body(reply));
      assertEquals(0, client.await(f -> f.type() == RawHttp2.RST_STREAM).code()); // RFC 9113, 8.1

      assertEquals("200", status(asked(client, 5, get("/api/ids")).reply(5)));
    }
  }

  @Test
  void path_overTheLimit_isRefusedAndTheConnectionGoesOn() {
    try (RawHttp2 client = RawHttp2.connect(server.port)) {
      List<RawHttp2.Frame> reply = asked(client, 1, get("/api/ids?" + "a".repeat(5_000))).reply(1);
      assertEquals("413", status(reply), body(reply));
      assertTrue(body(reply).contains("path: over the limit (expected: at most 4096 bytes)"));

      assertEquals("200", status(asked(client, 3, get("/api/ids")).reply(3)));
    }
  }

  @Test
  void body_neverEnds_isReset() {
    try (RawHttp2 client = RawHttp2.connect(server.port)) {
      client.frame(RawHttp2.HEADERS, RawHttp2.END_HEADERS, 1, request("POST", "/ids"));
      client.frame(RawHttp2.DATA, 0, 1, (byte) '{');

      RawHttp2.Frame last = client.reply(1).get(0);
      assertEquals(RawHttp2.RST_STREAM, last.type());
      assertEquals(CANCEL, last.code());
      assertEquals("200", status(asked(client, 3, get("/api/ids")).reply(3)));
    }
  }

  @Test
  void bodies_tooManyThatAreNotWhole_areReset() {
    try (RawHttp2 client = RawHttp2.connect(server.port)) {
      for (int stream = 1; stream <= 21; stream += 2) {
        client.frame(RawHttp2.HEADERS, RawHttp2.END_HEADERS, stream, request("POST", "/ids"));
        client.frame(RawHttp2.DATA, 0, stream, new byte[16_000]);
        client.frame(RawHttp2.DATA, 0, stream, new byte[16_000]);
      }
      RawHttp2.Frame first = client.await(frame -> frame.type() == RawHttp2.RST_STREAM);

      assertEquals(ENHANCE_YOUR_CALM, first.code());
      assertEquals(17, first.stream()); // four times 64 KiB are full
    }
  }

  @Test
  void headers_neverEnd_closeTheConnection() {
    try (RawHttp2 client = RawHttp2.connect(server.port)) {
      byte[] fields = get("/api/ids");
      client.frame(RawHttp2.HEADERS, 0, 1, fields); // more are announced

      List<RawHttp2.Frame> frames = client.untilClosed();
      assertEquals(RawHttp2.GOAWAY, frames.get(frames.size() - 1).type());
    }
  }

  @Test
  void frame_halfSent_closesTheConnection() {
    byte[] whole =
        RawHttp2.framed(
            RawHttp2.HEADERS, RawHttp2.END_HEADERS | RawHttp2.END_STREAM, 1, get("/api/ids"));
    for (int length : new int[] {1, 5, 9, whole.length - 1}) {
      try (RawHttp2 client = RawHttp2.connect(server.port)) {
        client.bytes(Arrays.copyOf(whole, length));

        List<RawHttp2.Frame> frames = client.untilClosed();
        assertEquals(RawHttp2.GOAWAY, frames.get(frames.size() - 1).type(), length + "");
      }
    }
  }

  @Test
  void preface_halfSent_closesTheConnection() {
    byte[] preface = RawHttp2.PREFACE.getBytes(StandardCharsets.US_ASCII);
    for (int length : new int[] {1, 3, 23, 24}) {
      try (RawHttp2 client = RawHttp2.silent(server.port)) {
        client.bytes(Arrays.copyOf(preface, length));

        client.untilClosed();
      }
    }
  }

  @Test
  void preface_inPieces_isUnderstood() {
    try (RawHttp2 client = RawHttp2.silent(server.port)) {
      for (byte b : RawHttp2.PREFACE.getBytes(StandardCharsets.US_ASCII)) {
        client.bytes(new byte[] {b});
      }
      client.frame(RawHttp2.SETTINGS, 0, 0);

      assertEquals("200", status(asked(client, 1, get("/api/ids")).reply(1)));
    }
  }

  @Test
  void connection_idle_isClosedWithGoodbye() {
    try (RawHttp2 client = RawHttp2.connect(server.port)) {
      asked(client, 1, get("/api/ids")).reply(1);

      RawHttp2.Frame goodbye = client.await(frame -> frame.type() == RawHttp2.GOAWAY);
      assertEquals(0, goodbye.code());
      assertEquals(List.of(), client.untilClosed());
    }
  }

  @Test
  void reply_notFetched_isReset() {
    try (RawHttp2 client = RawHttp2.connect(server.port, 4, 0)) { // a window of nothing
      asked(client, 1, get("/api/ids?n=1000"));

      List<RawHttp2.Frame> reply = client.reply(1);
      assertEquals("200", status(reply));
      assertEquals(CANCEL, reply.get(1).code());
    }
  }

  @Test
  void headers_tooLarge_areRefused() {
    try (RawHttp2 client = RawHttp2.connect(server.port)) {
      byte[] fields = request("GET", "/api/ids", "x", "y".repeat(9000));

      List<RawHttp2.Frame> reply = asked(client, 1, fields).reply(1);
      assertEquals("431", status(reply));
      assertEquals("200", status(asked(client, 3, get("/api/ids")).reply(3)));
    }
  }

  @Test
  void streams_tooMany_areRefused() {
    try (RawHttp2 client = RawHttp2.connect(server.port)) {
      server.engine.hold = true;
      for (int stream = 1; stream <= 2 * 257; stream += 2) {
        client.frame(RawHttp2.HEADERS, RawHttp2.END_HEADERS, stream, request("POST", "/ids"));
      }
      RawHttp2.Frame reset = client.await(frame -> frame.type() == RawHttp2.RST_STREAM);

      assertEquals(513, reset.stream());
      server.engine.hold = false;
    }
  }

  @Test
  void resets_aFlood_closesTheConnection() {
    try (RawHttp2 client = RawHttp2.connect(server.port)) {
      byte[] fields = get("/api/ids");
      for (int stream = 1; stream < 2 * 3000; stream += 2) {
        asked(client, stream, fields);
        client.frame(RawHttp2.RST_STREAM, 0, stream, (byte) 0, (byte) 0, (byte) 0, (byte) CANCEL);
      }
      RawHttp2.Frame goodbye = client.await(frame -> frame.type() == RawHttp2.GOAWAY);

      assertEquals(ENHANCE_YOUR_CALM, goodbye.code());
    }
  }

  @Test
  void continuations_aFlood_closesTheConnection() {
    try (RawHttp2 client = RawHttp2.connect(server.port)) {
      client.frame(RawHttp2.HEADERS, 0, 1, get("/api/ids"));
      for (int i = 0; i < 1000; i++) {
        client.frame(RawHttp2.CONTINUATION, 0, 1);
      }
      RawHttp2.Frame goodbye = client.await(frame -> frame.type() == RawHttp2.GOAWAY);

      assertEquals(ENHANCE_YOUR_CALM, goodbye.code());
    }
  }

  @Test
  void pings_aFloodWhoseAnswersAreNotRead_closesTheConnection() {
    byte[] many = new byte[1000 * 17];
    byte[] ping = RawHttp2.framed(RawHttp2.PING, 0, 0, new byte[8]);
    for (int i = 0; i < 1000; i++) {
      System.arraycopy(ping, 0, many, i * 17, 17);
    }
    try (RawHttp2 client = RawHttp2.connect(server.port)) {
      int rounds = 0;
      while (!client.isClosed() && rounds++ < 100_000) {
        client.bytes(many);
      }
      assertTrue(client.isClosed());
    }
  }

  @Test
  void connect_method_isReset() {
    try (RawHttp2 client = RawHttp2.connect(server.port)) {
      Map<String, String> fields = new LinkedHashMap<>();
      fields.put(":method", "CONNECT");
      fields.put(":authority", "localhost:8080");
      client.frame(RawHttp2.HEADERS, RawHttp2.END_HEADERS, 1, RawHttp2.fields(fields));

      assertEquals(RawHttp2.RST_STREAM, client.reply(1).get(0).type());
    }
  }

  @Test
  void upgrade_fromHttp1_isLeftAlone() {
    try (HttpFixture.Raw raw = server.raw()) {
      String offer =
          "host: a\r\nconnection: upgrade, http2-settings\r\nupgrade: h2c\r\nhttp2-settings: \r\n\r\n";
      for (int i = 0; i < 2; i++) {
        String reply = raw.send("GET /api/ids HTTP/1.1\r\n" + offer).reply();
        assertTrue(reply.startsWith("HTTP/1.1 200 OK"), reply);
      }
    }
  }

  @Test
  void connection_overTheLimit_isTurnedAway() {
    HttpLimits one =
        new HttpLimits(
            10_000, 1_000_000, 1000, 64 << 10, 8 << 10, 5_000, 15_000, 600_000, 1, 256, 32 << 20);
    try (HttpFixture small = new HttpFixture(one, 100);
        RawHttp2 first = RawHttp2.connect(small.port)) {
      assertEquals("200", status(asked(first, 1, get("/api/ids")).reply(1)));
      try (HttpFixture.Raw second = small.raw()) {
        assertTrue(second.untilClosed().startsWith("HTTP/1.1 503 "));
      }
    }
  }

  @Test
  void connection_saysNothing_isClosed() {
    try (RawHttp2 client = RawHttp2.silent(server.port)) {
      assertEquals(List.of(), client.untilClosed());
    }
  }
}
