package dev.idgen.store;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rows as one short line of text each, for stores that keep values without columns: a version, then
 * the fields with spaces between them, texts as in a URL's query.
 */
public final class RowText {
  private static final String VERSION = "1";
  private static final String NOBODY = "-";
  private static final String SOMEBODY = "=";
  private static final int NAMESPACE_FIELDS = 7;
  private static final int WORKER_FIELDS = 11;

  private RowText() {}

  /** The text of a namespace's row. */
  public static String of(NamespaceRow row) {
    return joined(
        VERSION,
        encoded(row.layout()),
        encoded(row.identity()),
        row.fence(),
        row.floorMillis(),
        row.reachMs(),
        row.createdAtMillis());
  }

  /** The text of a worker id's row. */
  public static String of(WorkerRow row) {
    String owner = row.owner();
    return joined(
        VERSION,
        row.workerId(),
        owner == null ? NOBODY : SOMEBODY + encoded(owner),
        row.generation(),
        row.token(),
        row.nonce(),
        row.fromMillis(),
        row.horizonMillis(),
        encoded(row.identity()),
        row.fence(),
        row.updatedAtMillis());
  }

  /**
   * The row of a text.
   *
   * @throws IllegalArgumentException it is none, or of a later version
   */
  public static NamespaceRow namespace(String text) {
    String[] f = fields(text, NAMESPACE_FIELDS);
    return new NamespaceRow(
        decoded(f[1]), decoded(f[2]), number(f[3]), number(f[4]), number(f[5]), number(f[6]));
  }

  /**
   * The row of a text.
   *
   * @throws IllegalArgumentException it is none, or of a later version
   */
  public static WorkerRow worker(String text) {
    String[] f = fields(text, WORKER_FIELDS);
    return new WorkerRow(
        Integer.parseInt(f[1]),
        owner(f[2]),
        number(f[3]),
        number(f[4]),
        number(f[5]),
        number(f[6]),
        number(f[7]),
        decoded(f[8]),
        number(f[9]),
        number(f[10]));
  }

  private static @Nullable String owner(String field) {
    if (field.equals(NOBODY)) {
      return null;
    }
    if (!field.startsWith(SOMEBODY)) {
      throw new IllegalArgumentException("owner: " + field + " (expected: -, or = and a name)");
    }
    return decoded(field.substring(SOMEBODY.length()));
  }

  private static String[] fields(String text, int expected) {
    String[] fields = text.split(" ", -1);
    if (!fields[0].equals(VERSION)) {
      throw new IllegalArgumentException(
          "row: version " + fields[0] + " (expected: " + VERSION + ")");
    }
    if (fields.length != expected) {
      throw new IllegalArgumentException(
          "row: " + fields.length + " fields (expected: " + expected + ")");
    }
    return fields;
  }

  private static String joined(Object... fields) {
    return String.join(" ", List.of(fields).stream().map(String::valueOf).toList());
  }

  private static long number(String field) {
    return Long.parseLong(field);
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }
}
