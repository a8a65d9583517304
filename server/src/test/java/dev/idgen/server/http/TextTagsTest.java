package dev.idgen.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.server.service.TagRows;
import dev.idgen.text.Text;
import dev.idgen.uuid.UuidV5;
import dev.idgen.uuid.Uuids;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tags whose ids are no plain decimals. */
class TextTagsTest {
  private final HttpFixture server = new HttpFixture();

  @AfterEach
  void stop() {
    server.close();
  }

  private void tag(String name, String body) {
    HttpResponse<String> made =
        server.send("PUT", "/admin/tags/" + name, body, "content-type", "application/json");
    assertEquals(201, made.statusCode(), made.body());
  }

  private String one(String body) {
    HttpResponse<String> reply = server.post("/ids", body);
    assertEquals(200, reply.statusCode(), reply.body());
    return new JsonObject(reply.body()).getString("id");
  }

  private static void assertRefused(
      HttpResponse<String> reply, int status, String reason, String detail) {
    JsonObject problem = new JsonObject(reply.body());
    assertEquals(status, reply.statusCode(), reply.body());
    assertEquals(reason, problem.getString("reason"));
    assertEquals(detail, problem.getString("detail"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"hex", "crockford", "base58", "base62"})
  void ids_textOfTheTag_isTheNumberWithThePrefix(String form) {
    tag("order", "{\"engine\":\"segment\",\"text\":\"" + form + "\",\"prefix\":\"ord_\"}");
    Text text = Text.prefixed("ord_", Text.named(form));
    long next = server.engine.next.get();
    assertEquals(next, text.decode(one("{\"tag\":\"order\"}")));
    JsonObject batch =
        new JsonObject(server.post("/ids/batch", "{\"tag\":\"order\",\"count\":3}").body());
    assertEquals(
        List.of(text.encode(next + 1), text.encode(next + 2), text.encode(next + 3)),
        batch.getJsonArray("ids").getList());
    JsonArray list = new JsonArray(server.get("/api/ids?n=2&tag=order").body());
    assertEquals(text.encode(next + 4), list.getJsonObject(0).getString("id"));
    JsonObject run =
        new JsonObject(
            server.post("/ids/batch?form=runs", "{\"tag\":\"order\",\"count\":2}").body());
    assertEquals(
        String.valueOf(next + 6), run.getJsonArray("runs").getJsonObject(0).getString("first"));
  }

  /** What is pasted is what was given out. */
  @Test
  void inspect_textWithTheTagsPrefix_isReadAsItsNumber() {
    tag("order", "{\"text\":\"crockford\",\"prefix\":\"ord_\"}");
    String id = one("{\"tag\":\"order\"}");
    JsonObject read = new JsonObject(server.get("/api/ids/" + id).body());
    assertEquals(Text.prefixed("ord_", Text.CROCKFORD).decode(id) + "", read.getString("id"));
    assertEquals(7, read.getInteger("machine"));
    JsonObject best = read.getJsonArray("readings").getJsonObject(0);
    assertEquals("crockford", best.getString("form"));
    JsonObject prefix = best.getJsonArray("fields").getJsonObject(0);
    assertEquals("prefix ord_", prefix.getString("name") + " " + prefix.getString("value"));
  }

  /** Who reads an id aloud is forgiven; what a tag has issued is one text alone. */
  @Test
  void decode_textThatNoTagWrites_isRefused() {
    tag("order", "{\"engine\":\"segment\",\"text\":\"crockford\",\"prefix\":\"ord_\"}");
    String id = Text.prefixed("ord_", Text.CROCKFORD).encode(11);
    assertEquals(200, decoded(id).statusCode());
    for (String other : List.of("ord_000000000000b", "ord_OOOOOOOOOOOOB")) {
      assertRefused(
          decoded(other),
          400,
          "INVALID_ID",
          "text: \"" + other + "\" (expected: ord_000000000000B)");
    }
  }

  private HttpResponse<String> decoded(String id) {
    return server.post("/ids/decode", "{\"tag\":\"order\",\"id\":\"" + id + "\"}");
  }

  /** Two tags may write the same text, each for another number. */
  @Test
  void inspect_textOfSeveralTags_isReadAsEachWrites() {
    tag("a", "{\"engine\":\"segment\",\"text\":\"base62\",\"prefix\":\"x_\"}");
    tag("b", "{\"text\":\"base58\",\"prefix\":\"x_\"}");
    tag("c", "{\"text\":\"base58\",\"prefix\":\"x_\"}");
    String id = one("{\"tag\":\"b\"}");
    JsonObject read = new JsonObject(server.get("/api/ids/" + id).body());
    long number = Text.prefixed("x_", Text.BASE58).decode(id);
    assertEquals(String.valueOf(number), read.getString("id"));
    List<String> forms =
        read.getJsonArray("readings").stream()
            .map(reading -> (JsonObject) reading)
            .map(reading -> reading.getString("form") + " " + reading.getString("number"))
            .distinct()
            .toList();
    assertTrue(forms.contains("base58 " + number), forms.toString());
    long other = Text.prefixed("x_", Text.BASE62).decode(id);
    assertTrue(forms.contains("base62 " + other), forms.toString());
    assertFalse(forms.stream().anyMatch(form -> form.startsWith("decimal")), forms.toString());
  }

  @ParameterizedTest
  @CsvSource({
    "uuidv7,[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}",
    "uuidv4,[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}",
    "ulid,'[0-7][0-9A-HJKMNP-TV-Z]{25}'",
    "random,'[0-9A-Za-z_-]{21}'",
  })
  void ids_engineOfTexts_givesThem(String engine, String pattern) {
    tag("doc", "{\"engine\":\"" + engine + "\"}");
    assertTrue(one("{\"tag\":\"doc\"}").matches(pattern));
    JsonObject batch =
        new JsonObject(server.post("/ids/batch", "{\"tag\":\"doc\",\"count\":100}").body());
    List<?> ids = batch.getJsonArray("ids").getList();
    assertEquals(100, new HashSet<>(ids).size());
    assertTrue(ids.stream().allMatch(id -> id.toString().matches(pattern)), batch.toString());
    assertEquals(engine, batch.getString("engine"));
    assertRefused(
        server.post("/ids/batch?form=runs", "{\"tag\":\"doc\",\"count\":2}"),
        409,
        "ENGINE_MISMATCH",
        "engine: "
            + engine
            + " (expected: snowflake, segment, sequence: the ids of others are no 64-bit numbers)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"uuidv7", "ulid"})
  void list_textsWithATime_tellIt(String engine) {
    tag("doc", "{\"engine\":\"" + engine + "\",\"prefix\":\"d-\"}");
    JsonObject first = new JsonArray(server.get("/api/ids?tag=doc").body()).getJsonObject(0);
    assertTrue(first.getString("id").startsWith("d-"));
    Duration age = Duration.between(Instant.parse(first.getString("time")), Instant.now());
    assertTrue(age.abs().compareTo(Duration.ofMinutes(1)) < 0, first.toString());
    assertFalse(first.containsKey("machine"));
  }

  @Test
  void ids_ofContents_areThoseOfTheStandard() {
    tag("file", "{\"engine\":\"content\"}");
    assertEquals(
        Uuids.print(UuidV5.of(UuidV5.DNS, "www.example.com")),
        one("{\"tag\":\"file\",\"content\":\"www.example.com\",\"namespace\":\"dns\"}"));
    String own = one("{\"tag\":\"file\",\"content\":\"a\"}");
    assertEquals(own, one("{\"tag\":\"file\",\"content\":\"a\"}"));
    assertNotEquals(own, one("{\"tag\":\"file\",\"content\":\"b\"}"));
    tag("other", "{\"engine\":\"content\"}");
    assertNotEquals(own, one("{\"tag\":\"other\",\"content\":\"a\"}"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"tag\":\"file\"} | INVALID_BODY | content: absent (expected: what the id is of)",
        "{\"tag\":\"file\",\"namespace\":\"dns\"} | INVALID_BODY | namespace: given without a"
            + " content (expected: both, or neither)",
        "{\"content\":\"a\"} | INVALID_BODY | content: given (expected: none; ids of the engine"
            + " snowflake are of none)",
        "{\"tag\":\"file\",\"content\":1} | INVALID_BODY | content: a number (expected: a text)",
        "{\"tag\":\"file\",\"content\":\"a\",\"namespace\":\"no\"} | INVALID_BODY | namespace: no"
            + " (expected: a UUID, dns, url, oid, x500)",
        "{\"tag\":\"file\",\"content\":\"a\\ud800\"} | INVALID_BODY | content: half a surrogate pair"
            + " (expected: what UTF-8 can hold)",
        "{\"tag\":\"file\",\"content\":\"\\udfff\"} | INVALID_BODY | content: half a surrogate pair"
            + " (expected: what UTF-8 can hold)",
      })
  void ids_contentWhereNoneBelongsOrNone_isRefused(String body, String reason, String detail) {
    tag("file", "{\"engine\":\"content\"}");
    assertRefused(server.post("/ids", body), 400, reason, detail);
  }

  @Test
  void batch_ofContents_isRefusedPastOne() {
    tag("file", "{\"engine\":\"content\"}");
    assertRefused(
        server.post("/ids/batch", "{\"tag\":\"file\",\"count\":2,\"content\":\"a\"}"),
        400,
        "INVALID_COUNT",
        "count: 2 (expected: 1..1 of content)");
  }

  @Test
  void ids_opaque_hideTheNumberAndAreDecoded() {
    tag("order", "{\"engine\":\"segment\",\"text\":\"opaque\",\"prefix\":\"o_\"}");
    long next = server.engine.next.get();
    String id = one("{\"tag\":\"order\"}");
    assertTrue(id.matches("o_k[0-9A-Za-z]{11}"), id);
    HttpResponse<String> read =
        server.post("/ids/decode", "{\"tag\":\"order\",\"id\":\"" + id + "\"}");
    assertEquals(200, read.statusCode(), read.body());
    assertEquals(String.valueOf(next), new JsonObject(read.body()).getString("id"));
    assertFalse(server.get("/api/ids/" + id).body().contains(String.valueOf(next)));
  }

  /** Time, machine and sequence together are the number. */
  @Test
  void list_opaque_tellsNoFields() {
    tag("hidden", "{\"text\":\"opaque\"}");
    JsonObject first = new JsonArray(server.get("/api/ids?tag=hidden").body()).getJsonObject(0);
    assertEquals(java.util.Set.of("id"), first.fieldNames());
    JsonArray many = new JsonArray(server.get("/api/ids?n=100&tag=hidden").body());
    assertEquals(100, many.stream().map(Object::toString).distinct().count());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"tag\":\"order\",\"id\":\"z00000000000\"} | 400 | INVALID_ID",
        "{\"tag\":\"order\",\"id\":\"\"} | 400 | INVALID_ID",
        "{\"tag\":\"order\"} | 400 | INVALID_BODY",
        "{\"tag\":\"order\",\"ids\":[]} | 400 | INVALID_BODY",
        "{\"tag\":\"order\",\"biz_tag\":\"doc\",\"id\":\"k00000000000\"} | 400 | INVALID_BODY",
        "{\"tag\":\"no\",\"id\":\"k00000000000\"} | 404 | UNKNOWN_TAG",
        "{\"tag\":\"doc\",\"id\":\"k00000000000\"} | 409 | ENGINE_MISMATCH",
      })
  void decode_whatIsNoId_isRefused(String body, int status, String reason) {
    tag("order", "{\"engine\":\"segment\",\"text\":\"opaque\"}");
    tag("doc", "{\"engine\":\"ulid\"}");
    HttpResponse<String> reply = server.post("/ids/decode", body);
    assertEquals(status, reply.statusCode(), reply.body());
    assertEquals(reason, new JsonObject(reply.body()).getString("reason"));
  }

  /** What is set now says nothing of ids that were issued before. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"start\":\"9000000000000000000\"}",
        "{\"maximum\":\"1000\"}",
      })
  void decode_tagChangedSince_readsWhatItIssued(String change) {
    tag("order", "{\"engine\":\"segment\",\"text\":\"opaque\"}");
    String id = one("{\"tag\":\"order\"}");
    String[] json = {"content-type", "application/json"};
    assertEquals(200, server.send("PUT", "/admin/tags/order", change, json).statusCode());
    HttpResponse<String> read =
        server.post("/ids/decode", "{\"tag\":\"order\",\"id\":\"" + id + "\"}");
    assertEquals(200, read.statusCode(), read.body());
  }

  @Test
  void decode_tagNeverChanged_refusesWhatIsOutOfItsRange() {
    tag("order", "{\"engine\":\"segment\",\"start\":\"7\"}");
    assertEquals(400, server.post("/ids/decode", "{\"tag\":\"order\",\"id\":\"6\"}").statusCode());
    assertEquals(200, server.post("/ids/decode", "{\"tag\":\"order\",\"id\":\"7\"}").statusCode());
  }

  /** What is wrong takes nothing, from a limit neither. */
  @Test
  void ids_wrongRequest_takesNothingFromTheLimit() {
    tag("file", "{\"engine\":\"content\",\"ratePerSecond\":1}");
    assertEquals(400, server.post("/ids", "{\"tag\":\"file\"}").statusCode());
    assertEquals(
        400,
        server
            .post("/ids", "{\"tag\":\"file\",\"content\":\"a\",\"namespace\":\"no\"}")
            .statusCode());
    one("{\"tag\":\"file\",\"content\":\"a\"}");
  }

  @Test
  void ids_overTheTagsLimit_areRefusedWithATime() {
    tag("slow", "{\"ratePerSecond\":1,\"burst\":2}");
    HttpResponse<String> first = server.post("/ids/batch", "{\"tag\":\"slow\",\"count\":2}");
    assertEquals(200, first.statusCode());
    assertEquals(
        "\"ids\";q=2;w=2", first.headers().firstValue("ratelimit-policy").orElse("absent"));
    assertEquals("\"ids\";r=0;t=2", first.headers().firstValue("ratelimit").orElse("absent"));
    HttpResponse<String> reply = server.post("/ids", "{\"tag\":\"slow\"}");
    assertRefused(
        reply, 429, "RATE_LIMITED", "tag: slow: over its limit (expected: 1 ids a second)");
    assertEquals("1", reply.headers().firstValue("retry-after").orElse(""));
    assertEquals(
        "\"ids\";q=2;w=2", reply.headers().firstValue("ratelimit-policy").orElse("absent"));
    HttpResponse<String> never = server.post("/ids/batch", "{\"tag\":\"slow\",\"count\":3}");
    assertEquals(400, never.statusCode());
    assertEquals(
        "\"ids\";q=2;w=2", never.headers().firstValue("ratelimit-policy").orElse("absent"));
    assertEquals(Optional.empty(), server.post("/ids", "").headers().firstValue("ratelimit"));
  }

  /** Another server has made it, with keys or a version that this one lacks. */
  @Test
  void calls_tagThatThisServerCannotServe_areToldWhy() {
    server.directory.apply(TagRows.of("future", "uuidv9"));
    String why =
        "tag: future: this server cannot serve it: engine: uuidv9 (expected: snowflake, segment,"
            + " sequence, uuidv7, uuidv4, ulid, random, content)";
    for (HttpResponse<String> reply :
        List.of(
            server.post("/ids", "{\"tag\":\"future\"}"),
            server.post("/ids/batch", "{\"tag\":\"future\",\"count\":2}"),
            server.post("/ids/batch?form=runs", "{\"tag\":\"future\",\"count\":2}"),
            server.get("/api/ids?tag=future"),
            server.post("/ids/decode", "{\"tag\":\"future\",\"id\":\"1\"}"))) {
      assertRefused(reply, 409, "ENGINE_MISMATCH", why);
    }
    for (String path : List.of("/api/segment/get/future", "/api/snowflake/get/future")) {
      assertRefused(server.get(path), 500, "ENGINE_MISMATCH", why);
    }
    for (String call : List.of("nextId", "nextSegmentId")) {
      JsonObject reply =
          new JsonObject(server.get("/tinyid/id/" + call + "?bizType=future").body());
      assertEquals("ENGINE_MISMATCH: " + why, reply.getString("message"));
    }
  }
}
