package dev.idgen.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AdminTest {
  private static final String[] JSON = {"content-type", "application/json"};

  private final HttpFixture server = new HttpFixture();

  @AfterEach
  void stop() {
    server.close();
  }

  private HttpResponse<String> put(String tag, String body, String... headers) {
    return server.send("PUT", "/admin/tags/" + tag, body, with(headers));
  }

  private static String[] with(String... headers) {
    String[] all = new String[JSON.length + headers.length];
    System.arraycopy(JSON, 0, all, 0, JSON.length);
    System.arraycopy(headers, 0, all, JSON.length, headers.length);
    return all;
  }

  private static void assertRefused(
      HttpResponse<String> reply, int status, String reason, String detail) {
    JsonObject problem = new JsonObject(reply.body());
    assertEquals(status, reply.statusCode(), reply.body());
    assertEquals(reason, problem.getString("reason"));
    assertEquals(detail, problem.getString("detail"));
  }

  @Test
  void put_newTag_isCreatedAndReadBack() {
    HttpResponse<String> made =
        put(
            "order",
            "{\"engine\":\"segment\",\"step\":20000,\"maximum\":\"9007199254740993\","
                + "\"critical\":true,\"owner\":\"team a\"}");
    assertEquals(201, made.statusCode(), made.body());
    assertEquals("\"1\"", made.headers().firstValue("etag").orElse(""));
    JsonObject tag = new JsonObject(made.body());
    assertEquals("9007199254740993", tag.getString("maximum"));
    assertEquals("1", tag.getString("start"));
    assertEquals(20_000, tag.getInteger("step"));
    assertEquals(true, tag.getBoolean("critical"));
    assertEquals(1, tag.getInteger("version"));
    assertEquals(17, tag.size());

    HttpResponse<String> read = server.get("/admin/tags/order");
    assertEquals(made.body(), read.body());
    assertEquals("\"1\"", read.headers().firstValue("etag").orElse(""));
    assertEquals("no-store", read.headers().firstValue("cache-control").orElse(""));
    assertEquals(200, put("order", made.body()).statusCode()); // as it came, it may be sent back
    assertEquals(1, new JsonObject(server.get("/admin/tags/order").body()).getInteger("version"));
  }

  @Test
  void calls_withATag_useItsEngine() {
    put("order", "{\"engine\":\"segment\"}");
    put("line", "{\"engine\":\"sequence\"}");
    JsonObject batch =
        new JsonObject(server.post("/ids/batch", "{\"tag\":\"order\",\"count\":2}").body());
    assertEquals("segment", batch.getString("engine"));
    assertEquals(2, batch.getJsonArray("ids").size());
    assertEquals(
        "sequence",
        new JsonObject(
                server.post("/ids/batch?form=runs", "{\"biz_tag\":\"line\",\"count\":2}").body())
            .getString("engine"));
    JsonArray list = new JsonArray(server.get("/api/ids?n=2&tag=order").body());
    assertEquals(1, list.getJsonObject(0).size());
    assertTrue(list.getJsonObject(0).getString("id").matches("[0-9]+"));
    assertEquals(1, new JsonArray(server.get("/api/ids?tag=line").body()).getJsonObject(0).size());
    assertEquals(4, new JsonArray(server.get("/api/ids").body()).getJsonObject(0).size());
    assertEquals(200, server.post("/ids", "{\"tag\":\"line\"}").statusCode());
  }

  @Test
  void delete_tag_isGoneForCallsToo() {
    put("order", "{\"engine\":\"segment\"}");
    HttpResponse<String> gone = server.send("DELETE", "/admin/tags/order", null);
    assertEquals(204, gone.statusCode());
    assertEquals("", gone.body());
    assertRefused(
        server.post("/ids", "{\"tag\":\"order\"}"),
        404,
        "UNKNOWN_TAG",
        "tag: order (expected: one that was made)");
    assertEquals(404, server.get("/admin/tags/order").statusCode());
    assertEquals(404, server.send("DELETE", "/admin/tags/order", null).statusCode());
    assertEquals(201, put("order", "{\"engine\":\"segment\"}").statusCode());
  }

  @Test
  void ifMatch_version_isHeldAgainstTheTag() {
    put("order", "{\"engine\":\"segment\"}");
    assertEquals(200, put("order", "{\"step\":500}", "if-match", "\"1\"").statusCode());
    assertRefused(
        put("order", "{\"step\":600}", "if-match", "\"1\""),
        409,
        "VERSION_CONFLICT",
        "tag: order: at version 2 (expected: version 1)");
    assertEquals(409, put("order", "{}", "if-none-match", "*").statusCode());
    assertEquals(409, put("none", "{}", "if-match", "*").statusCode());
    assertEquals(
        409, server.send("DELETE", "/admin/tags/order", null, "if-match", "1").statusCode());
    assertEquals(
        204, server.send("DELETE", "/admin/tags/order", null, "if-match", "2").statusCode());
  }

  /** Asked again after a lost answer, with what was known before, it is done already. */
  @Test
  void ifMatch_raise_isHeldAgainstTheTag() {
    put("order", "{\"engine\":\"segment\"}");
    assertRefused(
        raise("none", 1_000, "*"), 404, "UNKNOWN_TAG", "tag: none (expected: one that was made)");
    assertRefused(
        raise("order", 1_000, "\"2\""),
        409,
        "VERSION_CONFLICT",
        "tag: order: at version 1 (expected: version 2)");
    assertEquals(200, raise("order", 1_000, "\"1\"").statusCode());
    assertEquals("\"2\"", raise("order", 1_000, "\"1\"").headers().firstValue("etag").orElse(""));
    assertEquals(409, raise("order", 2_000, "\"1\"").statusCode());
    assertEquals(200, raise("order", 2_000, "*").statusCode());
    assertEquals(400, raise("order", 2_000, "W/1").statusCode());
    assertRefused(
        server.send(
            "POST",
            "/admin/tags/order/raise",
            "{\"to\":5000}",
            "content-type",
            "application/json",
            "if-none-match",
            "*"),
        409,
        "VERSION_CONFLICT",
        "tag: order: at version 3 (expected: none)");
  }

  private HttpResponse<String> raise(String tag, long to, String known) {
    return server.send(
        "POST",
        "/admin/tags/" + tag + "/raise",
        "{\"to\":" + to + "}",
        "content-type",
        "application/json",
        "if-match",
        known);
  }

  @ParameterizedTest
  @CsvSource({
    "if-match,W/1,'if-match: W/1 (expected: a version like \"3\", or *)'",
    "if-match,0,'if-match: 0 (expected: a version like \"3\", or *)'",
    "if-none-match,2,'if-none-match: 2 (expected: *)'",
  })
  void ifMatch_malformed_isRefused(String header, String value, String detail) {
    assertRefused(put("order", "{}", header, value), 400, "INVALID_BODY", detail);
  }

  @Test
  void list_manyTags_isPaged() {
    IntStream.range(0, 5).forEach(i -> put("t" + i, "{}"));
    JsonObject first = new JsonObject(server.get("/admin/tags?pageSize=4").body());
    assertEquals(List.of("default", "t0", "t1", "t2"), names(first));
    String token = first.getString("nextPageToken");
    JsonObject second =
        new JsonObject(server.get("/admin/tags?pageSize=4&pageToken=" + token).body());
    assertEquals(List.of("t3", "t4"), names(second));
    assertEquals(null, second.getString("nextPageToken"));
    assertRefused(
        server.get("/admin/tags?pageSize=0"),
        400,
        "INVALID_COUNT",
        "pageSize: 0 (expected: 1..1000)");
  }

  private static List<String> names(JsonObject page) {
    return page.getJsonArray("tags").stream()
        .map(tag -> ((JsonObject) tag).getString("tag"))
        .toList();
  }

  @Test
  void raise_segmentTag_answersTheTag() {
    put("order", "{\"engine\":\"segment\"}");
    HttpResponse<String> raised =
        server.send("POST", "/admin/tags/order/raise", "{\"to\":\"1000000\"}", JSON);
    assertEquals(200, raised.statusCode(), raised.body());
    assertEquals(2, new JsonObject(raised.body()).getInteger("version"));
    assertRefused(
        server.send("POST", "/admin/tags/order/raise", "{}", JSON),
        400,
        "INVALID_BODY",
        "to: absent (expected: an id)");
    assertRefused(
        server.send("POST", "/admin/tags/default/raise", "{\"to\":5}", JSON),
        409,
        "ENGINE_MISMATCH",
        "engine: snowflake (expected: segment, sequence: the others have no mark)");
    assertEquals(405, server.get("/admin/tags/order/raise").statusCode());
  }

  @ParameterizedTest
  @CsvSource({
    "'{\"engine\":5}','engine: a number (expected: a text)'",
    "'{\"step\":-1}','step: -1 (expected: 1..2305843009213693951)'",
    "'{\"step\":1.5}','step: 1.5 (expected: 1..2305843009213693951)'",
    "'{\"maximum\":\"9223372036854775808\"}','maximum: 9223372036854775808 (expected: 0..9223372036854775807)'",
    "'{\"ratePerSecond\":1000000001}','ratePerSecond: 1000000001 (expected: 0..1000000000)'",
    "'{\"burst\":-1}','burst: -1 (expected: 0..1000000000)'",
    "'{\"critical\":\"yes\"}','critical: a text (expected: true or false)'",
    "'{\"tag\":\"other\"}','tag: other (expected: order, as in the path)'",
    "'{\"colour\":1}','colour: unknown (expected: engine, text, prefix, start, maximum, step, stepMin, stepMax, critical, ratePerSecond, burst, owner, description)'",
    "'[]','body: a list (expected: a JSON object)'",
  })
  void put_malformed_isRefused(String body, String detail) {
    assertRefused(put("order", body), 400, "INVALID_BODY", detail);
    assertEquals(404, server.get("/admin/tags/order").statusCode());
  }

  @ParameterizedTest
  @ValueSource(strings = {"-a", "a%20b", "a%2Fb", "%C3%A4", ".", "x%00"})
  void put_nameThatCannotBeOne_isRefused(String name) {
    HttpResponse<String> reply = put(name, "{}");
    assertEquals(400, reply.statusCode(), reply.body());
    assertEquals("INVALID_TAG", new JsonObject(reply.body()).getString("reason"));
  }

  /** A page in the administrator's browser cannot send this without asking first. */
  @Test
  void put_withoutJson_isRefused() {
    assertRefused(
        server.send("PUT", "/admin/tags/order", "{}", "content-type", "text/plain"),
        415,
        "UNSUPPORTED_TYPE",
        "content-type: text/plain (expected: application/json)");
    assertRefused(
        server.send("PUT", "/admin/tags/order", "{}"),
        415,
        "UNSUPPORTED_TYPE",
        "content-type: absent (expected: application/json)");
    assertEquals(
        201,
        server
            .send("PUT", "/admin/tags/a", "{}", "content-type", "Application/JSON; charset=utf-8")
            .statusCode());
  }

  @ParameterizedTest
  @CsvSource({
    "evil.example,,403",
    "evil.example:8080,,403",
    "127.0.0.1.evil.example,,403",
    "idgen.example:8080,,200",
    "localhost:1,,200",
    "[::1]:8080,,200",
    "10.1.2.3,,200",
    "localhost:1,http://evil.example,403",
    "localhost:1,null,403",
    "localhost:1,http://localhost:1,200",
    "localhost:1,https://localhost:1,200",
  })
  void hostAndOrigin_foreign_areForbidden(String host, String origin, int status) {
    String lines =
        "GET /admin/tags HTTP/1.1\r\nhost: "
            + host
            + "\r\nconnection: close\r\n"
            + (origin == null ? "" : "origin: " + origin + "\r\n")
            + "\r\n";
    try (HttpFixture.Raw raw = server.raw()) {
      String reply = raw.send(lines).untilClosed();
      assertTrue(reply.startsWith("HTTP/1.1 " + status), reply);
      assertEquals(status == 403, reply.contains("FORBIDDEN"));
    }
  }

  @Test
  void paths_unknownOrWithAnotherMethod_areRefused() {
    assertEquals(404, server.get("/admin/").statusCode());
    assertEquals(404, server.get("/admin/nothing").statusCode());
    assertEquals(405, server.send("POST", "/admin/tags", "{}", JSON).statusCode());
    HttpResponse<String> patch = server.send("PATCH", "/admin/tags/order", "{}", JSON);
    assertEquals(405, patch.statusCode());
    assertEquals("GET, HEAD, PUT, DELETE, OPTIONS", patch.headers().firstValue("allow").orElse(""));
    assertEquals(400, server.get("/admin/tags/order?x=1").statusCode());
    assertEquals(400, put("order?force=maybe", "{}").statusCode());
  }

  @Test
  void storeAway_isUnavailable() {
    server.tags.close();
    HttpResponse<String> reply = put("order", "{}");
    assertEquals(503, reply.statusCode());
    assertEquals("STORE_UNAVAILABLE", new JsonObject(reply.body()).getString("reason"));
    assertTrue(reply.headers().firstValue("retry-after").isPresent());
  }
}
