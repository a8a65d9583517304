package dev.idgen.server.http;

import io.vertx.core.http.HttpMethod;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All calls of the server, files of the web page apart. What is not in here is not answered, and
 * what is in here is in {@code openapi.json}: a test holds them against each other. Belongs to one
 * event loop.
 */
final class RouteTable {
  private final Map<String, Route> whole = new HashMap<>();

  /** With a part in braces; where two have a path, the one that was added first. */
  private final List<Route> parted = new ArrayList<>();

  /** Adds a call: its path, as documents write it, the method, and what answers. */
  void add(String path, HttpMethod method, Route.Call call) {
    Route route = row(path);
    if (route == null) {
      route = new Route(path);
      if (route.hasPart()) {
        parted.add(route);
      } else {
        whole.put(path, route);
      }
    }
    route.on(method, call);
  }

  private @Nullable Route row(String path) {
    return parted.stream()
        .filter(route -> route.path().equals(path))
        .findFirst()
        .orElse(whole.get(path));
  }

  /**
   * The route of a path that was sent.
   *
   * @return null: there is none
   */
  @Nullable Route find(String sent) {
    Route found = whole.get(sent);
    return found != null ? found : findParted(sent);
  }

  private @Nullable Route findParted(String sent) {
    for (Route route : parted) {
      if (route.has(sent)) {
        return route;
      }
    }
    return null;
  }

  /** All routes, in no order. */
  List<Route> all() {
    List<Route> all = new ArrayList<>(whole.values());
    all.addAll(parted);
    return all;
  }
}
