package dev.idgen.server.http;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The description of all calls, with the limits of this server. Not thread-safe. */
final class OpenApi {
  private static final String RESOURCE = "openapi.json";

  private final HttpLimits limits;
  private Console.@Nullable Page page; // made when it is asked for

  OpenApi(HttpLimits limits) {
    this.limits = limits;
  }

  Console.Page page() {
    Console.Page made = page;
    if (made == null) {
      byte[] bytes = filled().getBytes(StandardCharsets.UTF_8);
      made = Console.Page.of(bytes, "application/json");
      page = made;
    }
    return made;
  }

  /** Limits stand in the resource as {@code ${maxCount}}; where nothing else is, as a number. */
  private String filled() {
    Map<String, Integer> numbers =
        Map.of(
            "maxCount", limits.maxCount(),
            "maxRunsCount", limits.maxRunsCount(),
            "maxListCount", limits.maxListCount(),
            "maxBody", limits.maxBodyBytes(),
            "maxHeader", limits.maxHeaderBytes());
    String text = resource().replace("${version}", version());
    for (Map.Entry<String, Integer> number : numbers.entrySet()) {
      String place = "${" + number.getKey() + "}";
      String value = number.getValue().toString();
      text = text.replace('"' + place + '"', value).replace(place, value);
    }
    return text;
  }

  private static String version() {
    String version = OpenApi.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }

  private static String resource() {
    try (InputStream in = OpenApi.class.getResourceAsStream(RESOURCE)) {
      if (in == null) {
        throw new IllegalStateException(RESOURCE + ": absent (expected: a file of this package)");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new IllegalStateException(RESOURCE + ": unreadable (expected: a text)", e);
    }
  }
}
