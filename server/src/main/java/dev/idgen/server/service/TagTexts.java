package dev.idgen.server.service;

import dev.idgen.store.TagRow;
import dev.idgen.text.Text;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** How the ids of tags are written. Immutable and thread-safe. */
public final class TagTexts {
  /** Of ids that are texts themselves: as their engine makes them. */
  public static final String NATIVE = "native";

  /** Keyed, so that only who has the key can tell the number. */
  public static final String OPAQUE = "opaque";

  /** Plain numbers, unless a tag says otherwise. */
  public static final String DECIMAL = "decimal";

  /** No server with these has keys for opaque ids. */
  public static final TagTexts PLAIN = new TagTexts(null);

  private static final Set<String> FORMS =
      Set.of(DECIMAL, "hex", "crockford", "base58", "base62", OPAQUE);

  private final @Nullable Opaque opaque;

  /** Makes keyed texts. */
  @FunctionalInterface
  public interface Opaque {

    /** The keyed text of a tag's ids: another one for each tag. */
    Text of(String tag);
  }

  /**
   * Texts of tags.
   *
   * @param opaque null: there are no keys
   */
  public TagTexts(@Nullable Opaque opaque) {
    this.opaque = opaque;
  }

  /**
   * How a tag's ids are written.
   *
   * @return null: its engine makes texts, which get the prefix alone
   * @throws IllegalArgumentException they cannot be: name, value, expected
   */
  @Nullable Text of(TagRow row, EngineKind kind) {
    if (!kind.numbers()) {
      require("text", row.text(), row.text().equals(NATIVE), NATIVE + " for " + kind.word());
      requirePrefix(row.prefix());
      return null;
    }
    require(
        "text",
        row.text(),
        FORMS.contains(row.text()),
        "decimal, hex, crockford, base58, base62, opaque");
    Text bare = row.text().equals(OPAQUE) ? opaque(row) : Text.named(row.text());
    return row.prefix().isEmpty() ? bare : Text.prefixed(row.prefix(), bare);
  }

  private Text opaque(TagRow row) {
    if (opaque == null) {
      throw refused("text", OPAQUE, "opaque.keys set on this server");
    }
    return opaque.of(row.tag());
  }

  /** As for numbers. */
  private static void requirePrefix(String prefix) {
    if (!prefix.isEmpty()) {
      var unused = Text.prefixed(prefix, Text.DECIMAL);
    }
  }

  private static void require(String name, String value, boolean holds, String expected) {
    if (!holds) {
      throw refused(name, value, expected);
    }
  }

  private static IllegalArgumentException refused(String name, String value, String expected) {
    return new IllegalArgumentException(name + ": " + value + " (expected: " + expected + ")");
  }
}
