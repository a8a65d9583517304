package dev.idgen.server.http;

import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The files of the web page, from the class path. Each is read once; what is not there is not
 * remembered, so the memory is bounded by the files there are. Not thread-safe.
 */
final class Console {
  private static final String FOLDER = "/dev/idgen/console/";

  /** No segment begins with a dot, so no path leads out of the folder. */
  private static final Pattern PATH =
      Pattern.compile(
          "(?:[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}/){0,4}[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}");

  private static final Map<String, String> TYPES =
      Map.of(
          "html", "text/html; charset=utf-8",
          "js", "text/javascript; charset=utf-8",
          "mjs", "text/javascript; charset=utf-8",
          "css", "text/css; charset=utf-8",
          "svg", "image/svg+xml",
          "png", "image/png",
          "ico", "image/x-icon",
          "webmanifest", "application/manifest+json");

  private final Map<String, Page> pages = new HashMap<>();

  /**
   * The file of a request path.
   *
   * @param path with its leading slash, as sent
   * @return null: there is none
   */
  @Nullable Page find(String path) {
    String name = path.equals("/") ? "index.html" : path.substring(1);
    Page known = pages.get(name);
    if (known != null) {
      return known;
    }
    int dot = name.lastIndexOf('.');
    String type = dot < 0 ? null : TYPES.get(name.substring(dot + 1));
    if (type == null || !PATH.matcher(name).matches()) {
      return null;
    }
    Page page = read(name, type);
    if (page != null) {
      pages.put(name, page);
    }
    return page;
  }

  private static @Nullable Page read(String name, String type) {
    try (InputStream in = Console.class.getResourceAsStream(FOLDER + name)) {
      return in == null ? null : Page.of(in.readAllBytes(), type);
    } catch (IOException e) {
      throw new IllegalStateException(name + ": unreadable (expected: a file of the page)", e);
    }
  }

  /**
   * One file.
   *
   * @param bytes never changed
   * @param type its media type
   * @param etag tells its content from any other
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Page(byte[] bytes, String type, String etag) {

    static Page of(byte[] bytes, String type) {
      try {
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
        return new Page(bytes, type, '"' + HexFormat.of().formatHex(digest, 0, 12) + '"');
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException("SHA-256: absent (expected in every Java)", e);
      }
    }
  }
}
