package dev.idgen.server.http;

import dev.idgen.layout.Layout;
import dev.idgen.server.json.InspectJson;
import dev.idgen.server.json.JsonOut;
import dev.idgen.server.metrics.MetricsPage;
import dev.idgen.server.service.Caller;
import dev.idgen.server.service.Callers;
import dev.idgen.server.service.Count;
import dev.idgen.server.service.EngineHealth;
import dev.idgen.server.service.IdService;
import dev.idgen.server.service.IssueRequest;
import dev.idgen.server.service.IssueRequest.Shape;
import dev.idgen.server.service.Issued;
import dev.idgen.server.service.ServiceException;
import dev.idgen.server.service.ServiceReason;
import dev.idgen.time.TimeSource;
import io.vertx.core.Context;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Takes a request to the call it means. Belongs to one event loop. */
final class Routes implements Handler<HttpServerRequest> {
  private static final String GET = "GET, HEAD, OPTIONS";
  private static final String POST = "POST, OPTIONS";
  private static final CharSequence IDEMPOTENCY_KEY =
      HttpHeaders.createOptimized("idempotency-key");
  private static final String INSPECT = "/api/ids/";

  private final IdService service;
  private final Callers callers;
  private final HttpLimits limits;
  private final Replies replies;
  private final IdReplies ids;
  private final LeafRoutes leaf;
  private final TinyIdRoutes tinyId;
  private final DecodeRoute decode;
  private final InspectJson inspect;
  private final Console console = new Console();
  private final Context context;
  private final Thread loop;
  private final AdminRoutes admin;
  private final MetricsPage metrics;

  /**
   * Routes for the event loop that the calling thread is.
   *
   * @param administration what administrators reach
   */
  Routes(
      IdService service,
      Callers callers,
      Administration administration,
      Layout layout,
      HttpLimits limits,
      TimeSource time,
      Replies replies,
      Context context) {
    this.service = service;
    this.callers = callers;
    this.limits = limits;
    this.replies = replies;
    this.ids = new IdReplies(layout);
    this.leaf = new LeafRoutes(service, replies, this::onLoop);
    this.tinyId = new TinyIdRoutes(service, callers, replies, this::onLoop);
    this.decode = new DecodeRoute(service);
    this.inspect = new InspectJson(layout, time);
    this.context = context;
    this.loop = Thread.currentThread();
    this.admin =
        new AdminRoutes(
            new AdminAccess(administration.hosts()),
            callers,
            new TagRoutes(administration.tags(), limits.maxBodyBytes(), replies, this::onLoop),
            new ClusterRoutes(administration.server(), replies, this::onLoop));
    this.metrics = administration.metrics();
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
      case "/ids/decode" -> post(request, () -> decode(request, query));
      case "/ids/batch" -> post(request, () -> batch(request, query));
      case "/api/layout" -> get(request, () -> replies.ok(request, ids.layout()));
      case "/healthz" -> get(request, () -> replies.ok(request, health("up", null)));
      case "/readyz" -> get(request, () -> ready(request));
      case "/startupz" -> get(request, () -> started(request));
      case "/metrics" -> get(request, () -> metrics(request, query));
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
    if (compatible(request, query)) {
      return;
    }
    Console.Page page = console.find(query.path());
    if (page == null) {
      throw new ServiceException(
          ServiceReason.UNKNOWN_PATH, "path: " + shortened(query.path()) + " (there is none)");
    }
    get(request, () -> replies.page(request, page));
  }

  /** The paths of older services. */
  private boolean compatible(HttpServerRequest request, Query query) {
    String path = query.path();
    if (path.startsWith(LeafRoutes.SEGMENT)) {
      get(
          request,
          () -> failsWith500(request, () -> leaf.segment(request, query, caller(request))));
      return true;
    }
    if (path.startsWith(LeafRoutes.SNOWFLAKE)) {
      get(
          request,
          () -> failsWith500(request, () -> leaf.snowflake(request, query, caller(request))));
      return true;
    }
    return path.startsWith(TinyIdRoutes.PREFIX) && tinyId(request, query);
  }

  private void failsWith500(HttpServerRequest request, Runnable call) {
    try {
      call.run();
    } catch (RuntimeException e) {
      replies.problemAs(request, service.refused(e), 500);
    }
  }

  /** Its clients post what others get, with the parameters in the query or in a form. */
  private boolean tinyId(HttpServerRequest request, Query query) {
    HttpMethod method = request.method();
    if (method.equals(HttpMethod.GET) || method.equals(HttpMethod.HEAD)) {
      return tinyId.handle(request, query.path(), query);
    }
    if (!method.equals(HttpMethod.POST)) {
      replies.refuseOrExplain(request, "GET, HEAD, POST, OPTIONS");
      return true;
    }
    if (!tinyId.has(query.path())) {
      return false;
    }
    BodyReader.read(
        request,
        replies,
        limits.maxBodyBytes(),
        body -> tinyId.handle(request, query.path(), query.with(body)));
    return true;
  }

  private void decode(HttpServerRequest request, Query query) {
    Caller caller = caller(request);
    Parameters.requireOnly(query);
    BodyReader.read(
        request,
        replies,
        limits.maxBodyBytes(),
        body -> {
          try {
            replies.ok(request, decode.answer(body, caller));
          } catch (RuntimeException e) {
            replies.problem(request, e);
          }
        });
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
    issued(
        request,
        () -> {
          Caller caller = caller(request);
          Parameters.requireOnly(query, "n", "tag");
          String n = Parameters.value(query, "n", ServiceReason.INVALID_COUNT);
          String tag = Parameters.value(query, "tag", ServiceReason.INVALID_TAG);
          Count count = n == null ? Count.ONE : new Count("n", n, limits.maxListCount());
          issue(request, IssueRequest.of(caller, tag, count, Shape.ANY), ids::listOf);
        });
  }

  private void one(HttpServerRequest request, Query query) {
    issued(
        request,
        () -> {
          Caller caller = caller(request);
          Parameters.requireOnly(query);
          withBody(
              request,
              body -> {
                IdRequest asked = IdRequest.parse(body, false);
                issue(request, of(request, caller, asked, Count.ONE, Shape.ANY), ids::one);
              });
        });
  }

  private void batch(HttpServerRequest request, Query query) {
    issued(
        request,
        () -> {
          Caller caller = caller(request);
          Parameters.requireOnly(query, "form");
          boolean runs = isRuns(Parameters.value(query, "form", ServiceReason.INVALID_BODY));
          withBody(request, body -> batch(request, caller, IdRequest.parse(body, true), runs));
        });
  }

  private void batch(HttpServerRequest request, Caller caller, IdRequest asked, boolean runs) {
    Count count =
        new Count("count", asked.count(), runs ? limits.maxRunsCount() : limits.maxCount());
    Shape shape = runs ? Shape.NUMBERS : Shape.ANY;
    issue(request, of(request, caller, asked, count, shape), runs ? ids::runs : ids::texts);
  }

  private static IssueRequest of(
      HttpServerRequest request, Caller caller, IdRequest asked, Count count, Shape shape) {
    String key = request.headers().get(IDEMPOTENCY_KEY);
    return new IssueRequest(caller, asked.tag(), count, shape, asked.content(), key);
  }

  private Caller caller(HttpServerRequest request) {
    return callers.open()
        ? Caller.ANYBODY
        : callers.ofHeader(request.headers().get(HttpHeaders.AUTHORIZATION));
  }

  private void withBody(HttpServerRequest request, Consumer<byte[]> call) {
    BodyReader.read(
        request, replies, limits.maxBodyBytes(), body -> issued(request, () -> call.accept(body)));
  }

  /** A request for ids that cannot be understood is one that was refused. */
  private void issued(HttpServerRequest request, Runnable call) {
    try {
      call.run();
    } catch (RuntimeException e) {
      replies.problem(request, service.refused(e));
    }
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
      HttpServerRequest request, IssueRequest asked, Function<Issued, JsonOut> encoder) {
    replies.requireRoom();
    var unused =
        service
            .issue(asked)
            .whenComplete(
                (issued, failure) ->
                    onLoop(
                        () -> {
                          if (failure == null) {
                            answer(request, issued, encoder);
                          } else {
                            replies.problem(request, failure);
                          }
                        }));
  }

  private void answer(HttpServerRequest request, Issued issued, Function<Issued, JsonOut> encoder) {
    try {
      replies.ok(request, encoder.apply(issued));
    } catch (RuntimeException e) {
      replies.problem(request, e);
    }
  }

  /** Ids that were waited for arrive on a timer's thread; replies are the event loop's. */
  private void onLoop(Runnable reply) {
    if (Thread.currentThread() == loop) {
      reply.run();
    } else {
      context.runOnContext(ignored -> reply.run());
    }
  }

  private void inspect(HttpServerRequest request, Query query) {
    Parameters.requireOnly(query, "layout");
    String sent = query.path().substring(INSPECT.length());
    String layout = Parameters.value(query, "layout", ServiceReason.INVALID_ID);
    try {
      replies.ok(
          request, inspect.describe(service.withoutPrefix(Query.decode(sent, "id")), layout));
    } catch (IllegalArgumentException e) {
      throw new ServiceException(ServiceReason.INVALID_ID, e.getMessage() + "");
    }
  }

  /** Gathered on a thread of its own: the more tags, the longer it takes. */
  private void metrics(HttpServerRequest request, Query query) {
    Parameters.requireOnly(query);
    var unused = caller(request); // whoever it is
    String accept = request.headers().get(HttpHeaders.ACCEPT);
    var ignored =
        context
            .executeBlocking(() -> metrics.page(accept))
            .onSuccess(page -> replies.text(request, page.type(), page.bytes()))
            .onFailure(failure -> replies.problem(request, failure));
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
