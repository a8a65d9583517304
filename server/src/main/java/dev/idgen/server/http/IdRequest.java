package dev.idgen.server.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import dev.idgen.server.service.ServiceException;
import dev.idgen.server.service.ServiceReason;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The body of a request for ids. A value; immutable.
 *
 * @param tag as given; null: not given
 * @param count as given, number or text; null: not given
 */
record IdRequest(@Nullable String tag, @Nullable String count) {
  static final IdRequest EMPTY = new IdRequest(null, null);

  private static final int MAX_DEPTH = 4;
  private static final int MAX_NAME = 64;
  private static final int MAX_NUMBER = 64;
  private static final int SHOWN = 40;

  private static final JsonFactory JSON =
      new JsonFactoryBuilder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(MAX_DEPTH)
                  .maxNameLength(MAX_NAME)
                  .maxNumberLength(MAX_NUMBER)
                  .build())
          .build();

  /**
   * Reads a body.
   *
   * @param body JSON, or nothing but white space
   * @param withCount whether the call takes a count
   * @throws ServiceException with {@link ServiceReason#INVALID_BODY}
   */
  static IdRequest parse(byte[] body, boolean withCount) {
    try (JsonParser parser = JSON.createParser(body)) {
      return parse(parser, withCount);
    } catch (JsonProcessingException e) {
      if (String.valueOf(e.getOriginalMessage()).startsWith("Duplicate field")) {
        throw invalid("body: a name given twice (expected: each once)");
      }
      throw invalid(
          "body: no JSON from column "
              + e.getLocation().getColumnNr()
              + " on"
              + lineOf(e)
              + " (expected: a JSON object)");
    } catch (IOException e) {
      throw invalid("body: no text in UTF-8 (expected: a JSON object)");
    }
  }

  private static String lineOf(JsonProcessingException e) {
    int line = e.getLocation().getLineNr();
    return line > 1 ? " of line " + line : "";
  }

  private static IdRequest parse(JsonParser parser, boolean withCount) throws IOException {
    JsonToken first = parser.nextToken();
    if (first == null) {
      return EMPTY;
    }
    if (first != JsonToken.START_OBJECT) {
      throw invalid("body: " + kind(first) + " (expected: a JSON object)");
    }
    String tag = null;
    String count = null;
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      JsonToken value = parser.nextToken();
      if (name.equals("tag") || name.equals("biz_tag")) {
        if (tag != null) {
          throw invalid("tag: given beside biz_tag (expected: one of them)");
        }
        tag = text(name, value, parser);
      } else if (withCount && name.equals("count")) {
        count = numberOrText(name, value, parser);
      } else {
        throw unknown(name, withCount);
      }
    }
    if (parser.nextToken() != null) {
      throw invalid("body: more behind the object (expected: one JSON object)");
    }
    return new IdRequest(tag, count);
  }

  private static String text(String name, JsonToken value, JsonParser parser) throws IOException {
    if (value != JsonToken.VALUE_STRING) {
      throw invalid(name + ": " + kind(value) + " (expected: a text)");
    }
    return parser.getText();
  }

  private static String numberOrText(String name, JsonToken value, JsonParser parser)
      throws IOException {
    if (!value.isNumeric() && value != JsonToken.VALUE_STRING) {
      throw invalid(name + ": " + kind(value) + " (expected: a number)");
    }
    return parser.getText();
  }

  private static ServiceException unknown(String name, boolean withCount) {
    String hint = name.equals("count") ? "; POST /ids/batch takes a count" : "";
    return invalid(
        shortened(name)
            + ": unknown (expected: tag, biz_tag"
            + (withCount ? ", count" : "")
            + hint
            + ")");
  }

  private static String kind(JsonToken token) {
    return switch (token) {
      case START_OBJECT -> "an object";
      case START_ARRAY -> "a list";
      case VALUE_STRING -> "a text";
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> "a number";
      case VALUE_NULL -> "null";
      default -> token.isBoolean() ? "a truth value" : "no value";
    };
  }

  private static String shortened(String text) {
    String line = text.lines().findFirst().orElse("");
    return line.length() > SHOWN * 4 ? line.substring(0, SHOWN * 4) + "..." : line;
  }

  private static ServiceException invalid(String detail) {
    return new ServiceException(ServiceReason.INVALID_BODY, detail);
  }
}
