package dev.idgen.server.http;

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
  private static final String WORKERS = "/admin/workers";
  private static final String RELEASE = "/release";
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

  /**
   * Answers a call.
   *
   * @return false: the path is none of these
   */
  boolean handle(HttpServerRequest request, Query query, Caller caller) {
    String path = query.path();
    if (path.equals(WORKERS)) {
      get(request, () -> workers(request, query));
    } else if (path.startsWith(WORKERS + "/") && path.endsWith(RELEASE)) {
      release(request, query, caller);
    } else if (path.equals("/admin/clock")) {
      get(request, () -> clock(request, query));
    } else if (path.equals("/admin/audit")) {
      get(request, () -> audit(request, query));
    } else {
      return false;
    }
    return true;
  }

  private void get(HttpServerRequest request, Runnable call) {
    if (request.method().equals(HttpMethod.GET) || request.method().equals(HttpMethod.HEAD)) {
      call.run();
    } else {
      replies.refuseOrExplain(request, "GET, HEAD, OPTIONS");
    }
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

  private void release(HttpServerRequest request, Query query, Caller caller) {
    if (!request.method().equals(HttpMethod.POST)) {
      replies.refuseOrExplain(request, "POST, OPTIONS");
      return;
    }
    Parameters.requireOnly(query);
    int id = workerId(query.path());
    answer(
        request,
        admin.release(id, caller.name()),
        row -> ClusterJson.worker(row, admin.reuseDelayMs()));
  }

  private static int workerId(String path) {
    String text = path.substring(WORKERS.length() + 1, path.length() - RELEASE.length());
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
