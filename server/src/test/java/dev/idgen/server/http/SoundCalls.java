package dev.idgen.server.http;

import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;

/** Each call of the server as its users make it, in an order in which all are served. */
final class SoundCalls {
  private static final String[] JSON = {"content-type", "application/json"};

  private final int port;
  private final List<Exchange> made = new ArrayList<>();

  private SoundCalls(int port) {
    this.port = port;
  }

  /** Makes all of them, on a server without tags of its own and with keys of opaque ids. */
  static List<Exchange> of(int port) {
    SoundCalls calls = new SoundCalls(port);
    calls.tags();
    calls.ids();
    calls.decoding();
    calls.olderServices();
    calls.management();
    calls.pages();
    return calls.made;
  }

  private Exchange call(String method, String target, String body, String... headers) {
    Exchange exchange = Exchange.of(port, method, target, body, headers);
    made.add(exchange);
    return exchange;
  }

  private Exchange get(String target, String... headers) {
    return call("GET", target, "", headers);
  }

  private Exchange post(String target, String body) {
    return call("POST", target, body);
  }

  private void put(String tag, String body) {
    call("PUT", "/admin/tags/" + tag, body, JSON);
  }

  private void tags() {
    put("order", "{\"engine\":\"segment\",\"step\":1000}");
    put("order", "{\"engine\":\"segment\",\"owner\":\"billing\"}");
    call("PUT", "/admin/tags/line?force=false", "{\"engine\":\"sequence\"}", JSON);
    put("doc", "{\"engine\":\"ulid\",\"prefix\":\"d_\"}");
    put("file", "{\"engine\":\"content\"}");
    put(
        "secret",
        "{\"engine\":\"segment\",\"text\":\"opaque\",\"start\":\"7\",\"ratePerSecond\":100000}");
    Exchange read = get("/admin/tags/order");
    put("order", read.body());
    get("/admin/tags?pageSize=2");
    get("/admin/tags?pageSize=2&pageToken=doc");
    get("/admin/tags");
    call("POST", "/admin/tags/order/raise", "{\"to\":\"5000\"}", JSON);
  }

  private void ids() {
    post("/ids", "");
    post("/ids", "{\"tag\":\"default\"}");
    post("/ids", "{\"biz_tag\":\"order\"}");
    post("/ids", "{\"tag\":\"doc\"}");
    post("/ids", "{\"tag\":\"file\",\"content\":\"a\"}");
    post("/ids", "{\"tag\":\"file\",\"content\":\"a\",\"namespace\":\"url\"}");
    post("/ids/batch", "{\"count\":3}");
    post("/ids/batch?form=list", "{\"tag\":\"doc\",\"count\":\"2\"}");
    post("/ids/batch?form=runs", "{\"tag\":\"line\",\"count\":5000}");
    get("/api/ids");
    get("/api/ids?n=3&tag=order");
    get("/api/ids?n=2&tag=doc");
    get("/api/layout");
    Exchange one = post("/ids", "");
    get("/api/ids/" + new JsonObject(one.body()).getString("id"));
    get("/api/ids/1888944671579078978?layout=twitter");
    get("/api/ids/018f4e5a-5c4d-7abc-8def-0123456789ab");
    get("/api/ids/hello-0123456789a");
    get("/api/ids/42");
  }

  private void decoding() {
    String id = new JsonObject(post("/ids", "{\"tag\":\"secret\"}").body()).getString("id");
    post("/ids/decode", "{\"tag\":\"secret\",\"id\":\"" + id + "\"}");
    post("/ids/decode", "{\"biz_tag\":\"order\",\"id\":\"5001\"}");
  }

  private void olderServices() {
    get("/api/segment/get/order");
    get("/api/snowflake/get/anything");
    String tag = "?bizType=order&token=none";
    for (String method : List.of("GET", "POST")) {
      call(method, "/tinyid/id/nextId" + tag + "&batchSize=3", "");
      call(method, "/tinyid/id/nextId?bizType=nobody", "");
      call(method, "/tinyid/id/nextIdSimple" + tag, "");
      call(method, "/tinyid/id/nextIdSimple?bizType=nobody", "");
      call(method, "/tinyid/id/nextSegmentId" + tag, "");
      call(method, "/tinyid/id/nextSegmentId?bizType=default", "");
      call(method, "/tinyid/id/nextSegmentIdSimple" + tag, "");
    }
    post("/tinyid/id/nextId", "bizType=order&batchSize=2");
  }

  private void management() {
    get("/healthz");
    get("/readyz");
    get("/startupz");
    get("/metrics");
    get("/metrics", "accept", "application/openmetrics-text; version=1.0.0");
    get("/admin/workers?pageSize=1");
    get("/admin/workers?pageSize=1&pageToken=5");
    JsonObject clock = new JsonObject(get("/admin/clock").body());
    Exchange audit = get("/admin/audit?pageSize=1");
    String token = new JsonObject(audit.body()).getString("nextPageToken");
    get("/admin/audit?pageToken=" + token);
    call("DELETE", "/admin/tags/line", "");
    int held = clock.getJsonArray("workers").getInteger(0);
    post("/admin/workers/" + held + "/release", "");
  }

  private void pages() {
    for (String path : List.of("/", "/index.html", "/openapi.json")) {
      String etag = get(path).headers().getOrDefault("etag", "");
      get(path, "if-none-match", etag);
    }
  }
}
