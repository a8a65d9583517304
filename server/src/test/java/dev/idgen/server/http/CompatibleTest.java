package dev.idgen.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.server.service.Caller;
import dev.idgen.server.service.Callers;
import dev.idgen.server.service.TagRows;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The paths of Leaf and TinyID, read as their users' clients read them. */
class CompatibleTest {
  private HttpFixture server = new HttpFixture();

  @BeforeEach
  void make() {
    HttpResponse<String> made =
        server.send(
            "PUT",
            "/admin/tags/order",
            "{\"engine\":\"segment\",\"step\":1000}",
            "content-type",
            "application/json");
    assertEquals(201, made.statusCode(), made.body());
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/api/segment/get/order", "/api/snowflake/get/any", "/api/snowflake/get/default"})
  void leaf_get_isABareNumber(String path) {
    long next = server.engine.next.get();
    HttpResponse<String> reply = server.get(path);
    assertEquals(200, reply.statusCode(), reply.body());
    assertEquals(next, Long.parseLong(reply.body()));
    assertTrue(reply.headers().firstValue("content-type").orElse("").startsWith("text/plain"));
  }

  @ParameterizedTest
  @CsvSource({
    "/api/segment/get/no,UNKNOWN_TAG",
    "/api/segment/get/default,ENGINE_MISMATCH",
    "/api/segment/get/%20,INVALID_TAG",
  })
  void leaf_failure_is500(String path, String reason) {
    HttpResponse<String> reply = server.get(path);
    assertEquals(500, reply.statusCode(), reply.body());
    JsonObject problem = new JsonObject(reply.body());
    assertEquals(reason, problem.getString("reason"));
    assertEquals(500, problem.getInteger("status"));
  }

  @Test
  void leaf_noKey_isUnknown() {
    assertEquals(404, server.get("/api/segment/get/").statusCode());
    assertEquals(404, server.get("/api/snowflake/get/").statusCode());
  }

  /** {@code {"data":[2],"code":200,"message":""}}, by GET and, as its client does, by POST. */
  @ParameterizedTest
  @CsvSource({
    "bizType=order&token=x,1",
    "bizType=order&token=x&batchSize=3,3",
    "bizType=order&token=x&batchSize=0,0",
    "bizType=order&token=x&batchSize=-7,0",
    "bizType=order&token=x&batchSize=-4290000000,0",
    "bizType=order&token=x&batchSize=-4194967296,0",
    "bizType=order&token=x&batchSize=200000,100000",
  })
  void tinyId_nextId_answersAsTinyIdDoes(String query, int count) {
    for (String method : List.of("GET", "POST")) {
      long next = server.engine.next.get();
      HttpResponse<String> reply = server.send(method, "/tinyid/id/nextId?" + query, null);
      assertEquals(200, reply.statusCode(), reply.body());
      JsonObject read = new JsonObject(reply.body());
      assertEquals(200, read.getInteger("code"));
      assertEquals("", read.getString("message"));
      List<?> data = read.getJsonArray("data").getList();
      assertEquals(count, data.size());
      if (count > 0) {
        assertEquals(next, ((Number) data.get(0)).longValue());
      }
      HttpResponse<String> simple = server.send(method, "/tinyid/id/nextIdSimple?" + query, null);
      assertEquals(200, simple.statusCode());
      String[] ids = simple.body().split(",");
      assertEquals(count, simple.body().isEmpty() ? 0 : ids.length);
      if (count > 0) {
        assertEquals(next + count, Long.parseLong(ids[0]));
      }
    }
  }

  @Test
  void tinyId_form_isReadToo() {
    HttpResponse<String> reply =
        server.send(
            "POST",
            "/tinyid/id/nextIdSimple",
            "bizType=order&batchSize=2",
            "content-type",
            "application/x-www-form-urlencoded");
    assertEquals(2, reply.body().split(",").length, reply.body());
  }

  /** The client takes what is above currentId, up to and including maxId. */
  @Test
  void tinyId_nextSegmentId_isOwnedByTheClient() {
    long next = server.engine.next.get();
    JsonObject read =
        new JsonObject(server.get("/tinyid/id/nextSegmentId?bizType=order&token=x").body());
    assertEquals(200, read.getInteger("code"));
    JsonObject data = read.getJsonObject("data");
    assertEquals(next - 1, data.getLong("currentId"));
    assertEquals(next - 1 + 200, data.getLong("loadingId"));
    assertEquals(next - 1 + 1000, data.getLong("maxId"));
    assertEquals(1, data.getInteger("delta"));
    assertEquals(0, data.getInteger("remainder"));
    assertEquals(next + 1000, server.engine.next.get());
    String[] simple =
        server.get("/tinyid/id/nextSegmentIdSimple?bizType=order&token=x").body().split(",");
    long current = next + 999;
    assertEquals(
        List.of(current + "", (current + 200) + "", (current + 1000) + "", "1", "0"),
        List.of(simple));
  }

  @Test
  void tinyId_compressedForm_isRefusedInItsForm() {
    HttpResponse<String> reply =
        server.send(
            "POST", "/tinyid/id/nextId", "bizType=order&token=x", "content-encoding", "gzip");
    assertEquals(200, reply.statusCode());
    assertEquals(
        "UNSUPPORTED_TYPE: content-encoding: gzip (expected: none)",
        new JsonObject(reply.body()).getString("message"));
  }

  @Test
  void tinyId_batchSizeThatNoNumberHolds_saysHowLongItMayBe() {
    HttpResponse<String> reply =
        server.get("/tinyid/id/nextId?bizType=order&token=x&batchSize=99999999999");
    assertEquals(
        "INVALID_COUNT: batchSize: 99999999999 (expected: a number of up to 10 digits)",
        new JsonObject(reply.body()).getString("message"));
  }

  @ParameterizedTest
  @CsvSource({
    "nextId?token=x,6",
    "nextId?bizType=no&token=x,6",
    "nextId?bizType=no&token=x&batchSize=0,6",
    "nextId?bizType=order&token=x&batchSize=abc,6",
    "nextSegmentId?bizType=default&token=x,6",
  })
  void tinyId_failure_is200WithACode(String call, int code) {
    HttpResponse<String> reply = server.get("/tinyid/id/" + call);
    assertEquals(200, reply.statusCode());
    JsonObject read = new JsonObject(reply.body());
    assertEquals(code, read.getInteger("code"), reply.body());
    assertEquals(null, read.getValue("data"));
    HttpResponse<String> simple = server.get("/tinyid/id/" + call.replace("?", "Simple?"));
    assertEquals(200, simple.statusCode());
    assertEquals("", simple.body());
  }

  @Test
  void tinyId_token_decides() {
    server.close();
    Caller caller = new Caller("web", Set.of(Caller.Right.ISSUE), List.of("default"));
    server =
        new HttpFixture(
            HttpFixture.LIMITS,
            100,
            new Callers(Map.of(Callers.sha256("a-token-of-the-web"), caller)));
    for (String query :
        List.of(
            "bizType=default", "bizType=default&token=no", "bizType=x&token=a-token-of-the-web")) {
      JsonObject read = new JsonObject(server.get("/tinyid/id/nextId?" + query).body());
      assertEquals(5, read.getInteger("code"));
      assertEquals("token is error", read.getString("message"));
    }
    String call = "/tinyid/id/nextId?bizType=default&token=a-token-of-the-web";
    assertEquals(200, new JsonObject(server.get(call).body()).getInteger("code"));
  }

  @Test
  void leaf_keyOfTheCaller_needsNoRightToTheDefault() {
    server.close();
    Caller caller = new Caller("web", Set.of(Caller.Right.ISSUE), List.of("order*"));
    String token = "a-token-of-the-web";
    server =
        new HttpFixture(
            HttpFixture.LIMITS, 100, new Callers(Map.of(Callers.sha256(token), caller)));
    String[] bearer = {"authorization", "Bearer " + token};
    assertEquals(200, server.send("GET", "/api/snowflake/get/order-1", null, bearer).statusCode());
    HttpResponse<String> other = server.send("GET", "/api/snowflake/get/default", null, bearer);
    assertEquals("FORBIDDEN", new JsonObject(other.body()).getString("reason"));
  }

  /** What is left of the tag's rate, whether there was enough of it or not. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "/api/segment/get/slow",
        "/tinyid/id/nextId?bizType=slow",
        "/tinyid/id/nextIdSimple?bizType=slow",
        "/tinyid/id/nextSegmentId?bizType=slow",
      })
  void answers_tagWithARate_tellWhatIsLeft(String path) {
    String body =
        "{\"engine\":\"segment\",\"step\":1,\"stepMin\":1,\"ratePerSecond\":1,\"burst\":1}";
    server.send("PUT", "/admin/tags/slow", body, "content-type", "application/json");
    HttpResponse<String> first = server.get(path);
    HttpResponse<String> second = server.get(path);
    for (HttpResponse<String> reply : List.of(first, second)) {
      assertEquals(
          "\"ids\";q=1;w=1", reply.headers().firstValue("ratelimit-policy").orElse("absent"));
      assertEquals("\"ids\";r=0;t=1", reply.headers().firstValue("ratelimit").orElse("absent"));
    }
    assertTrue(!first.body().contains("RATE_LIMITED"), first.body());
  }

  private double counted(String tag, String engine, String status) {
    String series =
        "idgen_requests_total{biz_tag=\""
            + tag
            + "\",engine=\""
            + engine
            + "\",status=\""
            + status
            + "\"} ";
    return server
        .get("/metrics")
        .body()
        .lines()
        .filter(line -> line.startsWith(series))
        .mapToDouble(line -> Double.parseDouble(line.substring(series.length())))
        .sum();
  }

  /** As the same refusal is over the other protocols. */
  @Test
  void leaf_refusal_isCountedOnceAndAsItsTags() {
    server.directory.apply(TagRows.of("future", "uuidv9"));
    server.get("/api/segment/get/default");
    assertEquals(1, counted("default", "snowflake", "ENGINE_MISMATCH"));
    server.get("/api/segment/get/future");
    server.get("/api/snowflake/get/future");
    assertEquals(2, counted("future", "uuidv9", "ENGINE_MISMATCH"));
    server.get("/api/segment/get/no");
    assertEquals(1, counted("", "", "UNKNOWN_TAG"));
    assertEquals(0, counted("", "", "ENGINE_MISMATCH"));
  }

  @Test
  void leaf_defaultThatIsNoSnowflake_isCountedAsTheDefaults() {
    String path = "/admin/tags/default?force=true";
    server.send("PUT", path, "{\"engine\":\"segment\"}", "content-type", "application/json");
    assertEquals(500, server.get("/api/snowflake/get/any").statusCode());
    assertEquals(1, counted("default", "segment", "ENGINE_MISMATCH"));
  }

  /** A key that no tag can have is of no tag that the caller may have ids of. */
  @Test
  void leaf_keyThatIsNoName_needsTheRightToTheDefault() {
    server.close();
    Caller web = new Caller("web", Set.of(Caller.Right.ISSUE), List.of("order*"));
    Caller all = new Caller("all", Set.of(Caller.Right.ISSUE), List.of("default"));
    server =
        new HttpFixture(
            HttpFixture.LIMITS,
            100,
            new Callers(
                Map.of(
                    Callers.sha256("a-token-of-the-web"), web,
                    Callers.sha256("a-token-of-others"), all)));
    for (String key : List.of("a%20b", "order%20", "_")) {
      String path = "/api/snowflake/get/" + key;
      HttpResponse<String> refused =
          server.send("GET", path, null, "authorization", "Bearer a-token-of-the-web");
      assertEquals(500, refused.statusCode());
      assertEquals("FORBIDDEN", new JsonObject(refused.body()).getString("reason"));
      HttpResponse<String> served =
          server.send("GET", path, null, "authorization", "Bearer a-token-of-others");
      assertEquals(200, served.statusCode(), served.body());
    }
  }

  @Test
  void tinyId_otherPathOrMethod_isUnknown() {
    assertEquals(404, server.get("/tinyid/id/nextIds").statusCode());
    assertEquals(404, server.post("/tinyid/id/nextIds", "").statusCode());
    assertEquals(405, server.send("PUT", "/tinyid/id/nextId", "").statusCode());
  }
}
