package dev.idgen.server.http;

import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A path of the server, and what answers each method that it takes. Belongs to one event loop.
 *
 * <p>A path may have one part in braces, as in {@code /admin/tags/{tag}/raise}: any text but the
 * empty one stands for it, also one with slashes.
 */
final class Route {
  /** Answers requests. */
  @FunctionalInterface
  interface Call {

    /**
     * Answers one.
     *
     * @param part of the path that stands for the braces, as sent; empty if there are none
     */
    void answer(HttpServerRequest request, Query query, String part);
  }

  private final String path;
  private final String before;
  private final String behind;
  private final Map<HttpMethod, Call> calls = new LinkedHashMap<>();

  Route(String path) {
    int open = path.indexOf('{');
    this.path = path;
    this.before = open < 0 ? path : path.substring(0, open);
    this.behind = open < 0 ? "" : path.substring(path.indexOf('}') + 1);
  }

  void on(HttpMethod method, Call call) {
    if (calls.put(method, call) != null) {
      throw new IllegalStateException(method + " " + path + ": twice (expected: once)");
    }
  }

  /** As documents write it. */
  String path() {
    return path;
  }

  boolean hasPart() {
    return before.length() < path.length();
  }

  /** Whether a path that was sent is one of these, where there are braces. */
  boolean has(String sent) {
    return sent.length() > before.length() + behind.length()
        && sent.startsWith(before)
        && sent.endsWith(behind);
  }

  /** What stands for the braces. */
  String part(String sent) {
    return hasPart() ? sent.substring(before.length(), sent.length() - behind.length()) : "";
  }

  /**
   * What answers a method; HEAD is answered as GET is, without a body.
   *
   * @return null: the path does not take it
   */
  @Nullable Call call(HttpMethod method) {
    return calls.get(method.equals(HttpMethod.HEAD) ? HttpMethod.GET : method);
  }

  /** The methods that the path takes: {@code GET, HEAD, OPTIONS}. */
  String allowed() {
    StringBuilder all = new StringBuilder();
    for (HttpMethod method : calls.keySet()) {
      all.append(method).append(method.equals(HttpMethod.GET) ? ", HEAD, " : ", ");
    }
    return all.append("OPTIONS").toString();
  }
}
