package dev.idgen.server.http;

import static io.vertx.core.http.HttpMethod.GET;
import static io.vertx.core.http.HttpMethod.POST;

import dev.idgen.server.json.ClusterJson;
import dev.idgen.server.json.JsonOut;
import dev.idgen.server.service.Caller;
import dev.idgen.server.service.Count;
import dev.idgen.server.service.ServerAdmin;
import dev.idgen.server.service.ServiceException;
import dev.idgen.server.service.ServiceReason;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;

/** The calls that show the cluster and take worker ids away. Belongs to one event loop. */
final class ClusterRoutes {
  private static final int PAGE_SIZE = 100;
  private static final int MAX_PAGE_SIZE = 1000;

  private final ServerAdmin admin;
  private final Replies replies;
  private final Consumer<Runnable> onLoop;

  ClusterRoutes(ServerAdmin admin, Replies replies, Consumer<Runnable> onLoop) {
    this.admin = admin;
    this.replies = replies;
    this.onLoop = onLoop;
  }

  void addTo(AdminRoutes routes, RouteTable table) {
    add(
        routes,
        table,
        "/admin/workers",
        GET,
        (request, query, none, by) -> workers(request, query));
    add(routes, table, "/admin/workers/{id}/release", POST, this::release);
    add(routes, table, "/admin/clock", GET, (request, query, none, by) -> clock(request, query));
    add(routes, table, "/admin/audit", GET, (request, query, none, by) -> audit(request, query));
  }

  /** What concerns all tags is for those who may manage all of them. */
  private static void add(
      AdminRoutes routes, RouteTable table, String path, HttpMethod method, AdminRoutes.Call call) {
    routes.add(
        table,
        path,
        method,
        (request, query, part, caller) -> {
          caller.requireForAll(Caller.Right.ADMIN);
          call.answer(request, query, part, caller);
        });
  }

  private void workers(HttpServerRequest request, Query query) {
    Parameters.requireOnly(query, "pageSize", "pageToken");
    int size = pageSize(query);
    long after = token(query);
    answer(
        request,
        admin.workers(),
        listing -> ClusterJson.workers(listing, admin.reuseDelayMs(), size, after));
  }

  private static int pageSize(Query query) {
    String size = Parameters.value(query, "pageSize", ServiceReason.INVALID_COUNT);
    return size == null ? PAGE_SIZE : new Count("pageSize", size, MAX_PAGE_SIZE).value();
  }

  /** A number that an earlier answer gave; -1: none was sent. */
  private static long token(Query query) {
    String token = Parameters.value(query, "pageToken", ServiceReason.INVALID_BODY);
    if (token == null) {
      return -1;
    }
    if (!token.matches("[0-9]{1,18}")) {
      throw new ServiceException(
          ServiceReason.INVALID_BODY,
          "pageToken: " + JsonBody.shortened(token) + " (expected: one that an answer gave)");
    }
    return Long.parseLong(token);
  }

  private void release(HttpServerRequest request, Query query, String id, Caller caller) {
    Parameters.requireOnly(query);
    AdminAccess.requireNoOther(request);
    answer(
        request,
        admin.release(workerId(id), caller.name()),
        row -> ClusterJson.worker(row, admin.reuseDelayMs()));
  }

  private static int workerId(String text) {
    if (!text.matches("[0-9]{1,9}")) {
      throw new ServiceException(
          ServiceReason.INVALID_ID,
          "worker: " + JsonBody.shortened(text) + " (expected: a worker id)");
    }
    return Integer.parseInt(text);
  }

  private void clock(HttpServerRequest request, Query query) {
    Parameters.requireOnly(query);
    replies.ok(request, ClusterJson.clock(admin.clock()));
  }

  private void audit(HttpServerRequest request, Query query) {
    Parameters.requireOnly(query, "pageSize", "pageToken");
    answer(request, admin.audit(token(query), pageSize(query)), ClusterJson::audit);
  }

  private <T> void answer(
      HttpServerRequest request, CompletionStage<T> done, Function<T, JsonOut> encoder) {
    var unused =
        done.thenApply(encoder)
            .whenComplete(
                (document, failure) ->
                    onLoop.accept(
                        () -> {
                          if (failure == null) {
                            replies.ok(request, document);
                          } else {
                            replies.problem(request, failure);
                          }
                        }));
  }
}
