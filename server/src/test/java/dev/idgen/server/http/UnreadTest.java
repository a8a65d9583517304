package dev.idgen.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.server.service.Caller;
import dev.idgen.server.service.Callers;
import dev.idgen.server.service.ServiceLimits;
import io.vertx.core.json.JsonObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Clients that send much of requests that they do not end. */
class UnreadTest {
  private static final int ENHANCE_YOUR_CALM = 11;
  private static final int PART = 60_000;
  private static final String HEAD =
      "POST /ids/batch HTTP/1.1\r\nhost: a\r\ncontent-length: " + (PART + 11) + "\r\n\r\n";

  private final HttpFixture server =
      new HttpFixture(HttpFixture.LIMITS, new ServiceLimits(100, 100_000));

  @AfterEach
  void stop() {
    server.close();
  }

  private void await(LongPredicate wanted) {
    long begun = System.nanoTime();
    while (!wanted.test(server.service.unread().held())) {
      assertTrue(System.nanoTime() - begun < TimeUnit.SECONDS.toNanos(20), "held");
      Thread.onSpinWait();
    }
  }

  private HttpFixture.Raw half() {
    HttpFixture.Raw raw = server.raw();
    raw.send(HEAD + " ".repeat(PART));
    await(held -> held >= PART);
    return raw;
  }

  @Test
  void bodies_notWholeOverTheLimit_areRefusedAndOthersGoOn() {
    try (HttpFixture.Raw first = half();
        HttpFixture.Raw second = server.raw()) {
      String reply = second.send(HEAD + " ".repeat(PART)).untilClosed();

      assertTrue(reply.startsWith("HTTP/1.1 503 Service Unavailable"), reply);
      assertTrue(reply.contains("connection: close"), reply);
      assertTrue(reply.contains("\"reason\":\"OVERLOADED\""), reply);
      assertTrue(reply.contains("requests that are not whole: more than 100000 bytes"), reply);
      assertEquals(200, server.post("/ids/batch", "{\"count\":1}").statusCode());
      assertEquals(200, server.get("/api/ids").statusCode());
      await(held -> held == PART);

      assertTrue(first.send("{\"count\":1}").reply().startsWith("HTTP/1.1 200"));
      await(held -> held == 0);
    }
  }

  @Test
  void bodies_whoseConnectionsAreGone_areNotCountedAnyMore() {
    for (int i = 0; i < 5; i++) {
      half().close();
      await(held -> held == 0);
    }
  }

  @Test
  void heads_notWhole_areCountedUntilTheyAreOrAreCut() {
    try (HttpFixture.Raw raw = server.raw()) {
      raw.send("GET /api/ids HTTP/1.1\r\nx: " + "y".repeat(3_000));
      await(held -> held > 3_000);
      assertTrue(raw.send("\r\nhost: a\r\n\r\n").reply().startsWith("HTTP/1.1 200"));
      await(held -> held == 0);
      raw.send("GET /api/ids HTTP/1.1\r\n");
      await(held -> held > 0);
    }
    await(held -> held == 0);
  }

  /** What is thrown away behind a refusal is not held. */
  @Test
  void body_overItsOwnLimit_isHeldNoFurtherThanThat() {
    try (HttpFixture.Raw raw = server.raw()) {
      raw.send("POST /ids HTTP/1.1\r\nhost: a\r\ncontent-length: 1000000\r\n\r\n");
      String reply = raw.send(new byte[1_000_000]).untilClosed();
      assertTrue(reply.startsWith("HTTP/1.1 413 "), reply);
      assertEquals(1, reply.split("HTTP/1.1", -1).length - 1, reply);
    }
    await(held -> held == 0);
  }

  private static RawHttp2 streamed(RawHttp2 client, int stream) {
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put(":method", "POST");
    fields.put(":scheme", "http");
    fields.put(":path", "/ids/batch");
    fields.put(":authority", "localhost:8080");
    client.frame(RawHttp2.HEADERS, RawHttp2.END_HEADERS, stream, RawHttp2.fields(fields));
    for (int i = 0; i < 4; i++) {
      client.frame(RawHttp2.DATA, 0, stream, new byte[PART / 4]);
    }
    return client;
  }

  @Test
  void streams_notWholeOverTheLimit_areResetAndOthersGoOn() {
    try (RawHttp2 first = streamed(RawHttp2.connect(server.port), 1)) {
      await(held -> held == PART);
      try (RawHttp2 second = streamed(RawHttp2.connect(server.port), 1)) {
        RawHttp2.Frame reset = second.await(frame -> frame.type() == RawHttp2.RST_STREAM);
        assertEquals(ENHANCE_YOUR_CALM, reset.code());
        await(held -> held == PART);
      }
      assertEquals(200, server.get("/api/ids").statusCode());
      assertFalse(first.isClosed());
    }
    await(held -> held == 0);
  }

  /** An unknown token in the query is refused before there is anything to hold. */
  @Test
  void tinyId_unknownToken_isRefusedBeforeTheForm() {
    Caller web = new Caller("web", Set.of(Caller.Right.ISSUE), List.of("*"));
    Callers callers = new Callers(Map.of(Callers.sha256("a-token-of-the-web"), web));
    try (HttpFixture closed = new HttpFixture(HttpFixture.LIMITS, 100, callers);
        HttpFixture.Raw raw = closed.raw()) {
      raw.send(
          "POST /tinyid/id/nextId?token=another HTTP/1.1\r\nhost: a\r\ncontent-length: 4000\r\n\r\n");
      String reply = raw.reply();
      String body = reply.substring(reply.indexOf("\r\n\r\n") + 4);
      assertEquals(5, new JsonObject(body).getInteger("code"), reply);
    }
  }

  @Test
  void tinyId_formOverItsLimit_isRefused() {
    String form = "bizType=default&x=" + "y".repeat(4096);
    assertEquals(413, server.post("/tinyid/id/nextId", form).statusCode());
  }
}
