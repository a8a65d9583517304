package dev.idgen.server.http;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A request and its answer, as they went over the wire.
 *
 * @param method of the request
 * @param target path and query, as sent
 * @param sent body of the request; empty: none
 * @param status of the answer
 * @param headers of the answer, by names in lower case
 * @param body of the answer
 */
record Exchange(
    String method,
    String target,
    String sent,
    int status,
    Map<String, String> headers,
    String body) {

  /** Copies the headers. */
  Exchange {
    headers = Map.copyOf(headers);
  }

  /** Sends a request on a connection of its own, as to a name of this machine. */
  static Exchange of(int port, String method, String target, String body, String... headers) {
    StringBuilder head = new StringBuilder(method + " " + target + " HTTP/1.1\r\n");
    head.append("host: localhost\r\nconnection: close\r\ncontent-length: ");
    head.append(body.getBytes(StandardCharsets.UTF_8).length).append("\r\n");
    for (int i = 0; i < headers.length; i += 2) {
      head.append(headers[i]).append(": ").append(headers[i + 1]).append("\r\n");
    }
    return raw(port, method, target, body, head + "\r\n" + body);
  }

  /** Sends bytes as they are, and reads all until the server closes. */
  static Exchange raw(int port, String method, String target, String body, String bytes) {
    try (HttpFixture.Raw raw = new HttpFixture.Raw(port)) {
      return answered(
          method, target, body, raw.send(bytes.getBytes(StandardCharsets.UTF_8)).untilClosed());
    }
  }

  /** With an answer that was read. */
  static Exchange answered(String method, String target, String sent, String answer) {
    int end = answer.indexOf("\r\n\r\n");
    if (end < 0) {
      throw new IllegalStateException(method + " " + target + ": no answer: " + answer);
    }
    List<String> lines = answer.substring(0, end).lines().toList();
    Map<String, String> headers = new LinkedHashMap<>();
    for (String line : lines.subList(1, lines.size())) {
      int colon = line.indexOf(':');
      headers.put(
          line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).strip());
    }
    int status = Integer.parseInt(lines.get(0).split(" ")[1]);
    return new Exchange(method, target, sent, status, headers, answer.substring(end + 4));
  }

  String path() {
    int mark = target.indexOf('?');
    return mark < 0 ? target : target.substring(0, mark);
  }

  /** Without parameters of the type; empty: there is no body. */
  String type() {
    return headers.getOrDefault("content-type", "").replaceFirst(";.*", "");
  }

  @Override
  public String toString() {
    return method + " " + target + " " + sent + " -> " + status + " " + headers + " " + body;
  }
}
