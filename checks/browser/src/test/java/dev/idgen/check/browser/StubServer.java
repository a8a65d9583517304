package dev.idgen.check.browser;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Serves the page's files under the strictest policy, and answers of which each test can replace
 * any, so that the page is seen with layouts and malice that a real server would not give it.
 */
final class StubServer implements AutoCloseable {
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'"
          + " data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
  private static final Map<String, String> TYPES =
      Map.of(
          "html", "text/html", "js", "text/javascript", "css", "text/css", "svg", "image/svg+xml");
  private static final int ROWS = 5;
  private static final long USUAL_FIRST = 721_864_159_923_240_960L;

  static {
    // Without it each small answer on a kept connection waits for a delayed acknowledgement.
    System.setProperty("sun.net.httpserver.nodelay", "true");
  }

  private final HttpServer http;
  private final Map<String, Answer> replaced = new ConcurrentHashMap<>();
  private final AtomicLong next = new AtomicLong(USUAL_FIRST);
  private volatile StubLayout layout = StubLayout.DEFAULT;

  StubServer() throws IOException {
    http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    http.createContext("/", this::answer);
    http.start();
  }

  URI address() {
    return URI.create("http://127.0.0.1:" + http.getAddress().getPort() + "/");
  }

  /** Forgets what a test replaced. */
  void reset() {
    replaced.clear();
    use(StubLayout.DEFAULT, USUAL_FIRST);
  }

  /** From now on the cluster has that layout, and issues upwards from that id. */
  void use(StubLayout layout, long next) {
    this.layout = layout;
    this.next.set(next);
  }

  /** Answers that path so from now on. */
  void replace(String path, int status, String type, String body) {
    replaced.put(path, new Answer(status, type, body.getBytes(StandardCharsets.UTF_8)));
  }

  @Override
  public void close() {
    http.stop(0);
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath();
      Answer own = replaced.get(path);
      send(exchange, own != null ? own : usual(path));
    }
  }

  private Answer usual(String path) throws IOException {
    if (path.equals("/api/layout")) {
      return json(layout.json());
    }
    if (path.equals("/api/ids")) {
      return json(issued());
    }
    if (path.startsWith("/api/ids/")) {
      return decoded(path.substring("/api/ids/".length()));
    }
    return file(path.equals("/") ? "index.html" : path.substring(1));
  }

  private String issued() {
    long first = next.getAndAdd(ROWS);
    return LongStream.range(first, first + ROWS)
        .mapToObj(layout::row)
        .collect(Collectors.joining(",", "[", "]"));
  }

  private Answer decoded(String text) {
    if (text.matches("[0-9]{1,18}|[0-8][0-9]{18}")) {
      return json(layout.decoded(Long.parseLong(text)));
    }
    if (text.matches("[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}")) {
      String reading =
          "{\"kind\":\"UUID v7\",\"form\":\"canonical\",\"time\":\"%s\",\"fields\":[]}";
      String time = "2026-10-13T12:00:00.000Z";
      return json(
          "{\"id\":\"%s\",\"time\":\"%s\",\"kind\":\"uuidv7\",\"readings\":[%s]}"
              .formatted(text, time, reading.formatted(time)));
    }
    String problem =
        "{\"type\":\"about:blank\",\"title\":\"Bad Request\",\"status\":400,\"detail\":\"id: %s"
            + " (expected: a decimal of 0..9223372036854775807, or a known text)\","
            + "\"reason\":\"INVALID_ID\",\"traceId\":\"4bf92f3577b34da6a3ce929d0e0e4736\"}";
    return new Answer(
        400, "application/problem+json", problem.formatted(text).getBytes(StandardCharsets.UTF_8));
  }

  private static Answer json(String body) {
    return new Answer(200, "application/json", body.getBytes(StandardCharsets.UTF_8));
  }

  private static Answer file(String name) throws IOException {
    try (InputStream file = resource(name)) {
      if (file == null) {
        return new Answer(404, "text/plain", new byte[0]);
      }
      String type = TYPES.getOrDefault(name.substring(name.lastIndexOf('.') + 1), "text/plain");
      return new Answer(200, type + "; charset=utf-8", file.readAllBytes());
    }
  }

  private static @Nullable InputStream resource(String name) {
    return StubServer.class.getResourceAsStream("/dev/idgen/console/" + name);
  }

  private static void send(HttpExchange exchange, Answer answer) throws IOException {
    exchange.getResponseHeaders().set("Content-Type", answer.type);
    exchange.getResponseHeaders().set("Content-Security-Policy", POLICY);
    exchange.getResponseHeaders().set("X-Content-Type-Options", "nosniff");
    exchange.getResponseHeaders().set("Cache-Control", "no-store");
    exchange.sendResponseHeaders(answer.status, answer.body.length == 0 ? -1 : answer.body.length);
    exchange.getResponseBody().write(answer.body);
  }

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Answer(int status, String type, byte[] body) {}
}
