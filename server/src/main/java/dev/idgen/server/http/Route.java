package dev.idgen.server.http;

import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.util.ArrayList;
import java.util.List;
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
  private final boolean parted;

  /** A few, in the order in which they were added: looking at them is faster than hashing. */
  private final List<MethodCall> calls = new ArrayList<>(3);

  private record MethodCall(HttpMethod method, Call call) {}

  Route(String path) {
    int open = path.indexOf('{');
    this.path = path;
    this.parted = open >= 0;
    this.before = open < 0 ? path : path.substring(0, open);
    this.behind = open < 0 ? "" : path.substring(path.indexOf('}') + 1);
  }

  void on(HttpMethod method, Call call) {
    if (find(method) != null) {
      throw new IllegalStateException(method + " " + path + ": twice (expected: once)");
    }
    calls.add(new MethodCall(method, call));
  }

  /** As documents write it. */
  String path() {
    return path;
  }

  boolean hasPart() {
    return parted;
  }

  /** Whether a path that was sent is one of these, where there are braces. */
  boolean has(String sent) {
    return sent.length() > before.length() + behind.length()
        && sent.startsWith(before)
        && sent.endsWith(behind);
  }

  /** What stands for the braces. */
  String part(String sent) {
    return parted ? sent.substring(before.length(), sent.length() - behind.length()) : "";
  }

  /**
   * What answers a method; HEAD is answered as GET is, without a body.
   *
   * @return null: the path does not take it
   */
  @Nullable Call call(HttpMethod method) {
    Call call = find(method);
    return call == null && method.equals(HttpMethod.HEAD) ? find(HttpMethod.GET) : call;
  }

  private @Nullable Call find(HttpMethod method) {
    for (int i = 0; i < calls.size(); i++) {
      if (calls.get(i).method().equals(method)) {
        return calls.get(i).call();
      }
    }
    return null;
  }

  /** The methods that the path takes: {@code GET, HEAD, OPTIONS}. */
  String allowed() {
    StringBuilder all = new StringBuilder();
    for (MethodCall each : calls) {
      all.append(each.method()).append(each.method().equals(HttpMethod.GET) ? ", HEAD, " : ", ");
    }
    return all.append("OPTIONS").toString();
  }
}
