package dev.idgen.server.http;

import dev.idgen.server.service.Caller;
import dev.idgen.server.service.Callers;
import dev.idgen.server.service.ServiceException;
import io.vertx.core.http.HttpMethod;
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

  /** A call for administrators. */
  @FunctionalInterface
  interface Call {

    /**
     * Answers one.
     *
     * @param part of the path that stands for the braces, as sent
     */
    void answer(HttpServerRequest request, Query query, String part, Caller caller);
  }

  void addTo(RouteTable table) {
    tags.addTo(this, table);
    cluster.addTo(this, table);
  }

  /** Adds a call that administrators alone get through to. */
  void add(RouteTable table, String path, HttpMethod method, Call call) {
    table.add(
        path,
        method,
        (request, query, part) -> call.answer(request, query, part, require(request)));
  }

  /**
   * Who calls.
   *
   * @throws ServiceException it is no administrator, or a foreign page may have sent it
   */
  Caller require(HttpServerRequest request) {
    access.require(request);
    Caller caller = Bearer.of(request, callers);
    caller.require(Caller.Right.ADMIN);
    return caller;
  }
}
