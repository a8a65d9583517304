package dev.idgen.server.http;

import static io.vertx.core.http.HttpMethod.GET;
import static io.vertx.core.http.HttpMethod.POST;

import dev.idgen.layout.Layout;
import dev.idgen.server.json.InspectJson;
import dev.idgen.server.json.JsonOut;
import dev.idgen.server.service.Caller;
import dev.idgen.server.service.Callers;
import dev.idgen.server.service.Count;
import dev.idgen.server.service.IdService;
import dev.idgen.server.service.IssueRequest;
import dev.idgen.server.service.IssueRequest.Shape;
import dev.idgen.server.service.Issued;
import dev.idgen.server.service.ServiceException;
import dev.idgen.server.service.ServiceReason;
import dev.idgen.server.service.TagInspector;
import dev.idgen.time.TimeSource;
import io.vertx.core.Context;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Takes a request to the call it means. Belongs to one event loop. */
final class Routes implements Handler<HttpServerRequest> {
  /** Of the target {@code *}, which means the server. */
  private static final String ANY_PATH = "GET, HEAD, POST, PUT, DELETE, OPTIONS";

  private static final CharSequence IDEMPOTENCY_KEY =
      HttpHeaders.createOptimized("idempotency-key");

  private final IdService service;
  private final Callers callers;
  private final HttpLimits limits;
  private final Replies replies;
  private final IdReplies ids;
  private final InspectJson inspect;
  private final TagInspector inspector;
  private final Console console = new Console();
  private final OpenApi openApi;
  private final Context context;
  private final Thread loop;
  private final AdminRoutes admin;
  private final RouteTable table = new RouteTable();

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
    this.openApi = new OpenApi(limits);
    this.inspect = new InspectJson(layout, time);
    this.inspector = new TagInspector(service, layout, time);
    this.context = context;
    this.loop = Thread.currentThread();
    this.admin =
        new AdminRoutes(
            new AdminAccess(administration.hosts()),
            callers,
            new TagRoutes(administration.tags(), limits.maxBodyBytes(), replies, this::onLoop),
            new ClusterRoutes(administration.server(), replies, this::onLoop));
    fill(administration);
  }

  private void fill(Administration administration) {
    table.add("/ids", POST, (request, query, none) -> one(request, query));
    table.add("/ids/batch", POST, (request, query, none) -> batch(request, query));
    table.add("/api/ids", GET, (request, query, none) -> list(request, query));
    table.add("/api/ids/{id}", GET, this::inspect);
    table.add("/api/layout", GET, (request, query, none) -> layout(request, query));
    table.add("/", GET, (request, query, none) -> page(request, query.path()));
    table.add("/openapi.json", GET, (request, query, none) -> document(request, query));
    new DecodeRoute(service, callers, replies, limits.maxBodyBytes()).addTo(table);
    new HealthRoutes(service, callers, administration.metrics(), replies, context).addTo(table);
    new LeafRoutes(service, callers, replies, this::onLoop).addTo(table);
    new TinyIdRoutes(service, callers, replies, limits, this::onLoop).addTo(table);
    admin.addTo(table);
  }

  /** What is answered. */
  RouteTable table() {
    return table;
  }

  @Override
  public void handle(HttpServerRequest request) {
    if (request.version() == null) {
      Malformed.answer(request, limits);
      return;
    }
    try {
      if (request.version() == HttpVersion.HTTP_2) {
        requireShortPath(request);
      } else {
        requireHost(request);
      }
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

  /** Of HTTP/1.1 the decoder refuses the line; of HTTP/2 it takes whatever the fields may have. */
  private static void requireShortPath(HttpServerRequest request) {
    if (request.uri().length() > HttpTransport.MAX_REQUEST_LINE) {
      throw new ServiceException(
          ServiceReason.TOO_LARGE,
          "path: over the limit (expected: at most " + HttpTransport.MAX_REQUEST_LINE + " bytes)");
    }
  }

  private void route(HttpServerRequest request) {
    Query query = Query.of(request.uri());
    String path = query.path();
    Route route = table.find(path);
    Route.Call call = route == null ? null : route.call(request.method());
    if (route == null || call == null) {
      other(request, path, route);
    } else {
      call.answer(request, query, route.part(path));
    }
  }

  /** A method that the path does not take, a file of the page, or a path that there is not. */
  private void other(HttpServerRequest request, String path, @Nullable Route route) {
    if (path.startsWith(AdminRoutes.PREFIX)) {
      var unused = admin.require(request); // strangers are not told what there is
    }
    if (route != null) {
      replies.refuseOrExplain(request, route.allowed());
    } else if (path.equals("*")) {
      replies.refuseOrExplain(request, ANY_PATH);
    } else {
      page(request, path);
    }
  }

  private void page(HttpServerRequest request, String path) {
    Console.Page page = console.find(path);
    HttpMethod method = request.method();
    if (page == null) {
      throw new ServiceException(
          ServiceReason.UNKNOWN_PATH, "path: " + shortened(path) + " (there is none)");
    }
    if (method.equals(GET) || method.equals(HttpMethod.HEAD)) {
      replies.page(request, page);
    } else {
      replies.refuseOrExplain(request, "GET, HEAD, OPTIONS");
    }
  }

  private void list(HttpServerRequest request, Query query) {
    issued(
        request,
        () -> {
          Caller caller = Bearer.of(request, callers);
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
          Caller caller = Bearer.of(request, callers);
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
          Caller caller = Bearer.of(request, callers);
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
    List<String> keys = request.headers().getAll(IDEMPOTENCY_KEY);
    if (keys.size() > 1) {
      throw new ServiceException(
          ServiceReason.INVALID_BODY, "idempotency-key: given twice (expected: once)");
    }
    String key = keys.isEmpty() ? null : keys.get(0);
    return new IssueRequest(caller, asked.tag(), count, shape, asked.content(), key);
  }

  private void withBody(HttpServerRequest request, Consumer<byte[]> call) {
    BodyReader.read(
        request,
        replies,
        limits.maxBodyBytes(),
        service::refused,
        body -> issued(request, () -> call.accept(body)));
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
    Issued now = service.tryIssue(asked);
    if (now != null) {
      replies.ok(request, encoder.apply(now));
      return;
    }
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
                            refuse(request, asked, ServiceException.of(failure));
                          }
                        }));
  }

  private void refuse(HttpServerRequest request, IssueRequest asked, ServiceException refusal) {
    RateLimitFields.add(request.response().headers(), service.limit(asked));
    replies.problem(request, refusal);
  }

  /** Others may have taken the room while this one waited: then its ids are a gap. */
  private void answer(HttpServerRequest request, Issued issued, Function<Issued, JsonOut> encoder) {
    try {
      replies.requireRoom();
      answer(request, issued, encoder.apply(issued));
    } catch (RuntimeException e) {
      replies.problem(request, e);
    }
  }

  private void answer(HttpServerRequest request, Issued issued, JsonOut document) {
    RateLimitFields.add(request.response().headers(), issued.tag().limit());
    replies.ok(request, document);
  }

  /** Ids that were waited for arrive on a timer's thread; replies are the event loop's. */
  private void onLoop(Runnable reply) {
    if (Thread.currentThread() == loop) {
      reply.run();
    } else {
      context.runOnContext(ignored -> reply.run());
    }
  }

  private void inspect(HttpServerRequest request, Query query, String sent) {
    Parameters.requireOnly(query, "layout");
    String layout = Parameters.value(query, "layout", ServiceReason.INVALID_ID);
    Caller caller = Bearer.orNobody(request, callers);
    replies.ok(request, inspect.describe(inspector.inspect(caller, text(sent), layout)));
  }

  private static String text(String sent) {
    try {
      return Query.decode(sent, "id");
    } catch (IllegalArgumentException e) {
      throw new ServiceException(ServiceReason.INVALID_ID, e.getMessage() + "");
    }
  }

  private void layout(HttpServerRequest request, Query query) {
    Parameters.requireOnly(query);
    replies.ok(request, ids.layout());
  }

  private void document(HttpServerRequest request, Query query) {
    Parameters.requireOnly(query);
    replies.page(request, openApi.page());
  }

  private static String shortened(String text) {
    return text.length() > 80 ? text.substring(0, 80) + "..." : text;
  }
}
