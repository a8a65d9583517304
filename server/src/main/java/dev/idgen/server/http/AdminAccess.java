package dev.idgen.server.http;

import dev.idgen.server.service.ServiceException;
import dev.idgen.server.service.ServiceReason;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.util.Set;

/**
 * Keeps pages in an administrator's browser from calling a server that only the browser can reach:
 * by a name that resolves to it (the host is checked), or from another origin.
 *
 * @param hosts names beside {@code localhost} and addresses under which the server may be managed
 */
record AdminAccess(Set<String> hosts) {

  /** Copies the set. */
  AdminAccess {
    hosts = Set.copyOf(hosts);
  }

  /**
   * Refuses a call that a foreign page may have made.
   *
   * @throws ServiceException with {@link ServiceReason#FORBIDDEN}
   */
  void require(HttpServerRequest request) {
    String host = host(request);
    if (!isKnown(nameOf(host))) {
      throw new ServiceException(
          ServiceReason.FORBIDDEN,
          "host: "
              + JsonBody.shortened(host)
              + " (expected: localhost, an address, or a name that http.admin-hosts lists)");
    }
    String origin = request.headers().get(HttpHeaders.ORIGIN);
    if (origin != null && !origin.equals("http://" + host) && !origin.equals("https://" + host)) {
      throw new ServiceException(
          ServiceReason.FORBIDDEN,
          "origin: " + JsonBody.shortened(origin) + " (expected: that of this server)");
    }
  }

  private static String host(HttpServerRequest request) {
    return request.version() == HttpVersion.HTTP_2
        ? String.valueOf(request.authority())
        : String.valueOf(request.headers().get(HttpHeaders.HOST));
  }

  /**
   * Refuses a body that a form of a foreign page could have sent.
   *
   * @throws ServiceException with {@link ServiceReason#UNSUPPORTED_TYPE}
   */
  static void requireJson(HttpServerRequest request) {
    String sent = request.headers().get(HttpHeaders.CONTENT_TYPE);
    String type = sent == null ? "absent" : sent;
    int semicolon = type.indexOf(';');
    String bare = (semicolon < 0 ? type : type.substring(0, semicolon)).strip();
    if (!bare.equalsIgnoreCase("application/json")) {
      throw new ServiceException(
          ServiceReason.UNSUPPORTED_TYPE,
          "content-type: " + JsonBody.shortened(type) + " (expected: application/json)");
    }
  }

  /**
   * The same for a call that needs no body: who sends one, or says of which type it would be, says
   * that it is JSON.
   *
   * @throws ServiceException as above
   */
  static void requireNoOther(HttpServerRequest request) {
    String length = request.headers().get(HttpHeaders.CONTENT_LENGTH);
    boolean body =
        request.headers().contains(HttpHeaders.TRANSFER_ENCODING)
            || (length != null && !length.equals("0"));
    if (body || request.headers().contains(HttpHeaders.CONTENT_TYPE)) {
      requireJson(request);
    }
  }

  private static String nameOf(String host) {
    int colon = host.lastIndexOf(':');
    boolean port = colon > host.lastIndexOf(']');
    return port ? host.substring(0, colon) : host;
  }

  private boolean isKnown(String name) {
    return name.equalsIgnoreCase("localhost")
        || name.matches("\\[[0-9A-Fa-f:.%]+]")
        || name.matches("[0-9]{1,3}(\\.[0-9]{1,3}){3}")
        || hosts.contains(name);
  }
}
