package dev.idgen.server.http;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.idgen.server.service.ServiceException;
import dev.idgen.server.service.ServiceReason;
import dev.idgen.server.service.TagChange;
import dev.idgen.store.TagRow;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The bodies of calls that manage tags. */
final class TagBody {
  private static final Set<String> TEXTS =
      Set.of("engine", "text", "prefix", "owner", "description");
  private static final Set<String> NUMBERS =
      Set.of("start", "maximum", "step", "stepMin", "stepMax", "ratePerSecond", "burst");

  /** What a tag object tells of, and nobody sets: read back, it may be sent as it came. */
  private static final Set<String> TOLD = Set.of("version", "createdAt", "updatedAt");

  private TagBody() {}

  /**
   * What is to be set for a tag.
   *
   * @param tag the name in the path; one in the body must be the same
   * @throws ServiceException with {@link ServiceReason#INVALID_BODY}
   */
  static TagChange change(byte[] body, String tag) {
    Reader reader = new Reader(tag);
    JsonBody.read(body, reader);
    return new TagChange(
        reader.texts.get("engine"),
        reader.texts.get("text"),
        reader.texts.get("prefix"),
        reader.numbers.get("start"),
        reader.numbers.get("maximum"),
        reader.numbers.get("step"),
        reader.numbers.get("stepMin"),
        reader.numbers.get("stepMax"),
        reader.critical,
        reader.numbers.get("ratePerSecond"),
        reader.numbers.get("burst"),
        reader.texts.get("owner"),
        reader.texts.get("description"));
  }

  private static final class Reader implements JsonBody.Fields {
    private final String tag;
    private final Map<String, String> texts = new HashMap<>();
    private final Map<String, Long> numbers = new HashMap<>();
    private @Nullable Boolean critical;

    Reader(String tag) {
      this.tag = tag;
    }

    @Override
    public void take(String name, JsonToken value, JsonParser parser) throws IOException {
      if (TEXTS.contains(name)) {
        texts.put(name, JsonBody.text(name, value, parser));
      } else if (NUMBERS.contains(name)) {
        numbers.put(name, number(name, JsonBody.numberOrText(name, value, parser)));
      } else if (name.equals("critical")) {
        critical = JsonBody.truth(name, value);
      } else if (name.equals("tag")) {
        requireSame(JsonBody.text(name, value, parser));
      } else if (TOLD.contains(name)) {
        JsonBody.numberOrText(name, value, parser);
      } else {
        throw JsonBody.invalid(
            JsonBody.shortened(name)
                + ": unknown (expected: engine, text, prefix, start, maximum, step, stepMin,"
                + " stepMax, critical, ratePerSecond, burst, owner, description)");
      }
    }

    private void requireSame(String name) {
      if (!name.equals(tag)) {
        throw JsonBody.invalid(
            "tag: " + JsonBody.shortened(name) + " (expected: " + tag + ", as in the path)");
      }
    }
  }

  /**
   * The id that a tag is to be raised to.
   *
   * @throws ServiceException with {@link ServiceReason#INVALID_BODY}
   */
  static long raiseTo(byte[] body) {
    long[] to = {-1};
    JsonBody.read(
        body,
        (name, value, parser) -> {
          if (!name.equals("to")) {
            throw JsonBody.invalid(JsonBody.shortened(name) + ": unknown (expected: to)");
          }
          to[0] = number(name, JsonBody.numberOrText(name, value, parser));
        });
    if (to[0] < 0) {
      throw JsonBody.invalid("to: absent (expected: an id)");
    }
    return to[0];
  }

  /** The widest that a tag may have; how its numbers bound each other is looked at later. */
  private static String range(String name) {
    return switch (name) {
      case "step", "stepMin", "stepMax" -> "1.." + TagRow.MAX_STEP;
      case "ratePerSecond", "burst" -> "0.." + TagChange.MAX_RATE;
      default -> "0.." + Long.MAX_VALUE;
    };
  }

  private static long number(String name, String text) {
    if (text.matches("[0-9]{1,19}")) {
      try {
        return Long.parseLong(text);
      } catch (NumberFormatException e) {
        // Above 2^63: told below.
      }
    }
    throw JsonBody.invalid(
        name + ": " + JsonBody.shortened(text) + " (expected: " + range(name) + ")");
  }
}
