package dev.idgen.server.http;

import static io.vertx.core.http.HttpMethod.DELETE;
import static io.vertx.core.http.HttpMethod.GET;
import static io.vertx.core.http.HttpMethod.POST;
import static io.vertx.core.http.HttpMethod.PUT;

import dev.idgen.server.json.JsonOut;
import dev.idgen.server.json.TagJson;
import dev.idgen.server.service.Caller;
import dev.idgen.server.service.Count;
import dev.idgen.server.service.ServiceException;
import dev.idgen.server.service.ServiceReason;
import dev.idgen.server.service.TagAdmin;
import dev.idgen.server.service.TagChange;
import dev.idgen.store.TagRow;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The calls that manage tags. Belongs to one event loop. */
final class TagRoutes {
  private static final String ONE = "/admin/tags/{tag}";
  private static final int PAGE_SIZE = 100;
  private static final int MAX_PAGE_SIZE = 1000;

  private final @Nullable TagAdmin admin;
  private final int maxBodyBytes;
  private final Replies replies;
  private final Consumer<Runnable> onLoop;

  /**
   * Routes of one event loop.
   *
   * @param admin null: the store keeps no tags
   * @param onLoop runs a reply on the event loop
   */
  TagRoutes(
      @Nullable TagAdmin admin, int maxBodyBytes, Replies replies, Consumer<Runnable> onLoop) {
    this.admin = admin;
    this.maxBodyBytes = maxBodyBytes;
    this.replies = replies;
    this.onLoop = onLoop;
  }

  void addTo(AdminRoutes routes, RouteTable table) {
    routes.add(
        table, "/admin/tags", GET, (request, query, none, caller) -> list(request, query, caller));
    add(
        routes,
        table,
        "/admin/tags/{tag}/raise",
        POST,
        this::raise); // before those that it ends as
    add(routes, table, ONE, GET, this::get);
    add(routes, table, ONE, PUT, this::put);
    add(routes, table, ONE, DELETE, this::remove);
  }

  private interface Call {
    void answer(HttpServerRequest request, Query query, String name, TagAdmin tags);
  }

  private void add(
      AdminRoutes routes, RouteTable table, String path, HttpMethod method, Call call) {
    routes.add(
        table,
        path,
        method,
        (request, query, part, caller) -> {
          String name = name(part);
          caller.require(Caller.Right.ADMIN, name);
          call.answer(request, query, name, admin().as(caller.name()));
        });
  }

  private static String name(String sent) {
    try {
      return Query.decode(sent, "tag");
    } catch (IllegalArgumentException e) {
      throw new ServiceException(ServiceReason.INVALID_TAG, e.getMessage() + "");
    }
  }

  private TagAdmin admin() {
    if (admin == null) {
      throw new ServiceException(
          ServiceReason.ENGINE_MISMATCH,
          "store: keeps no tags (expected: sqlite:.., postgres://.., mariadb://.., mysql://.. or"
              + " etcd://..)");
    }
    return admin;
  }

  private void list(HttpServerRequest request, Query query, Caller caller) {
    Parameters.requireOnly(query, "pageSize", "pageToken");
    String size = Parameters.value(query, "pageSize", ServiceReason.INVALID_COUNT);
    String after = Parameters.value(query, "pageToken", ServiceReason.INVALID_BODY);
    int limit = size == null ? PAGE_SIZE : new Count("pageSize", size, MAX_PAGE_SIZE).value();
    List<TagRow> behind = admin().list(Integer.MAX_VALUE, after == null ? "" : after);
    List<TagRow> page =
        behind.stream().filter(row -> caller.covers(row.tag())).limit(limit + 1L).toList();
    replies.ok(request, TagJson.page(page, limit));
  }

  private void get(HttpServerRequest request, Query query, String name, TagAdmin tags) {
    Parameters.requireOnly(query);
    answer(request, tags.get(name), row -> show(request, 200, row));
  }

  private void remove(HttpServerRequest request, Query query, String name, TagAdmin tags) {
    Parameters.requireOnly(query);
    Long known = Precondition.of(request);
    answer(request, tags.remove(name, known), gone -> replies.nothing(request));
  }

  private void put(HttpServerRequest request, Query query, String name, TagAdmin tags) {
    Parameters.requireOnly(query, "force");
    boolean force = isForced(Parameters.value(query, "force", ServiceReason.INVALID_BODY));
    Long known = Precondition.of(request);
    withBody(
        request,
        body -> {
          TagChange change = TagBody.change(body, name);
          answer(
              request,
              tags.put(name, change, known, force),
              put -> show(request, put.made() ? 201 : 200, put.row()));
        });
  }

  private static boolean isForced(@Nullable String force) {
    if (force == null || force.equals("false")) {
      return false;
    }
    if (force.equals("true")) {
      return true;
    }
    throw new ServiceException(
        ServiceReason.INVALID_BODY,
        "force: " + JsonBody.shortened(force) + " (expected: true, false)");
  }

  private void raise(HttpServerRequest request, Query query, String name, TagAdmin tags) {
    Parameters.requireOnly(query);
    Long known = Precondition.of(request);
    withBody(
        request,
        body ->
            answer(
                request,
                tags.raise(name, TagBody.raiseTo(body), known),
                row -> show(request, 200, row)));
  }

  private void withBody(HttpServerRequest request, Consumer<byte[]> call) {
    AdminAccess.requireJson(request);
    BodyReader.read(
        request,
        replies,
        maxBodyBytes,
        body -> {
          try {
            call.accept(body);
          } catch (RuntimeException e) {
            replies.problem(request, e);
          }
        });
  }

  private <T> void answer(HttpServerRequest request, CompletionStage<T> done, Consumer<T> reply) {
    var unused =
        done.whenComplete(
            (value, failure) ->
                onLoop.accept(
                    () -> {
                      if (failure == null) {
                        reply.accept(value);
                      } else {
                        replies.problem(request, failure);
                      }
                    }));
  }

  private void show(HttpServerRequest request, int status, TagRow row) {
    JsonOut body = TagJson.one(row);
    request.response().headers().set(HttpHeaders.ETAG, "\"" + row.version() + "\"");
    replies.json(request, status, body);
  }
}
