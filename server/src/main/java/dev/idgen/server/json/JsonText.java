package dev.idgen.server.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;

/** Tells JSON from other texts. */
final class JsonText {
  private static final JsonFactory JSON = new JsonFactory();

  private JsonText() {}

  /** Whether a text is one JSON object and nothing else. */
  static boolean isObject(String text) {
    try (JsonParser parser = JSON.createParser(text)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        return false;
      }
      parser.skipChildren();
      return parser.currentToken() == JsonToken.END_OBJECT && parser.nextToken() == null;
    } catch (IOException e) {
      return false;
    }
  }
}
