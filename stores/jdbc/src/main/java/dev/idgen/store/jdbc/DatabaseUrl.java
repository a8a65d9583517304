package dev.idgen.store.jdbc;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The address of a database server: {@code postgres://user:password@host:port/database?option=..}.
 * A value; immutable. Its text never shows the password.
 *
 * @param scheme {@code postgres}, {@code mariadb} or {@code mysql}
 * @param hosts as given: {@code host:port}, several with commas between them
 * @param database its name
 * @param user empty: the driver's own choice
 * @param password empty: none
 * @param options handed to the driver
 */
record DatabaseUrl(
    String scheme,
    String hosts,
    String database,
    String user,
    String password,
    Map<String, String> options) {
  private static final Pattern HOST =
      Pattern.compile("(?:\\[[0-9A-Za-z:.%]+]|[^\\s,:\\[\\]]+)(?::([0-9]{1,5}))?");
  private static final String EXPECTED = " (expected: postgres://user:password@host:port/database)";

  /** Copies the options, in order. */
  DatabaseUrl {
    options = Map.copyOf(options);
  }

  /**
   * Takes an address apart.
   *
   * @throws IllegalArgumentException something is missing; never shows the password
   */
  static DatabaseUrl parse(String url) {
    int authority = url.indexOf("://");
    if (authority < 1) {
      throw new IllegalArgumentException("url: no scheme" + EXPECTED);
    }
    String scheme = url.substring(0, authority);
    String rest = url.substring(authority + 3);
    int mark = rest.indexOf('?');
    String query = mark < 0 ? "" : rest.substring(mark + 1);
    String place = mark < 0 ? rest : rest.substring(0, mark);
    int at = place.lastIndexOf('@');
    String account = at < 0 ? "" : place.substring(0, at);
    String target = place.substring(at + 1);
    int slash = target.indexOf('/');
    if (slash < 1 || slash == target.length() - 1 || target.indexOf('/', slash + 1) >= 0) {
      throw new IllegalArgumentException("url: " + scheme + "://" + target + EXPECTED);
    }
    requireHosts(target.substring(0, slash));
    int colon = account.indexOf(':');
    return new DatabaseUrl(
        scheme,
        target.substring(0, slash),
        decoded(target.substring(slash + 1)),
        decoded(colon < 0 ? account : account.substring(0, colon)),
        colon < 0 ? "" : decoded(account.substring(colon + 1)),
        options(query));
  }

  /** What no driver could reach is told at once: drivers would try it for ever. */
  private static void requireHosts(String hosts) {
    for (String host : hosts.split(",", -1)) {
      Matcher matcher = HOST.matcher(host);
      if (!matcher.matches() || !isPort(matcher.group(1))) {
        throw new IllegalArgumentException(
            "url: host " + host + EXPECTED.replace(")", ", ports of 1..65535)"));
      }
    }
  }

  private static boolean isPort(@Nullable String digits) {
    return digits == null || (Integer.parseInt(digits) > 0 && Integer.parseInt(digits) < 65_536);
  }

  private static Map<String, String> options(String query) {
    Map<String, String> options = new TreeMap<>();
    for (String option : query.split("&")) {
      int equals = option.indexOf('=');
      if (equals > 0) {
        options.put(decoded(option.substring(0, equals)), decoded(option.substring(equals + 1)));
      } else if (!option.isEmpty()) {
        throw new IllegalArgumentException("url: option " + option + " (expected: name=value)");
      }
    }
    return options;
  }

  /** A plus sign in a password means itself. */
  private static String decoded(String text) {
    try {
      return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) { // which would show it
      throw new IllegalArgumentException(
          "url: a % sign without two hexadecimal digits (expected: %25 for the sign itself)");
    }
  }

  /** What the driver is told: the account, our limits, and above them what the address says. */
  Properties properties(Map<String, String> limits) {
    Properties properties = new Properties();
    properties.putAll(limits);
    if (!user.isEmpty()) {
      properties.setProperty("user", user);
    }
    if (!password.isEmpty()) {
      properties.setProperty("password", password);
    }
    properties.putAll(options);
    return properties;
  }

  /** The address without the account. */
  String place() {
    return scheme + "://" + hosts + "/" + database;
  }

  @Override
  public String toString() {
    return place();
  }
}
