package dev.idgen.server.http;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.idgen.server.service.ServiceException;
import dev.idgen.server.service.ServiceReason;
import dev.idgen.server.service.TextEngine.Content;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The body of a request for ids. A value; immutable.
 *
 * @param tag as given; null: not given
 * @param count as given, number or text; null: not given
 * @param content what the id is to be of; null: not given
 */
record IdRequest(@Nullable String tag, @Nullable String count, @Nullable Content content) {

  /**
   * Reads a body.
   *
   * @param body JSON, or nothing but white space
   * @param withCount whether the call takes a count
   * @throws ServiceException with {@link ServiceReason#INVALID_BODY}
   */
  static IdRequest parse(byte[] body, boolean withCount) {
    Reader reader = new Reader(withCount);
    JsonBody.read(body, reader);
    return new IdRequest(reader.tag, reader.count, reader.content());
  }

  private static final class Reader implements JsonBody.Fields {
    private final boolean withCount;
    private @Nullable String tag;
    private @Nullable String count;
    private @Nullable String text;
    private @Nullable String namespace;

    Reader(boolean withCount) {
      this.withCount = withCount;
    }

    @Override
    public void take(String name, JsonToken value, JsonParser parser) throws IOException {
      if (name.equals("tag") || name.equals("biz_tag")) {
        JsonBody.requireNone(tag);
        tag = JsonBody.text(name, value, parser);
      } else if (withCount && name.equals("count")) {
        count = JsonBody.numberOrText(name, value, parser);
      } else if (name.equals("content")) {
        text = JsonBody.text(name, value, parser);
      } else if (name.equals("namespace")) {
        namespace = JsonBody.text(name, value, parser);
      } else {
        throw unknown(name);
      }
    }

    private @Nullable Content content() {
      if (text == null && namespace != null) {
        throw JsonBody.invalid("namespace: given without a content (expected: both, or neither)");
      }
      return text == null ? null : new Content(text, namespace);
    }

    private ServiceException unknown(String name) {
      String hint = name.equals("count") ? "; POST /ids/batch takes a count" : "";
      return JsonBody.invalid(
          JsonBody.shortened(name)
              + ": unknown (expected: tag, biz_tag, content, namespace"
              + (withCount ? ", count" : "")
              + hint
              + ")");
    }
  }
}
