package dev.idgen.store;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The address of a store of several servers: {@code
 * scheme://user:password@host:port,host:port/path?ca=file}. A value; immutable. Its text never
 * shows the password.
 *
 * @param scheme what kind of store; one that ends with {@code s} is spoken over TLS
 * @param servers one or more
 * @param user empty: none
 * @param password empty: none
 * @param path begins with a slash and does not end with one
 * @param ca with TLS, the file of the authorities that are trusted, in PEM; empty: those of Java
 */
public record StoreAddress(
    String scheme, List<Server> servers, String user, String password, String path, String ca) {
  private static final String CA = "ca=";
  private static final int MAX_SERVERS = 16;
  private static final int MAX_PORT = 65_535;

  /**
   * One server.
   *
   * @param host a name, an IPv4 address, or an IPv6 address in brackets
   * @param port 1..65535
   */
  public record Server(String host, int port) {
    @Override
    public String toString() {
      return host + ":" + port;
    }
  }

  /** Copies the list. */
  public StoreAddress {
    servers = List.copyOf(servers);
  }

  /**
   * Takes an address apart.
   *
   * @param text the address
   * @param defaultPort where none is given
   * @param defaultPath where none is given
   * @throws IllegalArgumentException it is none; the message never shows the password
   */
  public static StoreAddress parse(String text, int defaultPort, String defaultPath) {
    int authority = text.indexOf("://");
    if (authority < 1) {
      throw refused("no scheme");
    }
    String scheme = text.substring(0, authority);
    String rest = text.substring(authority + 3);
    int at = rest.lastIndexOf('@');
    String account = at < 0 ? "" : rest.substring(0, at);
    int mark = rest.indexOf('?', at + 1);
    String target = rest.substring(at + 1, mark < 0 ? rest.length() : mark);
    int slash = target.indexOf('/');
    String path = slash < 0 ? defaultPath : target.substring(slash);
    if (!path.matches("(/[A-Za-z0-9_-][A-Za-z0-9._-]*){1,8}")) {
      throw refused("path " + path);
    }
    List<Server> servers = servers(slash < 0 ? target : target.substring(0, slash), defaultPort);
    int colon = account.indexOf(':');
    return new StoreAddress(
        scheme,
        servers,
        decoded(colon < 0 ? account : account.substring(0, colon)),
        colon < 0 ? "" : decoded(account.substring(colon + 1)),
        path,
        mark < 0 ? "" : ca(scheme, rest.substring(mark + 1)));
  }

  /** Who names authorities must not be left without encryption. */
  private static String ca(String scheme, String query) {
    if (!query.startsWith(CA) || query.indexOf('&') >= 0 || query.length() == CA.length()) {
      throw refused("?" + query);
    }
    if (!isEncrypted(scheme)) {
      throw refused("?" + query + " with " + scheme + ", which is not encrypted");
    }
    return decoded(query.substring(CA.length()));
  }

  private static boolean isEncrypted(String scheme) {
    return scheme.endsWith("s");
  }

  /** Whether the servers are spoken to over TLS. */
  public boolean encrypted() {
    return isEncrypted(scheme);
  }

  private static List<Server> servers(String text, int defaultPort) {
    List<Server> servers = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      int colon = part.lastIndexOf(':');
      boolean named = colon > part.lastIndexOf(']');
      String host = named ? part.substring(0, colon) : part;
      int port = named ? port(part.substring(colon + 1)) : defaultPort;
      if (!host.matches("[A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+]")) {
        throw refused("server " + part);
      }
      servers.add(new Server(host, port));
    }
    if (servers.size() > MAX_SERVERS) {
      throw refused(servers.size() + " servers");
    }
    return servers;
  }

  private static int port(String text) {
    int port = text.matches("\\d{1,5}") ? Integer.parseInt(text) : 0;
    if (port < 1 || port > MAX_PORT) {
      throw refused("port " + text);
    }
    return port;
  }

  private static IllegalArgumentException refused(String what) {
    return new IllegalArgumentException(
        "address: "
            + what
            + " (expected: scheme://user:password@host:port,host:port/path, with TLS ?ca=file)");
  }

  /** A plus sign in a password means itself. */
  private static String decoded(String text) {
    return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
  }

  /** The servers with commas between them. */
  public String hosts() {
    List<String> texts = new ArrayList<>();
    servers.forEach(server -> texts.add(server.toString()));
    return String.join(",", texts);
  }

  /** The address without the account. */
  @Override
  public String toString() {
    return scheme + "://" + hosts() + path;
  }
}
