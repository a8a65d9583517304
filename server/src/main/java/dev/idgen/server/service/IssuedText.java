package dev.idgen.server.service;

import dev.idgen.IdBatch;
import dev.idgen.IdRun;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was issued as a line of text, for the store of idempotency keys. Written in stores: what
 * earlier versions wrote must stay readable.
 *
 * <pre>
 * n segment 1+100 201+28*2            numbers of an engine: first + count * stride
 * t uuidv7 018f4c6e-.. 018f4c6e-..    texts of an engine
 * </pre>
 */
final class IssuedText {
  private static final String NUMBERS = "n";
  private static final String TEXTS = "t";

  private IssuedText() {}

  static String write(Issued issued) {
    String engine = issued.tag().row().engine();
    if (!issued.numbers()) {
      return TEXTS + " " + engine + " " + String.join(" ", issued.texts());
    }
    StringBuilder line = new StringBuilder(NUMBERS).append(' ').append(engine);
    for (IdRun run : issued.runs()) {
      line.append(' ').append(run.first()).append('+').append(run.count());
      if (run.stride() != 1) {
        line.append('*').append(run.stride());
      }
    }
    return line.toString();
  }

  /**
   * Reads a line back.
   *
   * @return null: the tag had another engine then
   * @throws IllegalStateException it is none that any version wrote
   */
  static @Nullable Issued read(Tag tag, String line) {
    String[] parts = line.split(" ", -1);
    if (parts.length < 3) {
      throw unreadable(line);
    }
    if (!parts[1].equals(tag.row().engine())) {
      return null;
    }
    List<String> rest = List.of(parts).subList(2, parts.length);
    return switch (parts[0]) {
      case TEXTS -> Issued.of(tag, rest);
      case NUMBERS -> Issued.of(tag, batch(rest, line));
      default -> throw unreadable(line);
    };
  }

  private static IdBatch batch(List<String> parts, String line) {
    List<IdRun> runs = new ArrayList<>();
    try {
      for (String part : parts) {
        runs.add(run(part));
      }
    } catch (RuntimeException e) {
      throw unreadable(line);
    }
    return new IdBatch(runs);
  }

  private static IdRun run(String part) {
    int plus = part.indexOf('+');
    int star = part.indexOf('*');
    int end = star < 0 ? part.length() : star;
    long stride = star < 0 ? 1 : Long.parseLong(part.substring(star + 1));
    return new IdRun(
        Long.parseLong(part.substring(0, plus)),
        Integer.parseInt(part.substring(plus + 1, end)),
        stride);
  }

  private static IllegalStateException unreadable(String line) {
    return new IllegalStateException(
        "reply of an idempotency key: "
            + line.substring(0, Math.min(40, line.length()))
            + " (expected: one that this version can read)");
  }
}
