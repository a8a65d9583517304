package dev.idgen.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.IdBatch;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Clients that fetch nothing, and others whose replies come to be sent meanwhile. */
class UnsentTest {
  private static final int WINDOW = 4; // the setting
  private static final HttpLimits SMALL =
      new HttpLimits(
          10_000, 1_000_000, 1000, 64 << 10, 8 << 10, 5_000, 15_000, 600_000, 10_000, 256, 100_000);

  private final HttpFixture server = new HttpFixture(SMALL, 100);

  @AfterEach
  void stop() {
    server.close();
  }

  /** A client that has asked for much, and takes nothing of it. */
  private RawHttp2 full() {
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put(":method", "POST");
    fields.put(":scheme", "http");
    fields.put(":path", "/ids/batch");
    fields.put(":authority", "localhost:8080");
    RawHttp2 client = RawHttp2.connect(server.port, WINDOW, 0);
    client.frame(RawHttp2.HEADERS, RawHttp2.END_HEADERS, 1, RawHttp2.fields(fields));
    client.frame(
        RawHttp2.DATA,
        RawHttp2.END_STREAM,
        1,
        "{\"count\":10000}".getBytes(StandardCharsets.US_ASCII));
    client.await(frame -> frame.type() == RawHttp2.HEADERS);
    return client;
  }

  private CompletableFuture<IdBatch> held(HttpFixture.Raw waiting, String request)
      throws InterruptedException {
    server.engine.hold = true;
    waiting.send(request);
    CompletableFuture<IdBatch> call = server.engine.heldCall();
    server.engine.hold = false;
    return call;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "GET /api/ids?n=2 | HTTP/1.1 503",
        "GET /tinyid/id/nextId?bizType=default&batchSize=2 | HTTP/1.1 200",
      })
  void reply_othersTookTheRoomMeanwhile_isRefused(String line, String status) throws Exception {
    try (HttpFixture.Raw waiting = server.raw()) {
      var call = held(waiting, line + " HTTP/1.1\r\nhost: a\r\n\r\n");
      try (RawHttp2 client = full()) {
        call.complete(server.engine.batch(2));
        String reply = waiting.reply();

        assertTrue(reply.startsWith(status), reply);
        assertTrue(reply.contains("OVERLOADED"), reply);
        assertTrue(reply.contains("unsent replies: more than 100000 bytes"), reply);
        assertTrue(!client.isClosed());
      }
    }
  }

  /** What was issued under a key is kept, although its first reply could not be sent. */
  @Test
  void reply_underAKeyWithoutRoom_isGivenWhenThereIsSome() throws Exception {
    long first = server.engine.next.get();
    try (HttpFixture.Raw waiting = server.raw()) {
      var call =
          held(
              waiting,
              "POST /ids HTTP/1.1\r\nhost: a\r\nidempotency-key: k\r\ncontent-length: 0\r\n\r\n");
      IdBatch batch = server.engine.batch(1);
      try (RawHttp2 client = full()) {
        call.complete(batch);
        assertTrue(waiting.reply().startsWith("HTTP/1.1 503"), "its reply");
        assertEquals(503, again().statusCode());
        assertTrue(!client.isClosed());
      }
    }
    long begun = System.nanoTime();
    HttpResponse<String> reply = again();
    while (reply.statusCode() == 503 && System.nanoTime() - begun < TimeUnit.SECONDS.toNanos(20)) {
      reply = again(); // until the server has seen that the other client is gone
    }
    assertEquals("{\"id\":\"" + first + "\"}", reply.body());
  }

  private HttpResponse<String> again() {
    return server.send("POST", "/ids", "", "idempotency-key", "k");
  }
}
