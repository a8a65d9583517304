package dev.idgen.server.http;

import dev.idgen.server.service.Caller;
import dev.idgen.server.service.Callers;
import dev.idgen.server.service.ServiceException;
import dev.idgen.server.service.ServiceReason;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;

/** Lets administrators through to the calls for them, and nobody else. */
final class AdminRoutes {
  static final String PREFIX = "/admin/";

  private final AdminAccess access;
  private final Callers callers;
  private final TagRoutes tags;
  private final ClusterRoutes cluster;

  AdminRoutes(AdminAccess access, Callers callers, TagRoutes tags, ClusterRoutes cluster) {
    this.access = access;
    this.callers = callers;
    this.tags = tags;
    this.cluster = cluster;
  }

  /** Answers a call whose path begins with {@link #PREFIX}. */
  void handle(HttpServerRequest request, Query query) {
    access.require(request);
    Caller caller = callers.ofHeader(request.headers().get(HttpHeaders.AUTHORIZATION));
    caller.require(Caller.Right.ADMIN);
    String path = query.path();
    if (TagRoutes.has(path)) {
      tags.handle(request, query, caller);
    } else if (!cluster.handle(request, query, caller)) {
      throw new ServiceException(
          ServiceReason.UNKNOWN_PATH, "path: " + JsonBody.shortened(path) + " (there is none)");
    }
  }
}
