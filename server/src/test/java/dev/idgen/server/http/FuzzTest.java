package dev.idgen.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.server.config.ConfigLoader;
import dev.idgen.server.main.IdgenServer;
import dev.idgen.time.TimeSource;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.StringJoiner;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Input that nobody would send, to a whole server with its own store: half of it sound. Whatever
 * comes, the server answers as {@code openapi.json} says, and never that it has failed itself.
 */
class FuzzTest {
  private static final int CALLS = 400;
  private static final List<String> TAGS =
      List.of("default", "a", "b", "c", "d", "order", "doc", "file", "secret");

  /** Values as JSON has them, of fields that could hold any. */
  private static final List<String> ODD =
      List.of(
          "null",
          "true",
          "[]",
          "{}",
          "[[[[[1]]]]]",
          "-1",
          "0",
          "1",
          "00",
          "1e400",
          "1.5",
          "9223372036854775807",
          "9223372036854775808",
          "123456789012345678901234567890",
          "\"\"",
          "\" \"",
          "\"0\"",
          "\"-0\"",
          "\"9223372036854775807\"",
          "\"\\u0000\"",
          "\"\\ud800\"",
          "\"\\ud83d\\ude00\"",
          "\"\u00e4\u4e2d\"",
          "\"%2e%2e/\"",
          "\"' or 1=1 --\"",
          "\"" + "x".repeat(200) + "\"",
          "tru",
          "");

  @TempDir private Path folder;

  private final long seed = Long.getLong("idgen.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private IdgenServer server;
  private Contract contract;

  @BeforeEach
  void start() throws IOException {
    System.out.println("idgen.seed=" + seed);
    Path keys = folder.resolve("keys.yaml");
    Files.writeString(keys, "- name: k\n  key: " + "0f".repeat(16) + "\n");
    Map<String, String> flags =
        Map.of(
            "http-port",
            "0",
            "resp-port",
            "0",
            "data",
            folder.toString(),
            "opaque.keys",
            keys.toString());
    server =
        new IdgenServer(
            ConfigLoader.load(Map.of(), flags, folder, TimeSource.system().wallMillis()));
    server.start().toCompletableFuture().join();
    contract = new Contract(call("GET", "/openapi.json", "").body());
    put("order", "{\"engine\":\"segment\"}");
    put("doc", "{\"engine\":\"ulid\",\"prefix\":\"d_\"}");
    put("file", "{\"engine\":\"content\"}");
    put("secret", "{\"engine\":\"segment\",\"text\":\"opaque\"}");
  }

  @AfterEach
  void stop() {
    assertEquals(200, call("POST", "/ids", "{\"tag\":\"order\"}").status()); // it served on
    server.stop();
  }

  private Exchange call(String method, String target, String body) {
    return Exchange.of(server.httpPort(), method, target, body, "content-type", "application/json");
  }

  private Exchange oddly(String method, String target, String body) {
    String name = oneOf(List.of("idempotency-key", "authorization", "traceparent", "if-match"));
    List<String> values =
        List.of(
            "a", "b", "\u00e4", " ", "k".repeat(300), "Bearer x", "*", "00-0-0-01", "\t,\u0001");
    return Exchange.of(server.httpPort(), method, target, body, name, oneOf(values));
  }

  private void put(String tag, String body) {
    assertEquals(201, call("PUT", "/admin/tags/" + tag, body).status());
  }

  private void check(Exchange exchange) {
    String shown = "idgen.seed=" + seed + ": " + exchange;
    assertTrue(!exchange.body().contains("INTERNAL"), shown);
    assertTrue(!exchange.body().contains("cannot serve"), shown); // what was made is served
    assertEquals(List.of(), contract.faults(exchange), shown);
  }

  private String oneOf(List<String> some) {
    return some.get(random.nextInt(some.size()));
  }

  private static List<String> quoted(List<String> texts) {
    return texts.stream().map(text -> '"' + text + '"').toList();
  }

  /** Some fields, each with a sound value or an odd one. */
  private String object(Map<String, List<String>> fields) {
    StringJoiner object = new StringJoiner(",", "{", "}");
    for (Map.Entry<String, List<String>> field : fields.entrySet()) {
      if (random.nextInt(3) > 0) {
        String value = random.nextInt(4) > 0 ? oneOf(field.getValue()) : oneOf(ODD);
        object.add('"' + field.getKey() + "\":" + value);
      }
    }
    return random.nextInt(8) > 0 ? object.toString() : mangled(object.toString());
  }

  private String mangled(String text) {
    StringBuilder changed = new StringBuilder(text);
    for (int changes = random.nextInt(4); changes >= 0; changes--) {
      int at = random.nextInt(changed.length());
      switch (random.nextInt(3)) {
        case 0 -> changed.setCharAt(at, (char) random.nextInt(0x250));
        case 1 -> changed.insert(at, (char) random.nextInt(128));
        default -> changed.setLength(at + 1);
      }
    }
    return changed.toString();
  }

  @Test
  void fuzz_callsForIds_areServedOrRefused() {
    List<String> tags = quoted(TAGS);
    Map<String, List<String>> fields =
        Map.of(
            "tag",
            tags,
            "biz_tag",
            tags,
            "content",
            List.of("\"a\"", "\"\""),
            "namespace",
            List.of("\"dns\"", "\"6ba7b810-9dad-11d1-80b4-00c04fd430c8\""));
    Map<String, List<String>> counted =
        Map.of(
            "tag", tags,
            "count", List.of("1", "2", "\"3\"", "10000", "1000000"),
            "content", List.of("\"a\""));
    List<String> queries = List.of("", "", "?form=runs", "?form=list", "?form=", "?x=1", "?form=a");
    for (int i = 0; i < CALLS; i++) {
      check(call("POST", "/ids", object(fields)));
      check(call("POST", "/ids/batch" + oneOf(queries), object(counted)));
      check(oddly("POST", "/ids", object(fields)));
      check(oddly("POST", "/ids/batch" + oneOf(queries), object(counted)));
    }
  }

  @Test
  void fuzz_texts_areDecodedOrRefused() {
    List<String> issued = new ArrayList<>();
    for (String tag : List.of("default", "order", "secret")) {
      String id =
          new JsonObject(call("POST", "/ids", "{\"tag\":\"" + tag + "\"}").body()).getString("id");
      issued.add('"' + id + '"');
      issued.add('"' + id.substring(1) + '"');
      issued.add('"' + id + "0\"");
    }
    issued.add("\"k00000000000\"");
    issued.add("\"kzzzzzzzzzzz\"");
    Map<String, List<String>> fields =
        Map.of("tag", quoted(TAGS), "biz_tag", quoted(TAGS), "id", issued);
    for (int i = 0; i < CALLS; i++) {
      check(call("POST", "/ids/decode", object(fields)));
      String text = oneOf(issued).replace("\"", "");
      String sent = random.nextBoolean() ? "0" + text : mangled("0" + text);
      check(call("GET", "/api/ids/" + URLEncoder.encode(sent, StandardCharsets.UTF_8), ""));
    }
  }

  @Test
  void fuzz_olderServices_areAnsweredAsTheyAnswer() {
    List<String> calls = List.of("nextId", "nextIdSimple", "nextSegmentId", "nextSegmentIdSimple");
    List<String> sizes =
        List.of("", "0", "-1", "3", "20000", "99999999999", "x", "%zz", "1&batchSize=2");
    for (int i = 0; i < CALLS / 3; i++) {
      String tag =
          URLEncoder.encode(
              random.nextInt(4) > 0 ? oneOf(TAGS) : oneOf(ODD), StandardCharsets.UTF_8);
      String form = "bizType=" + tag + "&token=x&batchSize=" + oneOf(sizes);
      boolean posted = random.nextBoolean();
      String path = "/tinyid/id/" + oneOf(calls);
      Exchange answer = posted ? call("POST", path, form) : call("GET", path + "?" + form, "");
      assertEquals(200, answer.status(), answer.toString());
      assertTrue(!answer.body().contains("INTERNAL"), answer.toString());
      for (String leaf : List.of("/api/segment/get/", "/api/snowflake/get/")) {
        if (!tag.isEmpty()) {
          check(call("GET", leaf + tag, ""));
        }
      }
    }
  }

  /** Then its tags give ids, or say why they do not. */
  @Test
  void fuzz_tags_areMadeOrRefusedAndGiveIdsThen() {
    List<String> numbers =
        List.of(
            "0",
            "1",
            "2",
            "100",
            "10000",
            "\"1000000\"",
            "4611686018427387904",
            "9223372036854775807");
    Map<String, List<String>> rest =
        Map.of(
            "prefix", List.of("\"\"", "\"p_\"", "\"1\"", "\"~:.\""),
            "step", numbers,
            "stepMin", numbers,
            "stepMax", numbers,
            "critical", List.of("true", "false"),
            "ratePerSecond", numbers,
            "burst", numbers,
            "owner", List.of("\"me\""),
            "version", List.of("1"));
    Map<String, List<String>> first =
        Map.of(
            "engine",
            quoted(
                List.of(
                    "snowflake",
                    "segment",
                    "sequence",
                    "uuidv7",
                    "uuidv4",
                    "ulid",
                    "random",
                    "content",
                    "no")),
            "text",
            quoted(
                List.of(
                    "decimal", "hex", "crockford", "base58", "base62", "opaque", "native", "no")),
            "start",
            numbers,
            "maximum",
            numbers);
    for (int i = 0; i < CALLS; i++) {
      String tag = oneOf(List.of("a", "b", "c", "d"));
      String body = object(first);
      String more = object(rest);
      boolean whole =
          body.endsWith("}") && more.startsWith("{") && body.length() > 2 && more.length() > 2;
      String both = whole ? body.substring(0, body.length() - 1) + "," + more.substring(1) : body;
      Exchange made =
          call("PUT", "/admin/tags/" + tag + (random.nextBoolean() ? "?force=true" : ""), both);
      check(made);
      check(call("POST", "/ids", "{\"tag\":\"" + tag + "\"}"));
      check(
          call("POST", "/ids/batch", "{\"tag\":\"" + tag + "\",\"count\":" + oneOf(numbers) + "}"));
      check(call("GET", "/api/ids?n=2&tag=" + tag, ""));
      if (random.nextInt(4) == 0) {
        check(call("POST", "/admin/tags/" + tag + "/raise", object(Map.of("to", numbers))));
      }
      if (random.nextInt(4) == 0) {
        check(call("DELETE", "/admin/tags/" + tag, ""));
      }
      if (made.status() < 300) {
        check(call("PUT", "/admin/tags/" + tag, made.body())); // as it came, it may be sent back
      }
    }
  }
}
