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
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

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
        (request, query, key) -> answer(request, caller -> segment(request, caller, name(key))));
    table.add(
        "/api/snowflake/get/{key}",
        GET,
        (request, query, key) -> answer(request, caller -> snowflake(request, caller, name(key))));
  }

  /** One id of the segment or sequence tag of a key. */
  private CompletionStage<Issued> segment(HttpServerRequest request, Caller caller, String key) {
    return service
        .tagOrMade(caller, key)
        .thenCompose(tag -> issue(request, caller, tag, EngineKind::marked, "segment, sequence"));
  }

  /** One snowflake id. A key needs no tag of its own: then the id is the default's. */
  private CompletionStage<Issued> snowflake(HttpServerRequest request, Caller caller, String key) {
    Tag own = own(caller, key);
    if (own != null && !isOfAnotherKind(own)) {
      return issue(request, caller, own, LeafRoutes::isSnowflake, "snowflake");
    }
    Caller ofDefault = new Caller(caller.name(), caller.rights(), List.of(Tag.DEFAULT));
    Tag shared = service.tag(ofDefault, Tag.DEFAULT);
    return issue(request, ofDefault, shared, LeafRoutes::isSnowflake, "snowflake");
  }

  /**
   * The tag of a key; refuses a caller who may not have ids of that name.
   *
   * @return null: there is none, and any key will do
   */
  private @Nullable Tag own(Caller caller, String key) {
    try {
      return service.tag(caller, key);
    } catch (ServiceException e) {
      if (e.reason() == ServiceReason.INVALID_TAG) {
        caller.require(Caller.Right.ISSUE, Tag.DEFAULT); // no right to a tag can cover such a key
      } else if (e.reason() != ServiceReason.UNKNOWN_TAG) {
        throw e;
      }
      return null;
    }
  }

  /** One that cannot be served is of no kind, and says so when it is asked for ids. */
  private static boolean isOfAnotherKind(Tag tag) {
    return tag.isServed() && !isSnowflake(tag.engine().kind());
  }

  private static boolean isSnowflake(EngineKind kind) {
    return kind == EngineKind.SNOWFLAKE;
  }

  /** One id of a tag, if its engine is of a kind; a refusal is counted as the tag's. */
  private CompletionStage<Issued> issue(
      HttpServerRequest request,
      Caller caller,
      Tag tag,
      Predicate<EngineKind> wanted,
      String expected) {
    return ofKind(caller, tag, wanted, expected)
        .whenComplete(
            (issued, failure) ->
                onLoop.accept(
                    () -> RateLimitFields.add(request.response().headers(), tag.limit())));
  }

  private CompletionStage<Issued> ofKind(
      Caller caller, Tag tag, Predicate<EngineKind> wanted, String expected) {
    try {
      EngineKind kind = tag.engine().kind();
      if (!wanted.test(kind)) {
        throw mismatch(kind, expected);
      }
    } catch (ServiceException e) {
      return CompletableFuture.failedFuture(service.refused(tag, e));
    }
    return service.issue(
        IssueRequest.of(caller, tag.name(), Count.ONE, IssueRequest.Shape.NUMBERS));
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
      return work.begin(Bearer.of(request, callers));
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(service.refused(e));
    }
  }

  private static JsonOut number(Issued issued) {
    return new JsonOut(20).decimal(issued.first());
  }
}
