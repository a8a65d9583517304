package dev.idgen.server.http;

import dev.idgen.server.json.JsonOut;
import dev.idgen.server.json.TagJson;
import dev.idgen.server.service.ServiceException;
import dev.idgen.server.service.Caller;
import dev.idgen.server.service.Callers;
import dev.idgen.server.service.Count;
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
final class AdminRoutes {
  static final String PREFIX = "/admin/";

  private static final String TAGS = "/admin/tags";
  private static final String RAISE = "/raise";
  private static final int PAGE_SIZE = 100;
  private static final int MAX_PAGE_SIZE = 1000;

  private final @Nullable TagAdmin admin;
  private final AdminAccess access;
  private final Callers callers;
  private final int maxBodyBytes;
  private final Replies replies;
  private final Consumer<Runnable> onLoop;

  /**
   * Routes of one event loop.
   *
   * @param admin null: the store keeps no tags
   * @param onLoop runs a reply on the event loop
   */
  AdminRoutes(
      @Nullable TagAdmin admin,
      AdminAccess access,
      Callers callers,
      int maxBodyBytes,
      Replies replies,
      Consumer<Runnable> onLoop) {
    this.admin = admin;
    this.access = access;
    this.callers = callers;
    this.maxBodyBytes = maxBodyBytes;
    this.replies = replies;
    this.onLoop = onLoop;
  }

  /** Answers a call whose path begins with {@link #PREFIX}. */
  void handle(HttpServerRequest request, Query query) {
    access.require(request);
    Caller caller = callers.ofHeader(request.headers().get(HttpHeaders.AUTHORIZATION));
    caller.require(Caller.Right.ADMIN);
    String path = query.path();
    if (path.equals(TAGS)) {
      tags(request, query);
    } else if (path.startsWith(TAGS + "/") && path.length() > TAGS.length() + 1) {
      String rest = path.substring(TAGS.length() + 1);
      if (rest.endsWith(RAISE) && rest.length() > RAISE.length()) {
        raise(request, query, name(rest.substring(0, rest.length() - RAISE.length())));
      } else {
        tag(request, query, name(rest));
      }
    } else {
      throw new ServiceException(
          ServiceReason.UNKNOWN_PATH, "path: " + JsonBody.shortened(path) + " (there is none)");
    }
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

  private void tags(HttpServerRequest request, Query query) {
    if (!isGet(request)) {
      replies.refuseOrExplain(request, "GET, HEAD, OPTIONS");
      return;
    }
    Parameters.requireOnly(query, "pageSize", "pageToken");
    String size = Parameters.value(query, "pageSize", ServiceReason.INVALID_COUNT);
    String after = Parameters.value(query, "pageToken", ServiceReason.INVALID_BODY);
    int limit = size == null ? PAGE_SIZE : new Count("pageSize", size, MAX_PAGE_SIZE).value();
    List<TagRow> page = admin().list(limit + 1, after == null ? "" : after);
    replies.ok(request, TagJson.page(page, limit));
  }

  private static boolean isGet(HttpServerRequest request) {
    return request.method().equals(HttpMethod.GET) || request.method().equals(HttpMethod.HEAD);
  }

  private void tag(HttpServerRequest request, Query query, String name) {
    if (isGet(request)) {
      Parameters.requireOnly(query);
      answer(request, admin().get(name), row -> one(request, 200, row));
    } else if (request.method().equals(HttpMethod.PUT)) {
      put(request, query, name);
    } else if (request.method().equals(HttpMethod.DELETE)) {
      Parameters.requireOnly(query);
      Long known = Precondition.of(request);
      answer(request, admin().remove(name, known), gone -> replies.nothing(request));
    } else {
      replies.refuseOrExplain(request, "GET, HEAD, PUT, DELETE, OPTIONS");
    }
  }

  private void put(HttpServerRequest request, Query query, String name) {
    Parameters.requireOnly(query, "force");
    boolean force = isForced(Parameters.value(query, "force", ServiceReason.INVALID_BODY));
    Long known = Precondition.of(request);
    withBody(
        request,
        body -> {
          TagChange change = TagBody.change(body, name);
          answer(
              request,
              admin().put(name, change, known, force),
              put -> one(request, put.made() ? 201 : 200, put.row()));
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

  private void raise(HttpServerRequest request, Query query, String name) {
    if (!request.method().equals(HttpMethod.POST)) {
      replies.refuseOrExplain(request, "POST, OPTIONS");
      return;
    }
    Parameters.requireOnly(query);
    withBody(
        request,
        body ->
            answer(
                request,
                admin().raise(name, TagBody.raiseTo(body)),
                row -> one(request, 200, row)));
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

  private void one(HttpServerRequest request, int status, TagRow row) {
    JsonOut body = TagJson.one(row);
    request.response().headers().set(HttpHeaders.ETAG, "\"" + row.version() + "\"");
    replies.json(request, status, body);
  }
}
