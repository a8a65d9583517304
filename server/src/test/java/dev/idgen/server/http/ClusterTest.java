package dev.idgen.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What administrators see beside tags. */
class ClusterTest {
  private final HttpFixture server = new HttpFixture();

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void workers_list_tellsWhoHasThemAndWhenTheyAreFree() {
    JsonObject reply = new JsonObject(server.get("/admin/workers").body());
    JsonArray workers = reply.getJsonArray("workers");
    assertEquals(3, workers.size());
    JsonObject held = workers.getJsonObject(0);
    assertEquals(3, held.getInteger("worker"));
    assertEquals("a-host", held.getString("owner"));
    assertEquals("2027-01-15T08:00:50Z", held.getString("horizon"));
    assertEquals("2027-01-15T08:00:55Z", held.getString("freeFrom"));
    assertEquals(null, workers.getJsonObject(1).getValue("owner"));
    assertFalse(reply.containsKey("nextPageToken"));
  }

  @Test
  void workers_pages_haveEachOnce() {
    JsonObject first = new JsonObject(server.get("/admin/workers?pageSize=2").body());
    assertEquals("7", first.getString("nextPageToken"));
    JsonObject second = new JsonObject(server.get("/admin/workers?pageSize=2&pageToken=7").body());
    assertEquals(9, second.getJsonArray("workers").getJsonObject(0).getInteger("worker"));
    assertFalse(second.containsKey("nextPageToken"));
  }

  @Test
  void release_answersTheRow() {
    HttpResponse<String> reply = server.send("POST", "/admin/workers/9/release", null);
    assertEquals(200, reply.statusCode(), reply.body());
    assertEquals(9, new JsonObject(reply.body()).getInteger("worker"));
  }

  /** What a form of a foreign page could send is no way to take a worker id away. */
  @ParameterizedTest
  @CsvSource({
    "text/plain,x,415",
    "application/x-www-form-urlencoded,x=1,415",
    "multipart/form-data,'',415",
    "application/json,{},200",
  })
  void release_withABody_takesJsonAlone(String type, String body, int status) {
    HttpResponse<String> reply =
        server.send("POST", "/admin/workers/9/release", body, "content-type", type);
    assertEquals(status, reply.statusCode(), reply.body());
  }

  @ParameterizedTest
  @CsvSource({
    "POST,/admin/workers/8/release,400,INVALID_ID",
    "POST,/admin/workers/x/release,400,INVALID_ID",
    "POST,/admin/workers//release,404,UNKNOWN_PATH",
    "POST,/admin/workers/-1/release,400,INVALID_ID",
    "GET,/admin/workers/9/release,405,METHOD_NOT_ALLOWED",
    "POST,/admin/workers,405,METHOD_NOT_ALLOWED",
    "GET,/admin/workers/9,404,UNKNOWN_PATH",
    "GET,/admin/workers?pageSize=0,400,INVALID_COUNT",
    "GET,/admin/workers?pageToken=x,400,INVALID_BODY",
    "GET,/admin/clock?x=1,400,INVALID_BODY",
    "GET,/admin/audit?pageSize=1001,400,INVALID_COUNT",
    "GET,/admin/,404,UNKNOWN_PATH",
  })
  void call_wrong_isRefused(String method, String path, int status, String reason) {
    HttpResponse<String> reply = server.send(method, path, null);
    assertEquals(status, reply.statusCode(), reply.body());
    assertEquals(reason, new JsonObject(reply.body()).getString("reason"));
  }

  @Test
  void clock_tellsItsState() {
    JsonObject clock = new JsonObject(server.get("/admin/clock").body());
    assertEquals(12, clock.getInteger("offsetMs"));
    assertEquals(1, clock.getInteger("rollbacks"));
    assertEquals(List.of(3), clock.getJsonArray("workers").getList());
  }

  @Test
  void audit_givesLinesAsTheyAreAndWhereToGoOn() {
    JsonObject audit = new JsonObject(server.get("/admin/audit?pageSize=1").body());
    assertEquals("start", audit.getJsonArray("entries").getJsonObject(0).getString("event"));
    String more = audit.getString("nextPageToken");
    assertFalse(
        new JsonObject(server.get("/admin/audit?pageToken=" + more).body())
            .containsKey("nextPageToken"));
  }

  @Test
  void metrics_countEveryRequestByTagEngineAndOutcome() {
    server.post("/ids", "");
    server.post("/ids/batch", "{\"count\":5}");
    server.post("/ids/batch", "{\"count\":0}");
    server.post("/ids", "{\"tag\":\"no\"}");
    server.post("/ids", "{");
    server.post("/ids", " ".repeat(70_000));
    HttpResponse<String> reply = server.get("/metrics");
    assertTrue(reply.headers().firstValue("content-type").orElse("").startsWith("text/plain"));
    String page = reply.body();
    for (String line :
        List.of(
            "idgen_requests_total{biz_tag=\"default\",engine=\"snowflake\",status=\"OK\"} 2.0",
            "idgen_requests_total{biz_tag=\"default\",engine=\"snowflake\",status=\"INVALID_COUNT\"} 1.0",
            "idgen_requests_total{biz_tag=\"\",engine=\"\",status=\"UNKNOWN_TAG\"} 1.0",
            "idgen_requests_total{biz_tag=\"\",engine=\"\",status=\"INVALID_BODY\"} 1.0",
            "idgen_requests_total{biz_tag=\"\",engine=\"\",status=\"TOO_LARGE\"} 1.0",
            "idgen_ids_issued_total{biz_tag=\"default\",engine=\"snowflake\"} 6.0",
            "idgen_request_duration_ms_count{engine=\"snowflake\"} 2",
            "idgen_request_duration_seconds_count{engine=\"snowflake\"} 2",
            "idgen_clock_rollback_total 1.0",
            "idgen_clock_leap_total 2.0",
            "idgen_lease_renew_fail_total 3.0",
            "idgen_worker_register_fail_total 4.0",
            "idgen_sequence_exhausted_total 5.0",
            "idgen_worker_pool_used 6.0",
            "idgen_worker_pool_size 1024.0",
            "idgen_clock_offset_seconds 0.005",
            "idgen_ready 1.0")) {
      assertTrue(page.contains(line + "\n"), line + " in\n" + page);
    }
    assertTrue(page.contains("idgen_years_left "), page);
  }

  @Test
  void metrics_openMetrics_isGivenToWhoAsks() {
    HttpResponse<String> reply =
        server.send("GET", "/metrics", null, "accept", "application/openmetrics-text");
    assertTrue(
        reply
            .headers()
            .firstValue("content-type")
            .orElse("")
            .startsWith("application/openmetrics"));
    assertTrue(reply.body().endsWith("# EOF\n"));
  }
}
