package dev.idgen.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.idgen.server.config.Config;
import dev.idgen.server.config.Settings;
import dev.idgen.server.json.JsonOut;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Asks a running server for ids. */
@Command(
    name = "next",
    description = "Asks a running server for ids.",
    footer = {
      "",
      "A server that wants a token is given that of the environment variable IDGEN_TOKEN."
    },
    mixinStandardHelpOptions = true)
final class NextCommand implements Callable<Integer> {
  /** Not a flag: those of a process are seen by all users of a machine. */
  private static final String TOKEN = "IDGEN_TOKEN";

  private static final int TIMEOUT_MS = 10_000;
  private static final int MAX_REPLY = 64 << 20;
  private static final int MAX_PROBLEM = 64 << 10;

  @Option(
      names = {"-n", "--count"},
      paramLabel = "<n>",
      description = "how many ids [1]")
  private int count = 1;

  @Option(names = "--tag", paramLabel = "<tag>", description = "name of the id stream [default]")
  private String tag = "default";

  @Option(
      names = "--url",
      paramLabel = "<url>",
      description = "the server [the one that the settings here describe]")
  private @Nullable String url;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "<format>",
      description = "text or json [text]")
  private OutputFormat output = OutputFormat.TEXT;

  @Override
  public Integer call() {
    List<String> ids = ask();
    if (output == OutputFormat.JSON) {
      JsonOut out = new JsonOut(ids.size() * 24 + 16).beginArray();
      ids.forEach(out::text);
      System.out.println(out.endArray());
    } else {
      System.out.println(String.join("\n", ids));
    }
    return ExitStatus.OK;
  }

  private List<String> ask() {
    String base = url == null ? usualUrl() : whole(url.replaceAll("/+$", ""));
    try {
      return ask(new URI(base + "/ids/batch"));
    } catch (URISyntaxException | IllegalArgumentException e) {
      throw new CommandException(
          ExitStatus.USAGE, "url: " + base + " (expected: http://host:port)");
    } catch (IOException e) {
      throw new CommandException(ExitStatus.UNAVAILABLE, base + ": no answer: " + e.getMessage());
    }
  }

  /** A host and a port alone mean HTTP. */
  private static String whole(String given) {
    return given.contains("://") ? given : "http://" + given;
  }

  private static String usualUrl() {
    Config config = SettingFlags.load(Map.of());
    String bind = config.get(Settings.BIND);
    String host = bind.equals("0.0.0.0") || bind.equals("::") ? "127.0.0.1" : bind;
    String bracketed = host.indexOf(':') < 0 ? host : "[" + host + "]";
    return "http://" + bracketed + ":" + config.get(Settings.HTTP_PORT);
  }

  private List<String> ask(URI target) throws IOException {
    if (!(target.toURL().openConnection() instanceof HttpURLConnection connection)) {
      throw new IllegalArgumentException(target.toString());
    }
    connection.setConnectTimeout(TIMEOUT_MS);
    connection.setReadTimeout(TIMEOUT_MS);
    connection.setRequestMethod("POST");
    connection.setRequestProperty("content-type", "application/json");
    String token = System.getenv(TOKEN);
    if (token != null && !token.isBlank()) {
      connection.setRequestProperty("authorization", "Bearer " + token.strip());
    }
    connection.setDoOutput(true);
    try (OutputStream out = connection.getOutputStream()) {
      JsonOut body = new JsonOut(64).beginObject().name("tag").text(tag);
      out.write(
          body.name("count").number(count).endObject().toString().getBytes(StandardCharsets.UTF_8));
    }
    if (connection.getResponseCode() != HttpURLConnection.HTTP_OK) {
      throw refusal(connection);
    }
    try (InputStream in = connection.getInputStream()) {
      return ids(in.readNBytes(MAX_REPLY));
    }
  }

  private static List<String> ids(byte[] reply) throws IOException {
    List<String> ids = new ArrayList<>();
    try (JsonParser parser = new JsonFactory().createParser(reply)) {
      while (parser.nextToken() != null) {
        if (parser.currentToken() == JsonToken.START_ARRAY) {
          while (parser.nextToken() == JsonToken.VALUE_STRING) {
            ids.add(parser.getText());
          }
        }
      }
    }
    return ids;
  }

  private static CommandException refusal(HttpURLConnection connection) throws IOException {
    int code = connection.getResponseCode();
    String detail = "HTTP " + code;
    try (InputStream in = connection.getErrorStream()) {
      detail = in == null ? detail : detail(in.readNBytes(MAX_PROBLEM), detail);
    }
    return new CommandException(status(code), detail);
  }

  private static String detail(byte[] problem, String otherwise) {
    try (JsonParser parser = new JsonFactory().createParser(problem)) {
      while (parser.nextToken() != null) {
        if ("detail".equals(parser.currentName())
            && parser.currentToken() == JsonToken.VALUE_STRING) {
          return parser.getText();
        }
      }
      return otherwise;
    } catch (IOException e) {
      return otherwise; // what answered is no idgen server: its status is all there is to tell
    }
  }

  private static int status(int code) {
    return switch (code) {
      case 400 -> ExitStatus.USAGE;
      case 404 -> ExitStatus.NOT_FOUND;
      case 401, 403 -> ExitStatus.FAILED;
      case 503 -> ExitStatus.UNAVAILABLE;
      default -> ExitStatus.FAILED;
    };
  }
}
