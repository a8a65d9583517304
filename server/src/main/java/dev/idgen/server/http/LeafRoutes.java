package dev.idgen.server.http;

import dev.idgen.server.json.JsonOut;
import dev.idgen.server.service.Caller;
import dev.idgen.server.service.Count;
import dev.idgen.server.service.EngineKind;
import dev.idgen.server.service.IdService;
import dev.idgen.server.service.IssueRequest;
import dev.idgen.server.service.Issued;
import dev.idgen.server.service.ServiceException;
import dev.idgen.server.service.ServiceReason;
import dev.idgen.server.service.Tag;
import io.vertx.core.http.HttpServerRequest;
import java.util.function.Consumer;

/**
 * The calls of Leaf's server, so that its users move by changing an address: a bare number with
 * status 200, and status 500 for whatever went wrong. Belongs to one event loop.
 */
final class LeafRoutes {
  static final String SEGMENT = "/api/segment/get/";
  static final String SNOWFLAKE = "/api/snowflake/get/";

  private final IdService service;
  private final Replies replies;
  private final Consumer<Runnable> onLoop;

  LeafRoutes(IdService service, Replies replies, Consumer<Runnable> onLoop) {
    this.service = service;
    this.replies = replies;
    this.onLoop = onLoop;
  }

  /** One id of the segment or sequence tag that the path names. */
  void segment(HttpServerRequest request, Query query, Caller caller) {
    String tag = name(query, SEGMENT);
    EngineKind kind = service.tag(caller, tag).engine().kind();
    if (!kind.marked()) {
      throw mismatch(kind, "segment, sequence");
    }
    answer(request, caller, tag);
  }

  /** One snowflake id. What the path names needs no tag: without one, ids are the default's. */
  void snowflake(HttpServerRequest request, Query query, Caller caller) {
    String key = name(query, SNOWFLAKE);
    String tag = isSnowflake(caller, key) ? key : Tag.DEFAULT;
    EngineKind kind = service.tag(caller, tag).engine().kind();
    if (kind != EngineKind.SNOWFLAKE) {
      throw mismatch(kind, "snowflake");
    }
    answer(request, caller, tag);
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

  private static String name(Query query, String prefix) {
    try {
      return Query.decode(query.path().substring(prefix.length()), "key");
    } catch (IllegalArgumentException e) {
      throw new ServiceException(ServiceReason.INVALID_TAG, e.getMessage() + "");
    }
  }

  private void answer(HttpServerRequest request, Caller caller, String tag) {
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
