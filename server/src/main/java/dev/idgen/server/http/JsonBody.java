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
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Reads the one JSON object that a body is, field by field. */
final class JsonBody {
  private static final int MAX_DEPTH = 4;
  private static final int MAX_NAME = 64;
  private static final int MAX_NUMBER = 64;
  private static final int SHOWN = 160;

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

  private JsonBody() {}

  /** Gets the fields, in the order of the body. */
  interface Fields {

    /**
     * One field.
     *
     * @param value what follows the name; its text is that of the parser
     */
    void take(String name, JsonToken value, JsonParser parser) throws IOException;
  }

  /**
   * Reads a body.
   *
   * @param body JSON, or nothing but white space, which has no fields
   * @throws ServiceException with {@link ServiceReason#INVALID_BODY}
   */
  static void read(byte[] body, Fields fields) {
    if (body.length == 0) {
      return;
    }
    try (JsonParser parser = JSON.createParser(body)) {
      read(parser, fields);
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

  private static void read(JsonParser parser, Fields fields) throws IOException {
    JsonToken first = parser.nextToken();
    if (first == null) {
      return;
    }
    if (first != JsonToken.START_OBJECT) {
      throw invalid("body: " + kind(first) + " (expected: a JSON object)");
    }
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      fields.take(name, parser.nextToken(), parser);
    }
    if (parser.nextToken() != null) {
      throw invalid("body: more behind the object (expected: one JSON object)");
    }
  }

  /** A tag has two names, of which a body gives one. */
  static void requireNone(@Nullable String tag) {
    if (tag != null) {
      throw invalid("tag: given beside biz_tag (expected: one of them)");
    }
  }

  /** The value of a field that is a text. */
  static String text(String name, JsonToken value, JsonParser parser) throws IOException {
    if (value != JsonToken.VALUE_STRING) {
      throw invalid(name + ": " + kind(value) + " (expected: a text)");
    }
    return whole(name, parser.getText());
  }

  /** Half a surrogate pair is no character: in UTF-8 all of them would be the same mark. */
  private static String whole(String name, String text) {
    if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
      throw invalid(name + ": half a surrogate pair (expected: what UTF-8 can hold)");
    }
    return text;
  }

  /** The value of a field that is a number, or a text of digits. */
  static String numberOrText(String name, JsonToken value, JsonParser parser) throws IOException {
    if (!value.isNumeric() && value != JsonToken.VALUE_STRING) {
      throw invalid(name + ": " + kind(value) + " (expected: a number)");
    }
    return parser.getText();
  }

  /** The value of a field that is true or false. */
  static boolean truth(String name, JsonToken value) {
    if (!value.isBoolean()) {
      throw invalid(name + ": " + kind(value) + " (expected: true or false)");
    }
    return value == JsonToken.VALUE_TRUE;
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

  /** One line of a text that a caller sent, cut to a length that may be shown. */
  static String shortened(String text) {
    String line = text.lines().findFirst().orElse("");
    return line.length() > SHOWN ? line.substring(0, SHOWN) + "..." : line;
  }

  /** A refusal of the body. */
  static ServiceException invalid(String detail) {
    return new ServiceException(ServiceReason.INVALID_BODY, detail);
  }
}
