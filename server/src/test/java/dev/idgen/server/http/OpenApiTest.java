package dev.idgen.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.Reason;
import dev.idgen.server.config.Config;
import dev.idgen.server.config.ConfigLoader;
import dev.idgen.server.main.IdgenServer;
import dev.idgen.server.service.Caller;
import dev.idgen.server.service.Callers;
import dev.idgen.server.service.EngineHealth;
import dev.idgen.server.service.ServiceException;
import dev.idgen.server.service.ServiceReason;
import dev.idgen.server.service.TagRows;
import dev.idgen.time.TimeSource;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.json.schema.OutputUnit;
import io.vertx.json.schema.SchemaRepository;
import io.vertx.openapi.contract.OpenAPIVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * {@code openapi.json} against the server, both ways: what it answers is described, and what is
 * described is answered.
 */
class OpenApiTest {
  private static final String[] JSON = {"content-type", "application/json"};

  /** Calls that take ids, with what their engine refuses as status of the reason. */
  private static final List<String[]> ISSUING =
      List.of(
          new String[] {"POST", "/ids", "{\"tag\":\"TAG\"}"},
          new String[] {"POST", "/ids/batch", "{\"tag\":\"TAG\",\"count\":1}"},
          new String[] {"GET", "/api/ids?tag=TAG", ""});

  private static final List<String[]> LEAF =
      List.of(
          new String[] {"GET", "/api/segment/get/TAG", ""},
          new String[] {"GET", "/api/snowflake/get/TAG", ""});

  @TempDir private Path folder;

  private final HttpFixture server = new HttpFixture();
  private final Contract contract = new Contract(server.get("/openapi.json").body());
  private final Set<String> answered = new TreeSet<>();
  private final List<String> faults = new ArrayList<>();

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void document_isOpenApi() {
    String text = server.get("/openapi.json").body();
    assertFalse(text.contains("${"), text);
    Vertx vertx = Vertx.vertx();
    try {
      SchemaRepository standard =
          OpenAPIVersion.V3_1.getRepository(vertx, "https://idgen.example/").await();
      OutputUnit result =
          OpenAPIVersion.V3_1.validateContract(vertx, standard, new JsonObject(text)).await();
      assertTrue(result.getValid(), () -> result.toJson().encodePrettily());
      JsonObject wrong = new JsonObject(text);
      wrong.getJsonObject("paths").getJsonObject("/ids").getJsonObject("post").put("responses", 1);
      assertFalse(OpenAPIVersion.V3_1.validateContract(vertx, standard, wrong).await().getValid());
    } finally {
      vertx.close().await();
    }
  }

  @Test
  void document_tellsTheLimitsOfTheServer() throws IOException {
    HttpLimits limits =
        new HttpLimits(5, 7, 3, 65_000, 8_000, 5_000, 15_000, 600_000, 10_000, 256, 32 << 20);
    try (HttpFixture small = new HttpFixture(limits, 10)) {
      JsonObject schemas =
          new JsonObject(small.get("/openapi.json").body())
              .getJsonObject("components")
              .getJsonObject("schemas");
      JsonObject ids = schemas.getJsonObject("IdList").getJsonObject("properties");
      assertEquals(5, ids.getJsonObject("ids").getInteger("maxItems"));
      assertTrue(schemas.getJsonObject("BatchRequest").encode().contains("\"maximum\":7"));
      assertTrue(small.get("/openapi.json").body().contains("may have 65000 bytes"));
    }
  }

  @Test
  void routes_areThoseOfTheDocument() {
    Set<String> served = new TreeSet<>(Set.of("GET /{file}", "GET /"));
    Map<String, String> allowed = new LinkedHashMap<>();
    for (Route route : server.routes().table().all()) {
      allowed.put(route.path(), route.allowed());
      for (String method : route.allowed().split(", ")) {
        if (!method.equals("HEAD") && !method.equals("OPTIONS")) {
          served.add(method + " " + route.path());
        }
      }
    }
    Set<String> described = new TreeSet<>();
    contract.operations().forEach(operation -> described.add(operation.name()));
    assertEquals(served, described);
    allowed.forEach(
        (path, methods) -> {
          String sent = path.replaceAll("\\{[^}]+}", "7");
          assertEquals(
              methods, Exchange.of(server.port, "OPTIONS", sent, "").headers().get("allow"), path);
        });
  }

  /** The contract would be no check if it took whatever comes. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          POST | /ids | 200 | content-type: application/json | {"id":5}
          POST | /ids | 200 | content-type: application/json | {"id":"5","more":1}
          POST | /ids | 200 | content-type: text/plain | 5
          POST | /ids | 200 | content-type: application/json & x: y | {"id":"5"}
          POST | /ids | 204 | x: y | ''
          GET  | /api/ids?n=x | 200 | content-type: application/json | [{"id":"5"}]
          GET  | /api/ids?more=1 | 200 | content-type: application/json | [{"id":"5"}]
          GET  | /api/ids | 200 | content-type: application/json | [{"id":"5","time":"now"}]
          GET  | /api/ids | 200 | content-type: application/json | []
          GET  | /admin/tags/x | 200 | content-type: application/json | {"tag":"x"}
          GET  | /metrics | 401 | content-type: application/problem+json | {"type":"about:blank","title":"t","status":401,"detail":"d","reason":"UNAUTHENTICATED","traceId":"0af7651916cd43dd8448eb211c80319c"}
          GET  | /healthz | 400 | content-type: application/problem+json | {"type":"about:blank","title":"t","status":400,"detail":"d","reason":"INVALID_TAG","traceId":"0af7651916cd43dd8448eb211c80319c"}
          GET  | /healthz | 400 | content-type: application/problem+json | {"type":"about:blank","title":"t","status":401,"detail":"d","reason":"INVALID_BODY","traceId":"0af7651916cd43dd8448eb211c80319c"}
          """)
  void contract_anotherAnswer_isAFault(
      String method, String target, int status, String header, String body) {
    String head = "HTTP/1.1 " + status + " x\r\n" + header.replace(" & ", "\r\n") + "\r\n\r\n";
    assertFalse(contract.faults(Exchange.answered(method, target, "", head + body)).isEmpty());
  }

  /** A whole server with its own store and engines. */
  @Test
  void server_whole_answersAsDescribed() throws IOException {
    Files.writeString(folder.resolve("keys.yaml"), "- name: k\n  key: " + "0f".repeat(16) + "\n");
    Map<String, String> flags =
        Map.of(
            "http-port",
            "0",
            "resp-port",
            "0",
            "data",
            folder.toString(),
            "opaque.keys",
            folder.resolve("keys.yaml").toString());
    Config config = ConfigLoader.load(Map.of(), flags, folder, TimeSource.system().wallMillis());
    IdgenServer whole = new IdgenServer(config);
    try {
      whole.start().toCompletableFuture().join();
      SoundCalls.of(whole.httpPort()).forEach(this::note);
    } finally {
      whole.stop();
    }
    assertEquals(List.of(), faults);
    Set<String> served = new HashSet<>();
    answered.stream()
        .map(answer -> answer.split(" "))
        .filter(parts -> parts[2].startsWith("2"))
        .forEach(parts -> served.add(parts[0] + " " + parts[1]));
    contract.operations().forEach(operation -> served.remove(operation.name()));
    assertEquals(Set.of(), served);
  }

  @Test
  void answers_eachThatIsDescribed_isGivenAndNoOther() throws Exception {
    SoundCalls.of(server.port).forEach(this::note);
    invalid();
    unknown();
    unhealthy();
    conflicts();
    limited();
    repeated();
    refusedByEngines();
    refusedTokens();
    refusedConnections();
    send("DELETE", "/admin/tags/default", "");
    send("GET", "/api/snowflake/get/any", "");
    storeAway();
    withoutTags();
    assertEquals(List.of(), faults);
    Set<String> missing = new TreeSet<>(contract.answers());
    missing.removeAll(answered);
    assertEquals(Set.of(), missing);
  }

  private void note(Exchange exchange) {
    contract.faults(exchange).forEach(fault -> faults.add(exchange + ": " + fault));
    answered.add(contract.answer(exchange));
  }

  private void send(String method, String target, String body, String... headers) {
    note(Exchange.of(server.port, method, target, body, headers));
  }

  private void invalid() {
    for (Contract.Operation operation : contract.operations()) {
      String target = target(operation);
      String line = operation.method() + " " + target + " HTTP/1.1\r\n";
      note(
          Exchange.raw(
              server.port, operation.method(), target, "", line + "connection: close\r\n\r\n"));
    }
    send("POST", "/ids", "{\"tag\":\"-\"}");
    send("POST", "/ids/batch", "{\"tag\":\"-\",\"count\":1}");
    send("POST", "/ids/batch", "{\"count\":0}");
    send("POST", "/ids/decode", "{\"tag\":\"-\",\"id\":\"1\"}");
    send("POST", "/ids/decode", "{\"id\":\"x\"}");
    send("GET", "/api/ids?tag=-", "");
    send("GET", "/api/ids?n=0", "");
    send("GET", "/api/ids/abc", "");
    send("GET", "/admin/tags?pageSize=0", "");
    send("GET", "/admin/workers?pageSize=0", "");
    send("GET", "/admin/audit?pageSize=0", "");
    send("GET", "/admin/tags/-", "");
    send("PUT", "/admin/tags/-", "{}", JSON);
    send("PUT", "/admin/tags/a", "{}");
    send("DELETE", "/admin/tags/-", "");
    send("POST", "/admin/tags/-/raise", "{\"to\":1}", JSON);
    send("POST", "/admin/tags/a/raise", "{\"to\":1}");
    for (String call : List.of("/ids", "/ids/batch", "/ids/decode")) {
      send("POST", call, "{}", "content-encoding", "gzip");
    }
    send("POST", "/admin/workers/x/release", "");
    send(
        "POST",
        "/admin/workers/7/release",
        "x=1",
        "content-type",
        "application/x-www-form-urlencoded");
  }

  /** A path that would be served. */
  private static String target(Contract.Operation operation) {
    return operation.path().replace("{file}", "index.html").replaceAll("\\{[^}]+}", "7");
  }

  private void unknown() {
    send("POST", "/ids", "{\"tag\":\"nobody\"}");
    send("POST", "/ids/batch", "{\"tag\":\"nobody\",\"count\":1}");
    send("POST", "/ids/decode", "{\"tag\":\"nobody\",\"id\":\"1\"}");
    send("GET", "/api/ids?tag=nobody", "");
    send("GET", "/admin/tags/nobody", "");
    send("DELETE", "/admin/tags/nobody", "");
    send("POST", "/admin/tags/nobody/raise", "{\"to\":1}", JSON);
    send("GET", "/nobody", "");
    for (String file : List.of("page.css", "page.js", "page.svg")) {
      send("GET", "/" + file, "");
    }
    send("GET", "/api/segment/get/nobody", "");
    send("GET", "/api/segment/get/-", "");
    send("GET", "/api/snowflake/get/%zz", "");
  }

  private void unhealthy() {
    server.engine.health = new EngineHealth(false, List.of("lease: none"));
    send("GET", "/readyz", "");
    send("GET", "/startupz", "");
    server.engine.health = EngineHealth.WELL;
  }

  private void conflicts() {
    send(
        "PUT",
        "/admin/tags/order",
        "{\"owner\":\"x\"}",
        "content-type",
        "application/json",
        "if-match",
        "99");
    send("PUT", "/admin/tags/order", "{\"engine\":\"snowflake\"}", JSON);
    send("DELETE", "/admin/tags/order", "", "if-match", "99");
    send("POST", "/admin/tags/default/raise", "{\"to\":1}", JSON);
    send(
        "POST",
        "/admin/tags/order/raise",
        "{\"to\":1}",
        "content-type",
        "application/json",
        "if-match",
        "99");
    send("POST", "/ids/batch?form=runs", "{\"tag\":\"doc\",\"count\":1}");
    send("POST", "/ids/decode", "{\"tag\":\"doc\",\"id\":\"1\"}");
    server.directory.apply(TagRows.of("future", "uuidv9"));
    ISSUING.forEach(
        call -> send(call[0], call[1].replace("TAG", "future"), call[2].replace("TAG", "future")));
    LEAF.forEach(call -> send(call[0], call[1].replace("TAG", "future"), ""));
  }

  /** The second call is one too many. */
  private void limited() {
    List<String[]> calls = new ArrayList<>(ISSUING);
    calls.addAll(LEAF);
    for (int i = 0; i < calls.size(); i++) {
      String engine = calls.get(i)[1].contains("/segment/") ? "segment" : "snowflake";
      String tag = "slow" + i;
      String body = "{\"engine\":\"" + engine + "\",\"ratePerSecond\":1}";
      send("PUT", "/admin/tags/" + tag, body, JSON);
      for (int times = 0; times < 2; times++) {
        send(
            calls.get(i)[0],
            calls.get(i)[1].replace("TAG", tag),
            calls.get(i)[2].replace("TAG", tag));
      }
    }
  }

  /** The first one is on its way when the second one comes, and done when the third one does. */
  private void repeated() throws InterruptedException {
    for (String[] call : ISSUING.subList(0, 2)) {
      String body = call[2].replace("TAG", "default");
      String key = "key-of-" + call[1];
      server.engine.hold = true;
      try (HttpFixture.Raw first = server.raw()) {
        String head = "POST " + call[1] + " HTTP/1.1\r\nhost: localhost\r\nidempotency-key: " + key;
        first.send(head + "\r\ncontent-length: " + body.length() + "\r\n\r\n" + body);
        var held = server.engine.heldCall();
        send("POST", call[1], body, "idempotency-key", key);
        held.complete(server.engine.batch(1));
        note(Exchange.answered("POST", call[1], body, first.reply()));
      }
      server.engine.hold = false;
    }
    String one = "key-of-" + ISSUING.get(0)[1];
    send("POST", "/ids/batch", "{\"count\":2}", "idempotency-key", one);
    send("POST", "/ids/batch", "{\"count\":2}", "idempotency-key", "two");
    send("POST", "/ids", "", "idempotency-key", "two");
  }

  private void refusedByEngines() {
    for (Reason reason : Reason.values()) {
      if (reason != Reason.UNKNOWN_TAG) { // the directory says that
        server.engine.refuse(reason, "no", 0);
        refused();
      }
    }
    server.engine.refusal = null;
    server.engine.fault = new IllegalStateException("broken");
    refused();
    server.engine.fault = null;
  }

  private void refused() {
    ISSUING.forEach(
        call -> send(call[0], call[1].replace("TAG", "order"), call[2].replace("TAG", "order")));
    send("GET", "/api/segment/get/order", "");
    send("GET", "/api/snowflake/get/any", "");
  }

  private void refusedTokens() {
    Caller weak = new Caller("weak", Set.of(), List.of("*"));
    Callers callers = new Callers(Map.of(Callers.sha256("a-weak-token-of-mine"), weak));
    try (HttpFixture guarded = new HttpFixture(HttpFixture.LIMITS, 10, callers)) {
      for (Contract.Operation operation : contract.operations()) {
        if (operation.path().startsWith("/tinyid")) {
          continue; // theirs is a parameter
        }
        String body = operation.path().equals("/ids/decode") ? "{\"id\":\"1\"}" : "{\"count\":1}";
        String sent = operation.method().equals("POST") ? body : "";
        String json = operation.path().equals("/ids") ? "{}" : sent;
        note(Exchange.of(guarded.port, operation.method(), target(operation), json));
        note(
            Exchange.of(
                guarded.port,
                operation.method(),
                target(operation),
                json,
                "authorization",
                "Bearer a-weak-token-of-mine"));
      }
    }
  }

  /** What a connection is told before its request is understood. */
  private void refusedConnections() {
    HttpLimits none =
        new HttpLimits(1, 1, 1, 64 << 10, 8 << 10, 5_000, 15_000, 600_000, 0, 256, 32 << 20);
    try (HttpFixture full = new HttpFixture(none, 10);
        HttpFixture hasty = new HttpFixture(HttpFixture.HASTY, 10)) {
      Map<Contract.Operation, HttpFixture.Raw> late = new LinkedHashMap<>();
      for (Contract.Operation operation : contract.operations()) {
        String method = operation.method();
        String target = target(operation);
        String line = method + " " + target + " HTTP/1.1\r\nhost: localhost\r\n";
        late.put(operation, hasty.raw().send(line));
        note(
            Exchange.raw(
                server.port, method, target, "", line + "x: " + "y".repeat(9_000) + "\r\n\r\n"));
        try (HttpFixture.Raw turnedAway = full.raw()) {
          note(Exchange.answered(method, target, "", turnedAway.untilClosed()));
        }
      }
      late.forEach(
          (operation, raw) -> {
            String answer = raw.untilClosed();
            raw.close();
            note(Exchange.answered(operation.method(), target(operation), "", answer));
          });
    }
  }

  private void storeAway() {
    server.directory.setProblem("store: away");
    send("GET", "/admin/tags", "");
    send("POST", "/ids/decode", "{\"tag\":\"nobody\",\"id\":\"1\"}");
    server.tags.close();
    send("GET", "/admin/tags/order", "");
    send("PUT", "/admin/tags/order", "{}", JSON);
    send("DELETE", "/admin/tags/order", "");
    send("POST", "/admin/tags/order/raise", "{\"to\":1}", JSON);
    server.admin.failure =
        new ServiceException(ServiceReason.STORE_UNAVAILABLE, "store: away", 1_000);
    send("GET", "/admin/workers", "");
    send("POST", "/admin/workers/3/release", "");
  }

  private void withoutTags() {
    Map<String, String> flags =
        Map.of(
            "http-port",
            "0",
            "resp-port",
            "0",
            "data",
            folder.toString(),
            "store",
            "file:" + folder.resolve("f"));
    Config config = ConfigLoader.load(Map.of(), flags, folder, TimeSource.system().wallMillis());
    IdgenServer bare = new IdgenServer(config);
    try {
      bare.start().toCompletableFuture().join();
      for (Contract.Operation operation : contract.operations()) {
        if (operation.path().startsWith("/admin/tags")) {
          note(Exchange.of(bare.httpPort(), operation.method(), target(operation), "{}", JSON));
        }
      }
    } finally {
      bare.stop();
    }
  }
}
