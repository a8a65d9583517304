package dev.idgen.server.http;

import static io.vertx.core.http.HttpMethod.GET;

import dev.idgen.server.json.JsonOut;
import dev.idgen.server.metrics.MetricsPage;
import dev.idgen.server.service.Callers;
import dev.idgen.server.service.EngineHealth;
import dev.idgen.server.service.IdService;
import io.vertx.core.Context;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import org.jspecify.annotations.Nullable;

/** The calls that tell whoever runs the server how it is. Belongs to one event loop. */
final class HealthRoutes {
  private final IdService service;
  private final Callers callers;
  private final MetricsPage metrics;
  private final Replies replies;
  private final Context context;

  HealthRoutes(
      IdService service, Callers callers, MetricsPage metrics, Replies replies, Context context) {
    this.service = service;
    this.callers = callers;
    this.metrics = metrics;
    this.replies = replies;
    this.context = context;
  }

  void addTo(RouteTable table) {
    table.add("/healthz", GET, (request, query, none) -> alive(request));
    table.add("/readyz", GET, (request, query, none) -> ready(request));
    table.add("/startupz", GET, (request, query, none) -> started(request));
    table.add("/metrics", GET, (request, query, none) -> metrics(request, query));
  }

  private void alive(HttpServerRequest request) {
    replies.ok(request, health("up", null));
  }

  private void ready(HttpServerRequest request) {
    EngineHealth health = service.health();
    boolean ready = health.ready();
    replies.json(request, ready ? 200 : 503, health(ready ? "ready" : "unready", health));
  }

  private void started(HttpServerRequest request) {
    EngineHealth health = service.health();
    boolean started = health.started();
    replies.json(
        request,
        started ? 200 : 503,
        health(started ? "started" : "starting", started ? null : health));
  }

  private static JsonOut health(String status, @Nullable EngineHealth health) {
    JsonOut out = new JsonOut(128).beginObject().name("status").text(status);
    out.name("reasons").beginArray();
    if (health != null) {
      health.reasons().forEach(out::text);
    }
    return out.endArray().endObject();
  }

  /** Gathered on a thread of its own: the more tags, the longer it takes. */
  private void metrics(HttpServerRequest request, Query query) {
    Parameters.requireOnly(query);
    Bearer.of(request, callers).requireMetrics();
    String accept = request.headers().get(HttpHeaders.ACCEPT);
    var ignored =
        context
            .executeBlocking(() -> metrics.page(accept))
            .onSuccess(page -> replies.text(request, page.type(), page.bytes()))
            .onFailure(failure -> replies.problem(request, failure));
  }
}
