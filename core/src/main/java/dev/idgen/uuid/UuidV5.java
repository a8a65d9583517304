package dev.idgen.uuid;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.UUID;

/**
 * Version 5 UUIDs, from content: the same namespace and name give the same id everywhere and
 * always. SHA-1 makes them; nobody should take them as proof of the content. Thread-safe.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9562#section-5.5">RFC 9562, section 5.5</a>
 */
public final class UuidV5 {
  /** Namespace of fully qualified domain names. */
  public static final UUID DNS = namespace("6ba7b810-9dad-11d1-80b4-00c04fd430c8");

  /** Namespace of URLs. */
  public static final UUID URL = namespace("6ba7b811-9dad-11d1-80b4-00c04fd430c8");

  /** Namespace of ISO object identifiers, in dotted decimals. */
  public static final UUID OID = namespace("6ba7b812-9dad-11d1-80b4-00c04fd430c8");

  /** Namespace of X.500 distinguished names. */
  public static final UUID X500 = namespace("6ba7b814-9dad-11d1-80b4-00c04fd430c8");

  private static final String DIGEST = "SHA-1";

  private UuidV5() {}

  private static UUID namespace(String text) {
    return Uuids.parse(text);
  }

  /**
   * The id of a name.
   *
   * @param namespace any UUID: one of the constants, or one of your own
   * @param name taken as UTF-8; other spellings of what is meant give other ids
   * @throws IllegalArgumentException the name has half a surrogate pair, of which UTF-8 would make
   *     the same mark as of any other
   */
  public static UUID of(UUID namespace, String name) {
    if (!StandardCharsets.UTF_8.newEncoder().canEncode(name)) {
      throw new IllegalArgumentException(
          "name: half a surrogate pair (expected: what UTF-8 can hold)");
    }
    return of(namespace, name.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * The id of a name.
   *
   * @param namespace any UUID: one of the constants, or one of your own
   * @param name the bytes of the name, as they are
   */
  public static UUID of(UUID namespace, byte[] name) {
    MessageDigest digest = digest();
    digest.update(Uuids.toBytes(namespace));
    return Uuids.stamped(digest.digest(name), 5);
  }

  private static MessageDigest digest() {
    try {
      return MessageDigest.getInstance(DIGEST);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(DIGEST + ": unavailable (expected: on every platform)", e);
    }
  }
}
