package dev.idgen.server.http;

import dev.idgen.IdBatch;
import dev.idgen.layout.Layout;
import dev.idgen.server.json.InspectJson;
import dev.idgen.server.json.JsonOut;
import dev.idgen.server.service.EngineHealth;
import dev.idgen.server.service.IdService;
import dev.idgen.server.service.ServiceException;
import dev.idgen.server.service.ServiceReason;
import dev.idgen.server.service.Tag;
import dev.idgen.server.service.TagAdmin;
import dev.idgen.time.TimeSource;
import io.vertx.core.Context;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Takes a request to the call it means. Belongs to one event loop. */
final class Routes implements Handler<HttpServerRequest> {
  private static final String GET = "GET, HEAD, OPTIONS";
  private static final String POST = "POST, OPTIONS";
  private static final String INSPECT = "/api/ids/";

  private final IdService service;
  private final HttpLimits limits;
  private final Replies replies;
  private final IdReplies ids;
  private final InspectJson inspect;
  private final Console console = new Console();
  private final Context context;
  private final Thread loop;
  private final AdminRoutes admin;

  /**
   * Routes for the event loop that the calling thread is.
   *
   * @param admin null: the store keeps no tags
   */
  Routes(
      IdService service,
      @Nullable TagAdmin admin,
      AdminAccess access,
      Layout layout,
      HttpLimits limits,
      TimeSource time,
      Replies replies,
      Context context) {
    this.service = service;
    this.limits = limits;
    this.replies = replies;
    this.ids = new IdReplies(layout);
    this.inspect = new InspectJson(layout, time);
    this.context = context;
    this.loop = Thread.currentThread();
    this.admin = new AdminRoutes(admin, access, limits.maxBodyBytes(), replies, this::onLoop);
  }

  @Override
  public void handle(HttpServerRequest request) {
    if (request.version() == null) {
      Malformed.answer(request, limits);
      return;
    }
    try {
      requireHost(request);
      route(request);
    } catch (RuntimeException e) {
      replies.problem(request, e);
    }
  }

  /** RFC 9112, 3.2. */
  private static void requireHost(HttpServerRequest request) {
    if (request.version() == HttpVersion.HTTP_1_1
        && !request.headers().contains(HttpHeaders.HOST)) {
      throw new ServiceException(
          ServiceReason.INVALID_BODY, "request: no host field (expected: one)");
    }
  }

  private void route(HttpServerRequest request) {
    Query query = Query.of(request.uri());
    switch (query.path()) {
      case "/api/ids" -> get(request, () -> list(request, query));
      case "/ids" -> post(request, () -> one(request, query));
      case "/ids/batch" -> post(request, () -> batch(request, query));
      case "/api/layout" -> get(request, () -> replies.ok(request, ids.layout()));
      case "/healthz" -> get(request, () -> replies.ok(request, health("up", null)));
      case "/readyz" -> get(request, () -> ready(request));
      case "/startupz" -> get(request, () -> started(request));
      case "*" -> replies.options(request, "GET, HEAD, POST, OPTIONS");
      default -> other(request, query);
    }
  }

  private void other(HttpServerRequest request, Query query) {
    if (query.path().startsWith(AdminRoutes.PREFIX)) {
      admin.handle(request, query);
      return;
    }
    if (query.path().startsWith(INSPECT) && query.path().length() > INSPECT.length()) {
      get(request, () -> inspect(request, query));
      return;
    }
    Console.Page page = console.find(query.path());
    if (page == null) {
      throw new ServiceException(
          ServiceReason.UNKNOWN_PATH, "path: " + shortened(query.path()) + " (there is none)");
    }
    get(request, () -> replies.page(request, page));
  }

  private void get(HttpServerRequest request, Runnable call) {
    HttpMethod method = request.method();
    if (method.equals(HttpMethod.GET) || method.equals(HttpMethod.HEAD)) {
      call.run();
    } else {
      replies.refuseOrExplain(request, GET);
    }
  }

  private void post(HttpServerRequest request, Runnable call) {
    if (request.method().equals(HttpMethod.POST)) {
      call.run();
    } else {
      replies.refuseOrExplain(request, POST);
    }
  }

  private void list(HttpServerRequest request, Query query) {
    Parameters.requireOnly(query, "n", "tag");
    String n = Parameters.value(query, "n", ServiceReason.INVALID_COUNT);
    int count = n == null ? 1 : Counts.parse("n", n, limits.maxListCount());
    Tag tag = service.tag(Parameters.value(query, "tag", ServiceReason.INVALID_TAG));
    if (count == 1) {
      long id = service.tryIssue(tag);
      if (id >= 0) {
        replies.ok(request, ids.listOf(tag, id));
        return;
      }
    }
    issue(request, tag, count, batch -> ids.listOf(tag, batch));
  }

  private void one(HttpServerRequest request, Query query) {
    Parameters.requireOnly(query);
    BodyReader.read(
        request,
        replies,
        limits.maxBodyBytes(),
        body ->
            guarded(
                request,
                () -> {
                  Tag tag = service.tag(IdRequest.parse(body, false).tag());
                  long id = service.tryIssue(tag);
                  if (id >= 0) {
                    replies.ok(request, ids.one(id));
                  } else {
                    issue(request, tag, 1, batch -> ids.one(batch.runs().get(0).first()));
                  }
                }));
  }

  private void batch(HttpServerRequest request, Query query) {
    Parameters.requireOnly(query, "form");
    boolean runs = isRuns(Parameters.value(query, "form", ServiceReason.INVALID_BODY));
    int max = runs ? limits.maxRunsCount() : limits.maxCount();
    BodyReader.read(
        request,
        replies,
        limits.maxBodyBytes(),
        body ->
            guarded(
                request,
                () -> {
                  IdRequest asked = IdRequest.parse(body, true);
                  Tag tag = service.tag(asked.tag());
                  int count = Counts.parse("count", asked.count(), max);
                  issue(
                      request,
                      tag,
                      count,
                      runs ? batch -> ids.runs(tag, batch) : batch -> ids.texts(tag, batch));
                }));
  }

  private static boolean isRuns(@Nullable String form) {
    if (form == null || form.equals("list")) {
      return false;
    }
    if (form.equals("runs")) {
      return true;
    }
    throw new ServiceException(
        ServiceReason.INVALID_BODY, "form: " + shortened(form) + " (expected: list, runs)");
  }

  private void issue(
      HttpServerRequest request, Tag tag, int count, Function<IdBatch, JsonOut> encoder) {
    replies.requireRoom();
    service
        .issue(tag, count)
        .whenComplete(
            (batch, failure) ->
                onLoop(
                    () -> {
                      if (failure == null) {
                        replies.ok(request, encoder.apply(batch));
                      } else {
                        replies.problem(request, failure);
                      }
                    }));
  }

  /** Ids that were waited for arrive on a timer's thread; replies are the event loop's. */
  private void onLoop(Runnable reply) {
    if (Thread.currentThread() == loop) {
      reply.run();
    } else {
      context.runOnContext(ignored -> reply.run());
    }
  }

  private void guarded(HttpServerRequest request, Runnable call) {
    try {
      call.run();
    } catch (RuntimeException e) {
      replies.problem(request, e);
    }
  }

  private void inspect(HttpServerRequest request, Query query) {
    Parameters.requireOnly(query, "layout");
    String sent = query.path().substring(INSPECT.length());
    String layout = Parameters.value(query, "layout", ServiceReason.INVALID_ID);
    try {
      replies.ok(request, inspect.describe(Query.decode(sent, "id"), layout));
    } catch (IllegalArgumentException e) {
      throw new ServiceException(ServiceReason.INVALID_ID, e.getMessage() + "");
    }
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

  private static String shortened(String text) {
    return text.length() > 80 ? text.substring(0, 80) + "..." : text;
  }
}
