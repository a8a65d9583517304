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
  private static final int SEGMENT_FIELDS = 7;
  private static final int RESIDUE_FIELDS = 3;
  private static final int TAG_FIELDS = 21;
  private static final int IDEMPOTENCY_FIELDS = 6;

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

  /** The text of a tag's high-water mark. */
  public static String of(SegmentRow row) {
    return joined(
        VERSION,
        row.maxId(),
        row.floor(),
        encoded(row.identity()),
        row.fence(),
        row.version(),
        flag(row.removed()));
  }

  /** The text of which of several databases one is. */
  public static String of(Residue residue) {
    return joined(VERSION, residue.modulus(), residue.residue());
  }

  /** The text of what is set for a tag. */
  public static String of(TagRow row) {
    return joined(
        VERSION,
        row.tag(),
        encoded(row.engine()),
        encoded(row.text()),
        encoded(row.prefix()),
        row.start(),
        row.maximum(),
        row.step(),
        row.stepMin(),
        row.stepMax(),
        flag(row.critical()),
        row.ratePerSecond(),
        row.burst(),
        encoded(row.owner()),
        encoded(row.description()),
        row.floor(),
        row.version(),
        row.revision(),
        flag(row.removed()),
        row.createdMillis(),
        row.updatedMillis());
  }

  /** The text of an idempotency key's row. Its reply comes last, and as it is. */
  public static String of(IdempotencyRow row) {
    String reply = row.reply();
    return joined(
        VERSION,
        encoded(row.fingerprint()),
        row.attempt(),
        row.expiresMillis(),
        row.keepMs(),
        reply == null ? NOBODY : SOMEBODY + reply);
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

  /**
   * The high-water mark of a text.
   *
   * @throws IllegalArgumentException it is none, or of a later version
   */
  public static SegmentRow segment(String text) {
    String[] f = fields(text, SEGMENT_FIELDS);
    return new SegmentRow(
        number(f[1]), number(f[2]), decoded(f[3]), number(f[4]), number(f[5]), flag(f[6]));
  }

  /**
   * Which of several databases a text says.
   *
   * @throws IllegalArgumentException it says none, or is of a later version
   */
  public static Residue residue(String text) {
    String[] f = fields(text, RESIDUE_FIELDS);
    return new Residue(Integer.parseInt(f[1]), Integer.parseInt(f[2]));
  }

  /**
   * The settings of a text.
   *
   * @throws IllegalArgumentException it has none, or is of a later version
   */
  public static TagRow tag(String text) {
    String[] f = fields(text, TAG_FIELDS);
    return new TagRow(
        f[1],
        decoded(f[2]),
        decoded(f[3]),
        decoded(f[4]),
        number(f[5]),
        number(f[6]),
        number(f[7]),
        number(f[8]),
        number(f[9]),
        flag(f[10]),
        number(f[11]),
        number(f[12]),
        decoded(f[13]),
        decoded(f[14]),
        number(f[15]),
        number(f[16]),
        number(f[17]),
        flag(f[18]),
        number(f[19]),
        number(f[20]));
  }

  /**
   * The idempotency key's row of a text.
   *
   * @throws IllegalArgumentException it is none, or of a later version
   */
  public static IdempotencyRow idempotency(String text) {
    String[] f = fields(text, IDEMPOTENCY_FIELDS, IDEMPOTENCY_FIELDS);
    return new IdempotencyRow(
        decoded(f[1]), number(f[2]), number(f[3]), number(f[4]), optional("reply", f[5]));
  }

  private static @Nullable String owner(String field) {
    String owner = optional("owner", field);
    return owner == null ? null : decoded(owner);
  }

  private static @Nullable String optional(String name, String field) {
    if (field.equals(NOBODY)) {
      return null;
    }
    if (!field.startsWith(SOMEBODY)) {
      throw new IllegalArgumentException(name + ": " + field + " (expected: -, or = and a text)");
    }
    return field.substring(SOMEBODY.length());
  }

  private static String[] fields(String text, int expected) {
    return fields(text, expected, -1);
  }

  /**
   * Takes a text apart.
   *
   * @param parts the last one has what is left; -1: as many as there are
   */
  private static String[] fields(String text, int expected, int parts) {
    String[] fields = text.split(" ", parts);
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

  private static int flag(boolean set) {
    return set ? 1 : 0;
  }

  private static boolean flag(String field) {
    if (!field.equals("0") && !field.equals("1")) {
      throw new IllegalArgumentException("flag: " + field + " (expected: 0 or 1)");
    }
    return field.equals("1");
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }
}
