package dev.idgen.server.http;

import static io.vertx.core.http.HttpMethod.GET;
import static io.vertx.core.http.HttpMethod.POST;

import dev.idgen.IdRun;
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
import dev.idgen.server.service.Tag;
import dev.idgen.server.service.TraceId;
import io.vertx.core.http.HttpServerRequest;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The calls of TinyID's server, so that its users move by changing an address. They answer 200
 * whatever happens; a code tells, 5 for a token and 6 for all else, and the simple ones are empty
 * then. A batch size that is absent means one, none or less gives no ids, and one that is too large
 * is cut, as TinyID does. Belongs to one event loop.
 */
final class TinyIdRoutes {
  private static final String PREFIX = "/tinyid/id/";
  private static final String TOKEN = "token";
  private static final int MAX_BATCH = 100_000;
  private static final int MAX_FORM_BYTES = 4 << 10; // three short values, each escaped
  private static final int OK = 200;
  private static final int TOKEN_ERROR = 5;
  private static final int SYSTEM_ERROR = 6;

  /** The next segment is fetched when a fifth of this one is used. */
  private static final int LOADING_PART = 5;

  private final IdService service;
  private final Callers callers;
  private final Replies replies;
  private final int maxFormBytes;
  private final int maxBatch;
  private final Consumer<Runnable> onLoop;

  TinyIdRoutes(
      IdService service,
      Callers callers,
      Replies replies,
      HttpLimits limits,
      Consumer<Runnable> onLoop) {
    this.service = service;
    this.callers = callers;
    this.replies = replies;
    this.maxFormBytes = Math.min(MAX_FORM_BYTES, limits.maxBodyBytes());
    this.maxBatch = Math.min(MAX_BATCH, limits.maxRunsCount());
    this.onLoop = onLoop;
  }

  /** What a call sends. */
  private record Call(String tag, @Nullable String token, @Nullable String batchSize) {}

  void addTo(RouteTable table) {
    for (boolean simple : new boolean[] {false, true}) {
      String end = simple ? "Simple" : "";
      add(table, "nextId" + end, simple, (request, sent) -> ids(request, sent, simple));
      add(table, "nextSegmentId" + end, simple, (request, sent) -> segment(request, sent, simple));
    }
  }

  /** Its clients post what others get, with the parameters in the query or in a form. */
  private void add(
      RouteTable table, String name, boolean simple, BiConsumer<HttpServerRequest, Query> call) {
    table.add(PREFIX + name, GET, (request, query, none) -> call.accept(request, query));
    table.add(PREFIX + name, POST, (request, query, none) -> form(request, query, simple, call));
  }

  /** Whose token is in the query, and unknown, is refused before the form is read. */
  private void form(
      HttpServerRequest request,
      Query query,
      boolean simple,
      BiConsumer<HttpServerRequest, Query> call) {
    try {
      BodyReader.requirePlain(request);
      String token = Parameters.value(query, TOKEN, ServiceReason.UNAUTHENTICATED);
      if (token != null) {
        var unused = callers.of(token);
      }
    } catch (ServiceException e) {
      send(request, simple, refused(request, service.refused(e), simple));
      return;
    }
    BodyReader.read(
        request,
        replies,
        maxFormBytes,
        service::refused,
        body -> call.accept(request, query.with(body)));
  }

  private void ids(HttpServerRequest request, Query parameters, boolean simple) {
    answer(
        request,
        simple,
        () -> {
          Call call = call(parameters);
          Caller caller = callers.of(call.token());
          int count = batchSize(call.batchSize());
          if (count == 0) {
            return service // refused where another size would be
                .tagOrMade(caller, call.tag())
                .thenApply(found -> () -> simple ? new JsonOut(1) : list());
          }
          return issue(request, of(caller, call.tag(), count, Shape.NUMBERS))
              .thenApply(issued -> () -> simple ? joined(issued) : list(issued));
        });
  }

  private CompletionStage<Issued> issue(HttpServerRequest request, IssueRequest asked) {
    return service
        .issue(asked)
        .whenComplete(
            (issued, failure) ->
                onLoop.accept(
                    () -> RateLimitFields.add(request.response().headers(), service.limit(asked))));
  }

  private static IssueRequest of(Caller caller, String tag, int count, Shape shape) {
    Count asked = new Count("batchSize", Integer.toString(count), count);
    return IssueRequest.of(caller, tag, asked, shape);
  }

  private static Call call(Query parameters) {
    String tag = Parameters.value(parameters, "bizType", ServiceReason.INVALID_TAG);
    if (tag == null) {
      throw new ServiceException(ServiceReason.INVALID_TAG, "bizType: absent (expected: a tag)");
    }
    return new Call(
        tag,
        Parameters.value(parameters, TOKEN, ServiceReason.UNAUTHENTICATED),
        Parameters.value(parameters, "batchSize", ServiceReason.INVALID_COUNT));
  }

  private int batchSize(@Nullable String sent) {
    if (sent == null || sent.isEmpty()) {
      return 1;
    }
    if (!sent.matches("-?[0-9]{1,10}")) {
      throw new ServiceException(
          ServiceReason.INVALID_COUNT,
          "batchSize: " + JsonBody.shortened(sent) + " (expected: a number of up to 10 digits)");
    }
    return (int) Math.max(0, Math.min(Long.parseLong(sent), maxBatch));
  }

  private void segment(HttpServerRequest request, Query parameters, boolean simple) {
    answer(
        request,
        simple,
        () -> {
          Call call = call(parameters);
          Caller caller = callers.of(call.token());
          return service
              .tagOrMade(caller, call.tag())
              .thenCompose(
                  tag -> issue(request, of(caller, tag.name(), step(tag), Shape.CONTIGUOUS)))
              .thenApply(issued -> () -> segment(issued, simple));
        });
  }

  private static int step(Tag tag) {
    return (int) Math.min(tag.row().step(), Integer.MAX_VALUE);
  }

  /** Ids above {@code currentId}, up to and including {@code maxId}. */
  private static JsonOut segment(Issued issued, boolean simple) {
    IdRun run = issued.runs().get(0);
    long delta = run.stride();
    long current = run.first() - delta;
    long last = run.first() + (run.count() - 1L) * delta;
    long loading = current + run.count() / LOADING_PART * delta;
    long remainder = delta == 1 ? 0 : run.first() % delta;
    if (simple) {
      return joined(current, loading, last, delta, remainder);
    }
    JsonOut out = new JsonOut(160).beginObject().name("data").beginObject();
    out.name("maxId").number(last).name("loadingId").number(loading);
    out.name("currentId").number(current).name("delta").number(delta);
    out.name("remainder").number(remainder).endObject();
    return status(out, OK, "");
  }

  private static JsonOut joined(long... numbers) {
    StringBuilder text = new StringBuilder();
    for (long number : numbers) {
      text.append(text.isEmpty() ? "" : ",").append(number);
    }
    return new JsonOut(text.length() + 1).visible(text.toString());
  }

  private static JsonOut joined(Issued issued) {
    StringBuilder text = new StringBuilder();
    for (IdRun run : issued.runs()) {
      long id = run.first();
      for (int i = 0; i < run.count(); i++, id += run.stride()) {
        text.append(text.isEmpty() ? "" : ",").append(id);
      }
    }
    return new JsonOut(text.length()).visible(text.toString());
  }

  private static JsonOut list() {
    JsonOut out = new JsonOut(64).beginObject().name("data").beginArray().endArray();
    return status(out, OK, "");
  }

  private static JsonOut list(Issued issued) {
    JsonOut out = new JsonOut(64 + 20 * Math.toIntExact(issued.count()));
    out.beginObject().name("data").beginArray();
    for (IdRun run : issued.runs()) {
      long id = run.first();
      for (int i = 0; i < run.count(); i++, id += run.stride()) {
        out.number(id);
      }
    }
    return status(out.endArray(), OK, "");
  }

  private static JsonOut status(JsonOut out, int code, String message) {
    return out.name("code").number(code).name("message").text(message).endObject();
  }

  /** Begins to take ids; what it comes to is written by the event loop alone. */
  private interface Work {
    CompletionStage<Supplier<JsonOut>> begin();
  }

  private void answer(HttpServerRequest request, boolean simple, Work work) {
    CompletionStage<Supplier<JsonOut>> done;
    try {
      replies.requireRoom();
      done = work.begin();
    } catch (RuntimeException e) {
      done = CompletableFuture.failedFuture(service.refused(e));
    }
    var unused =
        done.whenComplete(
            (encoder, failure) ->
                onLoop.accept(
                    () -> send(request, simple, written(request, simple, encoder, failure))));
  }

  private void send(HttpServerRequest request, boolean simple, JsonOut out) {
    if (simple) {
      replies.plain(request, out);
    } else {
      replies.ok(request, out);
    }
  }

  /** Others may have taken the room while this one waited: then its ids are a gap. */
  private JsonOut written(
      HttpServerRequest request,
      boolean simple,
      @Nullable Supplier<JsonOut> encoder,
      @Nullable Throwable failure) {
    if (encoder == null) {
      Throwable why = failure == null ? new IllegalStateException("no ids") : failure;
      return refused(request, why, simple);
    }
    try {
      replies.requireRoom();
      return encoder.get();
    } catch (RuntimeException e) {
      return refused(request, e, simple);
    }
  }

  private static JsonOut refused(HttpServerRequest request, Throwable failure, boolean simple) {
    String trace = TraceId.of(request.headers().get("traceparent"));
    ServiceException refusal = Replies.told(request, failure, trace);
    if (simple) {
      return new JsonOut(1);
    }
    JsonOut out = new JsonOut(160).beginObject().name("data").nothing();
    return switch (refusal.reason()) {
      case UNAUTHENTICATED, FORBIDDEN -> status(out, TOKEN_ERROR, "token is error");
      default -> status(out, SYSTEM_ERROR, refusal.reason() + ": " + refusal.detail());
    };
  }
}
