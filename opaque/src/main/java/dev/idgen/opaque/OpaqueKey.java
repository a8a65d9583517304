package dev.idgen.opaque;

import java.util.Arrays;

/**
 * A key with a name. Immutable; its text never shows the key.
 *
 * <p>A text begins with the name of its key, so that keys can be replaced and old texts still be
 * read.
 */
public final class OpaqueKey {
  private final char name;
  private final byte[] bytes;

  /**
   * A key.
   *
   * @param name one of {@code 0-9A-Za-z}
   * @param bytes an AES key: 16, 24 or 32 of them; copied
   */
  public OpaqueKey(char name, byte[] bytes) {
    if (OpaqueText.ALPHABET.indexOf(name) < 0) {
      throw new IllegalArgumentException("key name: not shown (expected: one of 0-9A-Za-z)");
    }
    if (bytes.length != 16 && bytes.length != 24 && bytes.length != 32) {
      throw new IllegalArgumentException(
          "key " + name + ": " + bytes.length + " bytes (expected: 16, 24 or 32)");
    }
    this.name = name;
    this.bytes = Arrays.copyOf(bytes, bytes.length);
  }

  /** What texts made with it begin with. */
  public char name() {
    return name;
  }

  byte[] bytes() {
    return bytes;
  }

  /** The name alone. */
  @Override
  public String toString() {
    return "key " + name;
  }
}
