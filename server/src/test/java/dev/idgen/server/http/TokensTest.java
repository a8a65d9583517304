package dev.idgen.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.server.service.Caller;
import dev.idgen.server.service.Caller.Right;
import dev.idgen.server.service.Callers;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A server whose callers must bear a token. */
class TokensTest {
  private static final String WEB = "token-of-the-web-shop";
  private static final String OPS = "token-of-the-operator";
  private static final String TEAM = "token-of-the-team-order";
  private static final String WATCH = "token-of-prometheus";
  private static final String OUT = "token-of-the-decoder1";

  private final HttpFixture server =
      new HttpFixture(
          HttpFixture.LIMITS,
          100,
          new Callers(
              Map.of(
                  Callers.sha256(WEB),
                  new Caller("web", Set.of(Right.ISSUE), List.of("default", "order.*")),
                  Callers.sha256(OPS),
                  new Caller("ops", Set.of(Right.ADMIN), List.of("*")),
                  Callers.sha256(TEAM),
                  new Caller("team", Set.of(Right.ADMIN), List.of("order.*")),
                  Callers.sha256(WATCH),
                  new Caller("watch", Set.of(Right.METRICS), List.of("no")),
                  Callers.sha256(OUT),
                  new Caller("out", Set.of(Right.DECODE), List.of("*")))));

  @AfterEach
  void stop() {
    server.close();
  }

  private HttpResponse<String> call(
      String method, String path, @Nullable String body, String token) {
    String[] json = {"content-type", "application/json", "authorization", "Bearer " + token};
    return server.send(method, path, body, json);
  }

  private static void assertRefused(HttpResponse<String> reply, int status, String reason) {
    assertEquals(status, reply.statusCode(), reply.body());
    assertEquals(reason, new JsonObject(reply.body()).getString("reason"));
    assertFalse(reply.body().contains("token-of"), reply.body());
  }

  @Test
  void ids_tokenThatMay_areIssued() {
    assertEquals(200, call("POST", "/ids", "", WEB).statusCode());
    HttpResponse<String> lower =
        server.send("GET", "/api/ids", null, "authorization", "bearer " + WEB);
    assertEquals(200, lower.statusCode());
  }

  @ParameterizedTest
  @CsvSource({
    "POST,/ids,{}",
    "POST,/ids/batch,'{\"count\":2}'",
    "GET,/api/ids,",
    "POST,/ids/decode,'{\"id\":\"1\"}'",
    "GET,/admin/tags,",
    "GET,/metrics,",
  })
  void call_withoutAKnownToken_isUnauthenticated(String method, String path, String body) {
    HttpResponse<String> reply = server.send(method, path, body);
    assertRefused(reply, 401, "UNAUTHENTICATED");
    assertEquals("Bearer", reply.headers().firstValue("www-authenticate").orElse(""));
    assertRefused(call(method, path, body, "another-token-here"), 401, "UNAUTHENTICATED");
    assertRefused(
        server.send(method, path, body, "authorization", "Basic " + WEB), 401, "UNAUTHENTICATED");
    assertRefused(
        server.send(method, path, body, "authorization", "Bearer "), 401, "UNAUTHENTICATED");
  }

  @ParameterizedTest
  @CsvSource({
    "POST,/ids,'{\"tag\":\"invoice\"}',token-of-the-web-shop",
    "POST,/ids,'{\"tag\":\"order\"}',token-of-the-web-shop",
    "POST,/ids,{},token-of-the-operator",
    "POST,/ids/decode,'{\"id\":\"1\"}',token-of-the-web-shop",
    "GET,/admin/tags,,token-of-the-web-shop",
    "PUT,/admin/tags/order,{},token-of-the-web-shop",
    "POST,/admin/workers/3/release,,token-of-the-decoder1",
    "GET,/admin/audit,,token-of-the-decoder1",
    "GET,/metrics,,token-of-the-decoder1",
    "GET,/metrics,,token-of-the-web-shop",
  })
  void call_tokenThatMayNot_isForbidden(String method, String path, String body, String token) {
    assertRefused(call(method, path, body, token), 403, "FORBIDDEN");
  }

  /** Numbers of ids that hide them are for those who may have them back. */
  @ParameterizedTest
  @CsvSource({
    "POST,/ids/batch?form=runs,'{\"tag\":\"order.x\",\"count\":2}',403",
    "GET,/api/snowflake/get/order.x,,500",
  })
  void call_numbersOfOpaqueIds_needTheRightToDecode(
      String method, String path, @Nullable String body, int status) {
    assertEquals(
        201, call("PUT", "/admin/tags/order.x", "{\"text\":\"opaque\"}", OPS).statusCode());
    assertEquals(200, call("POST", "/ids", "{\"tag\":\"order.x\"}", WEB).statusCode());
    assertRefused(call(method, path, body, WEB), status, "FORBIDDEN");
  }

  @Test
  void call_tokenWithTheRight_isAnswered() {
    assertEquals(200, call("GET", "/admin/tags", null, OPS).statusCode());
    assertEquals(201, call("PUT", "/admin/tags/order.a", "{}", OPS).statusCode());
    assertEquals(200, call("POST", "/ids", "{\"tag\":\"order.a\"}", WEB).statusCode());
    assertEquals(200, call("POST", "/ids/decode", "{\"id\":\"12\"}", OUT).statusCode());
    assertEquals(200, call("GET", "/metrics", null, OPS).statusCode());
    assertEquals(200, call("GET", "/metrics", null, WATCH).statusCode());
  }

  /** Whoever manages some tags neither sees nor touches others. */
  @Test
  void admin_ofSomeTags_managesTheseAlone() {
    for (String tag : List.of("order.a", "order.b", "other")) {
      assertEquals(201, call("PUT", "/admin/tags/" + tag, "{}", OPS).statusCode());
    }
    String engine = "{\"engine\":\"segment\"}";
    assertEquals(201, call("PUT", "/admin/tags/order.c", engine, TEAM).statusCode());
    assertEquals(
        200, call("POST", "/admin/tags/order.c/raise", "{\"to\":\"5\"}", TEAM).statusCode());
    assertEquals(200, call("GET", "/admin/tags/order.a", null, TEAM).statusCode());
    assertEquals(204, call("DELETE", "/admin/tags/order.b", null, TEAM).statusCode());
    for (String tag : List.of("other", "none", "default")) {
      String path = "/admin/tags/" + tag;
      assertRefused(call("GET", path, null, TEAM), 403, "FORBIDDEN");
      assertRefused(call("PUT", path, "{}", TEAM), 403, "FORBIDDEN");
      assertRefused(call("DELETE", path, null, TEAM), 403, "FORBIDDEN");
      assertRefused(call("POST", path + "/raise", "{\"to\":\"5\"}", TEAM), 403, "FORBIDDEN");
    }
    assertEquals(List.of("order.a", "order.c"), listed("/admin/tags"));
    assertEquals(List.of("order.a"), listed("/admin/tags?pageSize=1"));
    assertEquals(List.of("order.c"), listed("/admin/tags?pageSize=1&pageToken=order.a"));
  }

  private List<String> listed(String path) {
    return new JsonObject(call("GET", path, null, TEAM).body())
        .getJsonArray("tags").stream().map(tag -> ((JsonObject) tag).getString("tag")).toList();
  }

  @ParameterizedTest
  @CsvSource({
    "GET,/admin/workers,",
    "POST,/admin/workers/3/release,",
    "GET,/admin/clock,",
    "GET,/admin/audit,",
    "GET,/metrics,",
  })
  void admin_ofSomeTags_hasNoSayInTheWholeCluster(String method, String path, String body) {
    assertRefused(call(method, path, body, TEAM), 403, "FORBIDDEN");
    assertFalse(call(method, path, body, OPS).statusCode() == 403, path);
  }

  /** How a tag writes its ids is for those who take them or decode them. */
  @Test
  void inspect_textOfATag_isReadForWhoMayKnowTheTag() {
    String made = "{\"text\":\"crockford\",\"prefix\":\"ord7_\"}";
    assertEquals(201, call("PUT", "/admin/tags/order.a", made, OPS).statusCode());
    HttpResponse<String> issued = call("POST", "/ids", "{\"tag\":\"order.a\"}", WEB);
    String path = "/api/ids/" + new JsonObject(issued.body()).getString("id");
    for (String token : List.of(WEB, OUT)) {
      assertEquals(200, call("GET", path, null, token).statusCode());
    }
    for (String token : List.of(OPS, WATCH, "another-token-here")) {
      assertRefused(call("GET", path, null, token), 400, "INVALID_ID");
    }
    assertRefused(server.get(path), 400, "INVALID_ID");
    assertEquals(
        new JsonObject(server.get(path.replace("ord7_", "nun7_")).body())
            .getString("detail")
            .replace("nun7_", "ord7_"),
        new JsonObject(server.get(path).body()).getString("detail")); // as of a tag there is not
  }

  /** Of two, one that checks tokens in front of the server may have looked at the other. */
  @ParameterizedTest
  @CsvSource({
    "GET /api/ids",
    "GET /admin/tags",
    "GET /metrics",
    "POST /ids/decode",
  })
  void call_withTwoTokens_isUnauthenticated(String call) {
    String line = "authorization: Bearer " + (call.contains("a") ? OPS : OUT) + "\r\n";
    String head = call + " HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n";
    try (HttpFixture.Raw raw = server.raw()) {
      String reply = raw.send(head + line + line + "\r\n").untilClosed();
      assertTrue(reply.startsWith("HTTP/1.1 401"), reply);
      assertTrue(reply.contains("authorization: given twice"), reply);
    }
  }

  @Test
  void call_withTwoTokensOverHttp2_isUnauthenticated() {
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put(":method", "GET");
    fields.put(":scheme", "http");
    fields.put(":path", "/api/ids");
    fields.put(":authority", "localhost");
    fields.put("authorization", "Bearer " + WEB);
    byte[] once = RawHttp2.fields(fields);
    byte[] more = RawHttp2.fields(Map.of("authorization", "Bearer " + WEB));
    byte[] twice = Arrays.copyOf(once, once.length + more.length);
    System.arraycopy(more, 0, twice, once.length, more.length);
    try (RawHttp2 client = RawHttp2.connect(server.port)) {
      int whole = RawHttp2.END_HEADERS | RawHttp2.END_STREAM;
      assertEquals(
          "200", client.frame(RawHttp2.HEADERS, whole, 1, once).reply(1).get(0).field(":status"));
      assertEquals(
          "401", client.frame(RawHttp2.HEADERS, whole, 3, twice).reply(3).get(0).field(":status"));
    }
  }

  /** Whoever watches the server has no token, and what they see is no secret. */
  @ParameterizedTest
  @CsvSource({
    "/healthz",
    "/readyz",
    "/startupz",
    "/",
    "/api/ids/721864159923240960",
    "/api/layout"
  })
  void call_thatTellsNoSecret_needsNone(String path) {
    assertEquals(200, server.get(path).statusCode());
  }
}
