package dev.idgen.server.http;

import static io.vertx.core.http.HttpMethod.POST;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.idgen.server.json.JsonOut;
import dev.idgen.server.service.Caller;
import dev.idgen.server.service.Callers;
import dev.idgen.server.service.IdService;
import dev.idgen.server.service.ServiceException;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** {@code POST /ids/decode}: the number that a text of a tag stands for. */
final class DecodeRoute {
  private final IdService service;
  private final Callers callers;
  private final Replies replies;
  private final int maxBodyBytes;

  DecodeRoute(IdService service, Callers callers, Replies replies, int maxBodyBytes) {
    this.service = service;
    this.callers = callers;
    this.replies = replies;
    this.maxBodyBytes = maxBodyBytes;
  }

  void addTo(RouteTable table) {
    table.add("/ids/decode", POST, (request, query, none) -> decode(request, query));
  }

  private void decode(HttpServerRequest request, Query query) {
    Caller caller = Bearer.of(request, callers);
    Parameters.requireOnly(query);
    BodyReader.read(
        request,
        replies,
        maxBodyBytes,
        body -> {
          try {
            replies.ok(request, answer(body, caller));
          } catch (RuntimeException e) {
            replies.problem(request, e);
          }
        });
  }

  /**
   * The answer to a body.
   *
   * @throws ServiceException it cannot be read, the caller may not, or no such id was ever issued
   */
  private JsonOut answer(byte[] body, Caller caller) {
    Reader sent = new Reader();
    JsonBody.read(body, sent);
    String id = sent.id;
    if (id == null) {
      throw JsonBody.invalid("id: absent (expected: a text of the tag)");
    }
    IdService.Decoded decoded = service.decode(caller, sent.tag, id);
    JsonOut out = new JsonOut(128).beginObject();
    out.name("tag").text(decoded.tag()).name("id").numberText(decoded.id());
    return out.name("text").text(id).endObject();
  }

  private static final class Reader implements JsonBody.Fields {
    private @Nullable String tag;
    private @Nullable String id;

    @Override
    public void take(String name, JsonToken value, JsonParser parser) throws IOException {
      switch (name) {
        case "tag", "biz_tag" -> {
          JsonBody.requireNone(tag);
          tag = JsonBody.text(name, value, parser);
        }
        case "id" -> id = JsonBody.text(name, value, parser);
        default ->
            throw JsonBody.invalid(
                JsonBody.shortened(name) + ": unknown (expected: tag, biz_tag, id)");
      }
    }
  }
}
