package dev.idgen.store.file;

import dev.idgen.store.NamespaceRow;
import dev.idgen.store.StoreOperation;
import dev.idgen.store.WorkerRow;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Map;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The text of a state file, for people to read: a line of heading, the identity, a line for each
 * namespace and each worker id, and a checksum over all of it. Times are milliseconds since 1970.
 */
final class StateText {
  static final int VERSION = 1;

  private static final String HEADING = "idgen leases, version ";
  private static final String CHECKSUM = "checksum ";
  private static final char ESCAPE = '%';
  private static final HexFormat HEX = HexFormat.of().withUpperCase();

  private StateText() {}

  /** The file does not say what such a file says. */
  static final class DamagedException extends Exception {
    private static final long serialVersionUID = 1L;

    /**
     * What is wrong.
     *
     * @param message value, expected
     */
    DamagedException(String message) {
      super(message);
    }
  }

  // ---- writing

  static byte[] write(State state) {
    StringBuilder text = new StringBuilder();
    text.append(HEADING).append(VERSION).append('\n');
    text.append("identity ").append(escaped(state.identity())).append('\n');
    for (Map.Entry<String, NamespaceRow> entry : state.namespaces().entrySet()) {
      namespace(text, entry.getKey(), entry.getValue());
      for (WorkerRow row : state.workers(entry.getKey(), StoreOperation.ALL_ROWS)) {
        worker(text, entry.getKey(), row);
      }
    }
    String body = text.toString();
    return (body + CHECKSUM + checksum(body) + "\n").getBytes(StandardCharsets.US_ASCII);
  }

  private static void namespace(StringBuilder text, String name, NamespaceRow row) {
    text.append("namespace ").append(escaped(name));
    text.append(" layout=").append(escaped(row.layout()));
    text.append(" identity=").append(escaped(row.identity()));
    text.append(" fence=").append(row.fence());
    text.append(" floor=").append(row.floorMillis());
    text.append(" reach=").append(row.reachMs());
    text.append(" created=").append(row.createdAtMillis()).append('\n');
  }

  private static void worker(StringBuilder text, String namespace, WorkerRow row) {
    String owner = row.owner();
    text.append("worker ").append(escaped(namespace)).append(' ').append(row.workerId());
    text.append(" owner=").append(owner == null ? "" : escaped(owner));
    text.append(" generation=").append(row.generation());
    text.append(" token=").append(row.token());
    text.append(" nonce=").append(row.nonce());
    text.append(" from=").append(row.fromMillis());
    text.append(" horizon=").append(row.horizonMillis());
    text.append(" identity=").append(escaped(row.identity()));
    text.append(" fence=").append(row.fence());
    text.append(" updated=").append(row.updatedAtMillis()).append('\n');
  }

  private static String checksum(String body) {
    CRC32C sum = new CRC32C();
    sum.update(body.getBytes(StandardCharsets.US_ASCII));
    return HexFormat.of().toHexDigits((int) sum.getValue());
  }

  private static String escaped(String value) {
    StringBuilder text = new StringBuilder();
    for (byte b : value.getBytes(StandardCharsets.UTF_8)) {
      if (b > ' ' && b < 0x7f && b != ESCAPE) {
        text.append((char) b);
      } else {
        text.append(ESCAPE).append(HEX.toHexDigits(b));
      }
    }
    return text.toString();
  }

  // ---- reading

  static State read(byte[] bytes) throws DamagedException {
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    if (!text.startsWith(HEADING)) {
      throw new DamagedException("no state file (expected: one that begins with " + HEADING + "1)");
    }
    String version = text.substring(HEADING.length()).split("\n", 2)[0];
    if (!version.equals(Integer.toString(VERSION))) {
      throw new DamagedException(
          "version " + version + " (expected: " + VERSION + "; a newer idgen wrote it)");
    }
    return lines(checked(text).split("\n"));
  }

  private static String checked(String text) throws DamagedException {
    int at = text.lastIndexOf("\n" + CHECKSUM) + 1;
    String body = text.substring(0, at);
    if (at == 0 || !text.substring(at).equals(CHECKSUM + checksum(body) + "\n")) {
      throw new DamagedException(
          "torn or changed (expected: a checksum that fits, in a last line)");
    }
    return body;
  }

  private static State lines(String[] lines) throws DamagedException {
    State state = null;
    for (int i = 1; i < lines.length; i++) {
      try {
        Words words = new Words(lines[i]);
        switch (words.next()) {
          case "identity" -> state = new State(unescaped(words.next()));
          case "namespace" -> namespace(started(state), words);
          case "worker" -> worker(started(state), words);
          default -> throw new IllegalArgumentException("unknown kind");
        }
      } catch (IllegalArgumentException | CharacterCodingException e) {
        throw new DamagedException(
            "line " + (i + 1) + " is " + lines[i] + " (expected: a line that idgen writes)");
      }
    }
    if (state == null) {
      throw new DamagedException("no identity (expected: one in the second line)");
    }
    return state;
  }

  private static State started(@Nullable State state) {
    if (state == null) {
      throw new IllegalArgumentException("before the identity");
    }
    return state;
  }

  private static void namespace(State state, Words words) throws CharacterCodingException {
    state.put(
        unescaped(words.next()),
        new NamespaceRow(
            words.text("layout"),
            words.text("identity"),
            words.number("fence"),
            words.number("floor"),
            words.number("reach"),
            words.number("created")));
  }

  private static void worker(State state, Words words) throws CharacterCodingException {
    String namespace = unescaped(words.next());
    int workerId = Integer.parseInt(words.next());
    String owner = words.text("owner");
    state.put(
        namespace,
        new WorkerRow(
            workerId,
            owner.isEmpty() ? null : owner,
            words.number("generation"),
            words.number("token"),
            words.number("nonce"),
            words.number("from"),
            words.number("horizon"),
            words.text("identity"),
            words.number("fence"),
            words.number("updated")));
  }

  private static String unescaped(String text) throws CharacterCodingException {
    ByteBuffer bytes = ByteBuffer.allocate(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == ESCAPE) {
        if (i + 3 > text.length()) {
          throw new IllegalArgumentException("escape cut off");
        }
        bytes.put((byte) HexFormat.fromHexDigits(text, i + 1, i + 3));
        i += 2;
      } else {
        bytes.put((byte) c);
      }
    }
    return StandardCharsets.UTF_8.newDecoder().decode(bytes.flip()).toString();
  }

  /** The words of a line, in their order. */
  private static final class Words {
    private final String[] words;
    private int at;

    Words(String line) {
      words = line.split(" ", -1);
    }

    String next() {
      if (at == words.length) {
        throw new IllegalArgumentException("too few words");
      }
      return words[at++];
    }

    String text(String key) throws CharacterCodingException {
      String word = next();
      if (!word.startsWith(key + "=")) {
        throw new IllegalArgumentException("another key");
      }
      return unescaped(word.substring(key.length() + 1));
    }

    long number(String key) throws CharacterCodingException {
      return Long.parseLong(text(key));
    }
  }
}
