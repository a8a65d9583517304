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

  /** The segment or sequence tag of a key. */
  private String segment(Caller caller, String tag) {
    EngineKind kind = service.tag(caller, tag).engine().kind();
    if (!kind.marked()) {
      throw mismatch(kind, "segment, sequence");
    }
    return tag;
  }

  /** The snowflake tag of a key, which needs none of its own: then ids are the default's. */
  private String snowflake(Caller caller, String key) {
    String tag = isSnowflake(caller, key) ? key : Tag.DEFAULT;
    EngineKind kind = service.tag(caller, tag).engine().kind();
    if (kind != EngineKind.SNOWFLAKE) {
      throw mismatch(kind, "snowflake");
    }
    return tag;
  }

  private boolean isSnowflake(Caller caller, String key) {
    try {
      return service.tag(caller, key).engine().kind() == EngineKind.SNOWFLAKE;
    } catch (ServiceException e) {
      if (e.reason() == ServiceReason.UNKNOWN_TAG || e.reason() == ServiceReason.INVALID_TAG) {
        return false; // any key will do
      }
      throw e;
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

  /** Which tag is meant, as far as the caller may. */
  private interface Choice {
    String tag(Caller caller);
  }

  private void answer(HttpServerRequest request, Choice choice) {
    try {
      Caller caller = callers.ofHeader(request.headers().get(HttpHeaders.AUTHORIZATION));
      issue(request, caller, choice.tag(caller));
    } catch (RuntimeException e) {
      replies.problemAs(request, service.refused(e), 500);
    }
  }

  private void issue(HttpServerRequest request, Caller caller, String tag) {
    IssueRequest asked = IssueRequest.of(caller, tag, Count.ONE, IssueRequest.Shape.NUMBERS);
    var unused =
        service
            .issue(asked)
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

  private static JsonOut number(Issued issued) {
    return new JsonOut(20).decimal(issued.first());
  }
}
