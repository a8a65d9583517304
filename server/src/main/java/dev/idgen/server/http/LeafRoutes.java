package dev.idgen.server.http;

import static io.vertx.core.http.HttpMethod.GET;

import dev.idgen.server.json.JsonOut;
import dev.idgen.server.service.Caller;
import dev.idgen.server.service.Callers;
import dev.idgen.server.service.Count;
import dev.idgen.server.service.EngineKind;
import dev.idgen.server.service.IdService;
import dev.idgen.server.service.IssueRequest;
import dev.idgen.server.service.Issued;
import dev.idgen.server.service.ServiceException;
import dev.idgen.server.service.ServiceReason;
import dev.idgen.server.service.Tag;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * The calls of Leaf's server, so that its users move by changing an address: a bare number with
 * status 200, and status 500 for whatever went wrong. Belongs to one event loop.
 */
final class LeafRoutes {
  private final IdService service;
  private final Callers callers;
  private final Replies replies;
  private final Consumer<Runnable> onLoop;

  LeafRoutes(IdService service, Callers callers, Replies replies, Consumer<Runnable> onLoop) {
    this.service = service;
    this.callers = callers;
    this.replies = replies;
    this.onLoop = onLoop;
  }

  void addTo(RouteTable table) {
    table.add(
        "/api/segment/get/{key}",
        GET,
        (request, query, key) -> answer(request, caller -> segment(caller, name(key))));
    table.add(
        "/api/snowflake/get/{key}",
        GET,
        (request, query, key) -> answer(request, caller -> snowflake(caller, name(key))));
  }

  /** One id of the segment or sequence tag of a key. */
  private CompletionStage<Issued> segment(Caller caller, String key) {
    return service
        .tagOrMade(caller, key)
        .thenCompose(
            tag -> {
              EngineKind kind = tag.engine().kind();
              if (!kind.marked()) {
                throw service.refused(mismatch(kind, "segment, sequence"));
              }
              return issue(caller, key);
            });
  }

  /** One snowflake id. A key needs no tag of its own: then the id is the default's. */
  private CompletionStage<Issued> snowflake(Caller caller, String key) {
    if (isSnowflake(caller, key)) {
      return issue(caller, key);
    }
    Caller ofDefault = new Caller(caller.name(), caller.rights(), List.of(Tag.DEFAULT));
    EngineKind kind = service.tag(ofDefault, Tag.DEFAULT).engine().kind();
    if (kind != EngineKind.SNOWFLAKE) {
      throw mismatch(kind, "snowflake");
    }
    return issue(ofDefault, Tag.DEFAULT);
  }

  /** Whether there is such a tag; refuses a caller who may not have ids of that name. */
  private boolean isSnowflake(Caller caller, String key) {
    try {
      return service.tag(caller, key).engine().kind() == EngineKind.SNOWFLAKE;
    } catch (ServiceException e) {
      if (e.reason() == ServiceReason.INVALID_TAG) {
        caller.require(Caller.Right.ISSUE, Tag.DEFAULT); // no right to a tag can cover such a key
      } else if (e.reason() != ServiceReason.UNKNOWN_TAG) {
        throw e;
      }
      return false; // any key will do
    }
  }

  private static ServiceException mismatch(EngineKind kind, String expected) {
    return new ServiceException(
        ServiceReason.ENGINE_MISMATCH, "engine: " + kind.word() + " (expected: " + expected + ")");
  }

  private static String name(String sent) {
    try {
      return Query.decode(sent, "key");
    } catch (IllegalArgumentException e) {
      throw new ServiceException(ServiceReason.INVALID_TAG, e.getMessage() + "");
    }
  }

  /** Begins to take an id. */
  private interface Work {
    CompletionStage<Issued> begin(Caller caller);
  }

  private void answer(HttpServerRequest request, Work work) {
    var unused =
        begun(request, work)
            .whenComplete(
                (issued, failure) ->
                    onLoop.accept(
                        () -> {
                          if (failure == null) {
                            replies.plain(request, number(issued));
                          } else {
                            replies.problemAs(request, failure, 500);
                          }
                        }));
  }

  private CompletionStage<Issued> begun(HttpServerRequest request, Work work) {
    try {
      replies.requireRoom();
      return work.begin(callers.ofHeader(request.headers().get(HttpHeaders.AUTHORIZATION)));
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(service.refused(e));
    }
  }

  private CompletionStage<Issued> issue(Caller caller, String tag) {
    return service.issue(IssueRequest.of(caller, tag, Count.ONE, IssueRequest.Shape.NUMBERS));
  }

  private static JsonOut number(Issued issued) {
    return new JsonOut(20).decimal(issued.first());
  }
}
