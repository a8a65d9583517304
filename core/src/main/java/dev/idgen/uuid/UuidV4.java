package dev.idgen.uuid;

import dev.idgen.entropy.Entropy;
import java.util.UUID;

/**
 * Generates version 4 UUIDs: 122 random bits and nothing else. Thread-safe if the entropy is. Every
 * id is drawn from the entropy itself, so nothing is held that a copied process could repeat.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9562#section-5.4">RFC 9562, section 5.4</a>
 */
public final class UuidV4 {
  private static final UuidV4 SHARED = new UuidV4(Entropy.secure());

  private final Entropy entropy;

  /** A generator that draws from this entropy, 16 bytes for each id. */
  public UuidV4(Entropy entropy) {
    this.entropy = entropy;
  }

  /** An id from the secure entropy of the platform. */
  public static UUID next() {
    return SHARED.take();
  }

  /** An id from this generator's entropy. */
  public UUID take() {
    byte[] bytes = new byte[Uuids.BYTES];
    entropy.fill(bytes);
    return Uuids.stamped(bytes, 4);
  }
}
