package dev.idgen.opaque;

import dev.idgen.text.Text;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Keys of opaque texts: the first one makes them, all of them read them. To replace a key, put
 * another one before it; take the old one away when no text of it is in use any more. Immutable and
 * thread-safe.
 */
public final class OpaqueKeys {
  private final List<OpaqueKey> keys;

  /**
   * Keys.
   *
   * @param keys at least one, each with another name
   */
  public OpaqueKeys(List<OpaqueKey> keys) {
    this.keys = List.copyOf(keys);
    if (keys.isEmpty()) {
      throw new IllegalArgumentException("keys: none (expected: at least one)");
    }
    Set<Character> names = new HashSet<>();
    for (OpaqueKey key : keys) {
      if (!names.add(key.name())) {
        throw new IllegalArgumentException(key + ": given twice (expected: each name once)");
      }
    }
  }

  /**
   * The text of one kind of ids: the same number has another text for each.
   *
   * @param tag what the ids are for; never change it while texts are in use
   */
  public Text of(String tag) {
    return new OpaqueText(keys, tag);
  }
}
