package dev.idgen.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.server.service.EngineHealth;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each call of the HTTP interface, as its users see it. */
class CallsTest {
  private static final long FIRST = FakeEngine.FIRST;
  private static final String FIRST_TIME = "2026-11-30T19:33:20.123Z";

  private final HttpFixture server = new HttpFixture();

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void ids_withoutBody_isOneIdAsText() {
    HttpResponse<String> reply = server.post("/ids", "");

    assertEquals(200, reply.statusCode());
    assertEquals("{\"id\":\"" + FIRST + "\"}", reply.body());
    assertEquals("application/json", header(reply, "content-type"));
    assertEquals("no-store", header(reply, "cache-control"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        " ",
        "{\"tag\":\"default\"}",
        "{\"biz_tag\":\"default\"}",
        " {\"tag\" : \"\\u0064efault\"} \n"
      })
  void ids_anyAcceptedBody_isOneId(String body) {
    assertEquals("{\"id\":\"" + FIRST + "\"}", server.post("/ids", body).body());
  }

  @Test
  void ids_formContentType_isReadAsJson() {
    HttpResponse<String> reply =
        server.send(
            "POST",
            "/ids/batch",
            "{\"count\":2}",
            "content-type",
            "application/x-www-form-urlencoded");

    assertEquals(200, reply.statusCode());
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"count\":3}", "{\"count\":\"3\",\"tag\":\"default\"}"})
  void batch_countAsNumberOrText_isAList(String body) {
    assertEquals(
        "{\"tag\":\"default\",\"engine\":\"snowflake\",\"ids\":[\""
            + FIRST
            + "\",\""
            + (FIRST + 1)
            + "\",\""
            + (FIRST + 2)
            + "\"]}",
        server.post("/ids/batch", body).body());
  }

  @Test
  void batch_largest_holdsEveryId() {
    String body = server.post("/ids/batch?form=list", "{\"count\":10000}").body();

    assertTrue(body.contains("\"" + FIRST + "\""));
    assertTrue(body.endsWith("\"" + (FIRST + 9999) + "\"]}"));
    assertEquals(10_000, body.split("\",\"", -1).length - 2);
  }

  @Test
  void batch_asRuns_isShort() {
    assertEquals(
        "{\"tag\":\"default\",\"engine\":\"snowflake\",\"runs\":[{\"first\":\""
            + FIRST
            + "\",\"count\":4096,\"stride\":1},{\"first\":\""
            + (FIRST + 4096)
            + "\",\"count\":904,\"stride\":1}]}",
        server.post("/ids/batch?form=runs", "{\"count\":5000}").body());
  }

  @Test
  void list_withoutN_isOneIdWithItsFields() {
    HttpResponse<String> reply = server.get("/api/ids");

    assertEquals("[" + detailed(FIRST, 0) + "]", reply.body());
    assertEquals("no-store", header(reply, "cache-control"));
  }

  @Test
  void list_ofSeveral_isInIssuingOrder() {
    assertEquals(
        "[" + detailed(FIRST, 0) + "," + detailed(FIRST + 1, 1) + "]",
        server.get("/api/ids?n=2&tag=default").body());
  }

  @Test
  void list_largest_isWhole() {
    String body = server.get("/api/ids?n=1000").body();

    assertTrue(body.endsWith(detailed(FIRST + 999, 999) + "]"));
  }

  @Test
  void list_absoluteTarget_isServed() {
    try (HttpFixture.Raw raw = server.raw()) {
      raw.send("GET http://localhost/api/ids?n=1 HTTP/1.1\r\nhost: localhost\r\n\r\n");

      assertTrue(raw.reply().startsWith("HTTP/1.1 200 OK"));
    }
  }

  @Test
  void list_whenIdsAreWaitedFor_answersOnceTheyAreThere() throws Exception {
    server.engine.hold = true;
    try (HttpFixture.Raw raw = server.raw()) {
      raw.send("GET /api/ids HTTP/1.1\r\nhost: a\r\n\r\n");
      var call = server.engine.heldCall();
      call.complete(server.engine.batch(1));

      assertTrue(raw.reply().endsWith("[" + detailed(FIRST, 0) + "]"));
    }
  }

  @Test
  void layout_default_hasTheSignOnTop() {
    assertEquals(
        "{\"fields\":[{\"name\":\"sign\",\"bits\":1,\"shift\":63},"
            + "{\"name\":\"time\",\"bits\":41,\"shift\":22},"
            + "{\"name\":\"worker\",\"bits\":10,\"shift\":12},"
            + "{\"name\":\"sequence\",\"bits\":12,\"shift\":0}],"
            + "\"tickMillis\":1,\"epochMillis\":\"1704067200000\",\"name\":\"41/10/12\"}",
        server.get("/api/layout").body());
  }

  @Test
  void health_whenReady_isOk() {
    assertEquals("{\"status\":\"up\",\"reasons\":[]}", server.get("/healthz").body());
    assertEquals("{\"status\":\"ready\",\"reasons\":[]}", server.get("/readyz").body());
    assertEquals("{\"status\":\"started\",\"reasons\":[]}", server.get("/startupz").body());
  }

  @Test
  void health_withoutLease_isAliveAndSaysWhyNotReady() {
    server.engine.health = new EngineHealth(false, List.of("lease: none"));

    assertEquals(200, server.get("/healthz").statusCode());
    assertEquals(503, server.get("/readyz").statusCode());
    assertEquals(
        "{\"status\":\"unready\",\"reasons\":[\"lease: none\"]}", server.get("/readyz").body());
    assertEquals(503, server.get("/startupz").statusCode());
    assertEquals(
        "{\"status\":\"starting\",\"reasons\":[\"lease: none\"]}", server.get("/startupz").body());
  }

  @Test
  void health_whenDraining_isUnreadyButStarted() {
    server.service.drain();

    assertEquals(503, server.get("/readyz").statusCode());
    assertTrue(server.get("/readyz").body().contains("the server is stopping"));
    assertEquals(200, server.get("/startupz").statusCode());
  }

  @Test
  void page_root_isTheIndexWithItsPolicy() {
    HttpResponse<String> reply = server.get("/");

    assertEquals(200, reply.statusCode());
    assertEquals("text/html; charset=utf-8", header(reply, "content-type"));
    assertEquals("no-cache", header(reply, "cache-control"));
    assertEquals("nosniff", header(reply, "x-content-type-options"));
    assertEquals("no-referrer", header(reply, "referrer-policy"));
    assertEquals(
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
            + " img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        header(reply, "content-security-policy"));
    assertTrue(reply.body().contains("<title>page</title>"));
  }

  @Test
  void page_knownByItsTag_isNotSentAgain() {
    String etag = header(server.get("/js/a.js"), "etag");

    HttpResponse<String> again = server.send("GET", "/js/a.js", null, "if-none-match", etag);

    assertEquals(304, again.statusCode());
    assertEquals("", again.body());
    assertEquals("text/javascript; charset=utf-8", header(server.get("/js/a.js"), "content-type"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/nothing",
        "/js",
        "/js/",
        "/js/b.js",
        "/../console/index.html",
        "/js/../index.html",
        "/js/..%2findex.html",
        "/%2e%2e/console/index.html",
        "/js//a.js",
        "/./index.html",
        "/.index.html",
        "/Console.class",
        "/index.html/",
        "/api",
        "/api/ids/"
      })
  void page_whatIsNotThere_isUnknown(String path) {
    try (HttpFixture.Raw raw = server.raw()) {
      String reply = raw.send("GET " + path + " HTTP/1.1\r\nhost: a\r\n\r\n").reply();

      assertTrue(reply.startsWith("HTTP/1.1 404 Not Found"), reply);
      assertTrue(reply.contains("\"reason\":\"UNKNOWN_PATH\""), reply);
    }
  }

  @Test
  void head_ofACall_hasNoBody() {
    try (HttpFixture.Raw raw = server.raw()) {
      raw.send("HEAD /api/layout HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n");
      String reply = raw.untilClosed();

      assertTrue(reply.startsWith("HTTP/1.1 200 OK"), reply);
      assertTrue(reply.contains("content-length: "), reply);
      assertTrue(reply.endsWith("\r\n\r\n"), reply);
    }
  }

  @Test
  void options_ofACall_namesTheMethods() {
    HttpResponse<String> reply = server.send("OPTIONS", "/ids", null);

    assertEquals(204, reply.statusCode());
    assertEquals("POST, OPTIONS", header(reply, "allow"));
    assertEquals("GET, HEAD, OPTIONS", header(server.send("OPTIONS", "/", null), "allow"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"OPTIONS", "GET"})
  void target_ofTheServer_isForOptionsAlone(String method) {
    try (HttpFixture.Raw raw = server.raw()) {
      String reply = raw.send(method + " * HTTP/1.1\r\nhost: a\r\n\r\n").reply();

      int status = method.equals("OPTIONS") ? 204 : 405;
      assertTrue(reply.startsWith("HTTP/1.1 " + status), reply);
      assertTrue(reply.contains("allow: GET, HEAD, POST, PUT, DELETE, OPTIONS\r\n"), reply);
    }
  }

  @Test
  void get_whileTheClientSendsABody_isServed() {
    assertEquals(200, server.send("GET", "/api/ids", "{}").statusCode());
    assertFalse(server.get("/api/ids").body().isEmpty());
  }

  private static String detailed(long id, int sequence) {
    return "{\"id\":\""
        + id
        + "\",\"time\":\""
        + FIRST_TIME
        + "\",\"machine\":7,\"sequence\":"
        + sequence
        + "}";
  }

  private static String header(HttpResponse<String> reply, String name) {
    return reply.headers().firstValue(name).orElse("");
  }
}
