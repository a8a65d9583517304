package dev.idgen.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.Reason;
import dev.idgen.server.service.EngineHealth;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every refusal of the catalogue, as its users see it. */
class RefusalsTest {
  private final HttpFixture server = new HttpFixture();

  @AfterEach
  void stop() {
    server.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          n=0             | n: 0 (expected: 1..1000)
          n=abc           | n: abc (expected: 1..1000, digits alone)
          n=1001          | n: 1001 (expected: 1..1000)
          n=              | n: empty (expected: 1..1000)
          n               | n: empty (expected: 1..1000)
          n=1&n=2         | n: given twice (expected: once)
          n=-1            | n: -1 (expected: 1..1000)
          n=+1            | n:  1 (expected: 1..1000, digits alone)
          n=1.0           | n: 1.0 (expected: 1..1000, digits alone)
          n=1e2           | n: 1e2 (expected: 1..1000, digits alone)
          n=0x10          | n: 0x10 (expected: 1..1000, digits alone)
          n=9999999999999 | n: 9999999999999 (expected: 1..1000)
          n=4294967297    | n: 4294967297 (expected: 1..1000)
          n=%31%zz        | n: a % sign alone (expected: two hexadecimal digits behind it)
          n=١             | n: ١ (expected: 1..1000, digits alone)
          """)
  void list_badN_isInvalidCount(String query, String detail) {
    String encoded = query.replace("١", "%D9%A1");

    try (HttpFixture.Raw raw = server.raw()) {
      String reply = raw.send("GET /api/ids?" + encoded + " HTTP/1.1\r\nhost: a\r\n\r\n").reply();

      assertTrue(reply.startsWith("HTTP/1.1 400 Bad Request"), reply);
      assertTrue(reply.contains("\"reason\":\"INVALID_COUNT\""), reply);
      assertTrue(reply.contains("\"detail\":\"" + detail + "\""), reply);
    }
    assertEquals(FakeEngine.FIRST, server.engine.next.get());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {}                  | 400 | INVALID_COUNT | count: absent (expected: 1..10000)
          {"count":0}         | 400 | INVALID_COUNT | count: 0 (expected: 1..10000)
          {"count":10001}     | 400 | INVALID_COUNT | count: 10001 (expected: 1..10000)
          {"count":"10001"}   | 400 | INVALID_COUNT | count: 10001 (expected: 1..10000)
          {"count":-1}        | 400 | INVALID_COUNT | count: -1 (expected: 1..10000)
          {"count":1.5}       | 400 | INVALID_COUNT | count: 1.5 (expected: 1..10000, digits alone)
          {"count":1e3}       | 400 | INVALID_COUNT | count: 1e3 (expected: 1..10000, digits alone)
          {"count":"x"}       | 400 | INVALID_COUNT | count: x (expected: 1..10000, digits alone)
          {"count":18446744073709551617} | 400 | INVALID_COUNT | count: 18446744073709551617 (expected: 1..10000)
          {"count":null}      | 400 | INVALID_BODY | count: null (expected: a number)
          {"count":true}      | 400 | INVALID_BODY | count: a truth value (expected: a number)
          {"count":[1]}       | 400 | INVALID_BODY | count: a list (expected: a number)
          {"count":{"a":1}}   | 400 | INVALID_BODY | count: an object (expected: a number)
          {"count":1,"tag":1} | 400 | INVALID_BODY | tag: a number (expected: a text)
          {"count":1,"tag":null} | 400 | INVALID_BODY | tag: null (expected: a text)
          {"count":1,"tag":""} | 400 | INVALID_TAG | tag: empty (expected: 1 to 64 of A-Z a-z 0-9 . _ -, the first a letter or digit)
          {"count":1,"tag":"a b"} | 400 | INVALID_TAG | tag: a b (expected: 1 to 64 of A-Z a-z 0-9 . _ -, the first a letter or digit)
          {"count":1,"tag":".a"} | 400 | INVALID_TAG | tag: .a (expected: 1 to 64 of A-Z a-z 0-9 . _ -, the first a letter or digit)
          {"count":1,"tag":"order"} | 404 | UNKNOWN_TAG | tag: order (expected: one that was made)
          {"count":1,"biz_tag":"order"} | 404 | UNKNOWN_TAG | tag: order (expected: one that was made)
          {"count":1,"tag":"a","biz_tag":"a"} | 400 | INVALID_BODY | tag: given beside biz_tag (expected: one of them)
          {"count":1,"size":2} | 400 | INVALID_BODY | size: unknown (expected: tag, biz_tag, content, namespace, count)
          [1]                 | 400 | INVALID_BODY | body: a list (expected: a JSON object)
          "default"           | 400 | INVALID_BODY | body: a text (expected: a JSON object)
          null                | 400 | INVALID_BODY | body: null (expected: a JSON object)
          {"count":1,"count":2} | 400 | INVALID_BODY | body: a name given twice (expected: each once)
          {"count":1}{}       | 400 | INVALID_BODY | body: more behind the object (expected: one JSON object)
          """)
  void batch_badBody_isRefused(String body, int status, String reason, String detail) {
    HttpResponse<String> reply = server.post("/ids/batch", body);

    assertEquals(status, reply.statusCode(), reply.body());
    assertTrue(reply.body().contains("\"reason\":\"" + reason + "\""), reply.body());
    assertTrue(reply.body().contains("\"detail\":\"" + detail + "\""), reply.body());
    assertEquals("application/problem+json", header(reply, "content-type"));
    assertEquals(FakeEngine.FIRST, server.engine.next.get());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{",
        "{\"count\"",
        "{\"count\":1,}",
        "{\"count\":1,\"count\":2}",
        "{'count':1}",
        "{\"count\":1} trailing",
        "count=1",
        "{\"count\":01}",
        "{\"count\":+1}",
        "{\"count\":NaN}",
        "// {}",
        "{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":1}}}}}",
        "[[[[[[[[[[[[[[[[[[[[[[[[",
        "\u0000"
      })
  void batch_noJson_isInvalidBody(String body) {
    HttpResponse<String> reply = server.post("/ids/batch", body);

    assertEquals(400, reply.statusCode(), reply.body());
    assertTrue(reply.body().contains("\"reason\":\"INVALID_BODY\""), reply.body());
  }

  @Test
  void body_compressed_isRefused() {
    HttpResponse<String> packed = server.send("POST", "/ids", "{}", "content-encoding", "gzip");
    assertEquals(415, packed.statusCode());
    assertTrue(
        packed.body().contains("\"detail\":\"content-encoding: gzip (expected: none)\""),
        packed.body());
    assertEquals(
        200, server.send("POST", "/ids", "{}", "content-encoding", "identity").statusCode());
  }

  @Test
  void ids_countInTheBody_namesTheOtherCall() {
    String body = server.post("/ids", "{\"count\":5}").body();

    assertTrue(
        body.contains(
            "count: unknown (expected: tag, biz_tag, content, namespace; POST /ids/batch takes a count)"),
        body);
  }

  @Test
  void runs_overTheirOwnLimit_areRefused() {
    assertEquals(200, server.post("/ids/batch?form=runs", "{\"count\":1000000}").statusCode());

    String body = server.post("/ids/batch?form=runs", "{\"count\":1000001}").body();
    assertTrue(body.contains("count: 1000001 (expected: 1..1000000)"), body);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          POST | /ids/batch?form=csv     | INVALID_BODY  | form: csv (expected: list, runs)
          GET  | /api/ids?count=5        | INVALID_BODY  | count: unknown (expected: n, tag)
          POST | /ids?n=5                | INVALID_BODY  | n: unknown (expected: no parameters)
          POST | /ids/batch?count=5      | INVALID_BODY  | count: unknown (expected: form)
          GET  | /api/layout?form=runs   | INVALID_BODY  | form: unknown (expected: no parameters)
          GET  | /api/ids/7?form=runs    | INVALID_BODY  | form: unknown (expected: layout)
          GET  | /api/ids?tag=           | INVALID_TAG   | tag: empty (expected: 1 to 64
          GET  | /api/ids?tag=a&tag=b    | INVALID_TAG   | tag: given twice (expected: once)
          GET  | /api/ids/abc            | INVALID_ID    | text: abc (expected: a decimal number
          GET  | /api/ids/-1             | INVALID_ID    | text: -1 (expected: a decimal number
          GET  | /api/ids/9223372036854775808 | INVALID_ID | together with the name of its layout
          GET  | /api/ids/18446744073709551616 | INVALID_ID | text: 18446744073709551616
          GET  | /api/ids/1%2            | INVALID_ID    | id: a % sign alone
          GET  | /api/ids/1?layout=nope  | INVALID_ID    | layout: nope (expected: 41/10/12 or the like
          """)
  void anyCall_badParameter_isRefused(String method, String path, String reason, String detail) {
    try (HttpFixture.Raw raw = server.raw()) {
      String reply = raw.send(method + " " + path + " HTTP/1.1\r\nhost: a\r\n\r\n").reply();

      assertTrue(reply.startsWith("HTTP/1.1 400 "), reply);
      assertTrue(reply.contains("\"reason\":\"" + reason + "\""), reply);
      assertTrue(reply.contains(detail), reply);
    }
  }

  @Test
  void list_unknownTag_is404() {
    HttpResponse<String> reply = server.get("/api/ids?tag=order");

    assertEquals(404, reply.statusCode());
    assertTrue(reply.body().contains("\"reason\":\"UNKNOWN_TAG\""), reply.body());
  }

  @ParameterizedTest
  @CsvSource({
    "GET,/ids,'POST, OPTIONS'",
    "DELETE,/ids/batch,'POST, OPTIONS'",
    "POST,/api/ids,'GET, HEAD, OPTIONS'",
    "PUT,/api/layout,'GET, HEAD, OPTIONS'",
    "POST,/healthz,'GET, HEAD, OPTIONS'",
    "POST,/api/ids/1,'GET, HEAD, OPTIONS'",
    "POST,/,'GET, HEAD, OPTIONS'",
    "BREW,/ids,'POST, OPTIONS'"
  })
  void anyCall_wrongMethod_namesTheRightOnes(String method, String path, String allowed) {
    HttpResponse<String> reply = server.send(method, path, null);

    assertEquals(405, reply.statusCode());
    assertEquals(allowed, header(reply, "allow"));
    assertTrue(reply.body().contains("\"reason\":\"METHOD_NOT_ALLOWED\""), reply.body());
    assertTrue(
        reply.body().contains("method: " + method + " (expected: " + allowed + ")"), reply.body());
  }

  @ParameterizedTest
  @CsvSource({
    "DEADLINE,503,1200,2",
    "NO_LEASE,503,0,1",
    "CLOCK_BACKWARD,503,3600000,3600",
    "CLOCK_AHEAD,503,1,1",
    "STORE_UNAVAILABLE,503,1000,1",
    "DRAINING,503,0,1",
    "EXHAUSTED,500,0,''"
  })
  void anyCall_engineRefuses_tellsWhyAndWhenToComeBack(
      Reason reason, int status, long retryAfterMs, String retryAfter) {
    server.engine.refuse(reason, "lease: none (expected: one)", retryAfterMs);

    for (HttpResponse<String> reply :
        List.of(
            server.get("/api/ids"),
            server.post("/ids", ""),
            server.post("/ids/batch", "{\"count\":2}"))) {
      assertEquals(status, reply.statusCode());
      assertEquals(retryAfter, header(reply, "retry-after"));
      assertTrue(reply.body().contains("\"reason\":\"" + reason + "\""), reply.body());
      assertTrue(reply.body().contains("\"detail\":\"lease: none (expected: one)\""), reply.body());
    }
  }

  @Test
  void anyCall_noLease_tellsWhatTheStoreSays() {
    server.engine.refuse(Reason.NO_LEASE, "lease: none (expected: one)", 0);
    server.engine.health = new EngineHealth(true, List.of("lease: none", "sqlite: disk full"));

    String body = server.get("/api/ids").body();

    assertTrue(body.contains("\"detail\":\"lease: none; sqlite: disk full\""), body);
  }

  @Test
  void anyCall_faultOfTheServer_is500WithoutDetails() {
    server.engine.fault = new IllegalStateException("secret");

    HttpResponse<String> reply = server.get("/api/ids");

    assertEquals(500, reply.statusCode());
    assertTrue(reply.body().contains("\"reason\":\"INTERNAL\""), reply.body());
    assertFalse(reply.body().contains("secret"), reply.body());
  }

  @Test
  void anyCall_whileDraining_isRefused() {
    server.service.drain();

    HttpResponse<String> reply = server.get("/api/ids");

    assertEquals(503, reply.statusCode());
    assertTrue(reply.body().contains("\"reason\":\"DRAINING\""), reply.body());
  }

  @Test
  void drain_callWaits_endsWithIt() throws Exception {
    server.engine.hold = true;
    try (HttpFixture.Raw raw = server.raw()) {
      raw.send("GET /api/ids HTTP/1.1\r\nhost: a\r\n\r\n");
      var call = server.engine.heldCall();
      var drained = server.service.drain().toCompletableFuture();
      assertFalse(drained.isDone());

      call.complete(server.engine.batch(1));

      assertTrue(raw.reply().startsWith("HTTP/1.1 200 OK"));
      drained.get();
    }
  }

  @Test
  void problem_whole_asTheStandardHasIt() {
    HttpResponse<String> reply =
        server.send(
            "GET",
            "/api/ids?n=0",
            null,
            "traceparent",
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");

    assertEquals(
        "{\"type\":\"about:blank\",\"title\":\"Bad Request\",\"status\":400,"
            + "\"detail\":\"n: 0 (expected: 1..1000)\",\"reason\":\"INVALID_COUNT\","
            + "\"traceId\":\"0af7651916cd43dd8448eb211c80319c\"}",
        reply.body());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "00-00000000000000000000000000000000-b7ad6b7169203331-01",
        "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
        "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01",
        "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-x",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331",
        "x"
      })
  void problem_brokenTraceparent_getsAFreshTrace(String traceparent) {
    String body = server.send("GET", "/api/ids?n=0", null, "traceparent", traceparent).body();

    assertTrue(body.matches(".*\"traceId\":\"[0-9a-f]{32}\".*"), body);
    assertFalse(body.contains("0af7651916cd43dd8448eb211c80319c"), body);
  }

  @Test
  void overload_moreWaitThanAllowed_isToldSo() throws Exception {
    try (HttpFixture small = new HttpFixture(HttpFixture.LIMITS, 1);
        HttpFixture.Raw first = small.raw()) {
      small.engine.hold = true;
      first.send("GET /api/ids HTTP/1.1\r\nhost: a\r\n\r\n");
      var call = small.engine.heldCall();

      HttpResponse<String> reply = small.get("/api/ids");

      assertEquals(503, reply.statusCode());
      assertEquals("1", header(reply, "retry-after"));
      assertTrue(reply.body().contains("\"reason\":\"OVERLOADED\""), reply.body());
      assertTrue(reply.body().contains("waiting requests: more than 1"), reply.body());
      call.complete(small.engine.batch(1));
      assertTrue(first.reply().startsWith("HTTP/1.1 200 OK"));
      small.engine.hold = false;
      assertEquals(200, small.get("/api/ids").statusCode());
    }
  }

  @Test
  void fuzz_mangledBodies_neverIssueNorBreak() {
    long seed = Long.getLong("idgen.seed", System.nanoTime());
    System.out.println("idgen.seed=" + seed);
    Random random = new Random(seed);
    String sound = "{\"tag\":\"default\",\"count\":3}";
    for (int i = 0; i < 300; i++) {
      StringBuilder body = new StringBuilder(sound);
      for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
        int at = random.nextInt(body.length());
        switch (random.nextInt(3)) {
          case 0 -> body.setCharAt(at, (char) random.nextInt(256));
          case 1 -> body.insert(at, (char) random.nextInt(128));
          default -> body.deleteCharAt(at);
        }
      }
      long before = server.engine.next.get();
      HttpResponse<String> reply = server.post("/ids/batch", body.toString());
      boolean issued = server.engine.next.get() != before;
      assertEquals(reply.statusCode() == 200, issued, "seed " + seed + ": " + body);
      assertTrue(
          reply.statusCode() == 200 || reply.statusCode() == 400 || reply.statusCode() == 404,
          "seed " + seed + ": " + reply.statusCode() + " for " + body);
    }
  }

  private static String header(HttpResponse<String> reply, String name) {
    return reply.headers().firstValue(name).orElse("");
  }
}
