package dev.idgen.store;

/**
 * What all allocations of a tag have in common. A value.
 *
 * @param namespace 1..64 of {@code A-Za-z0-9._-}, the first a letter or digit
 * @param tag the same
 * @param start the first id of a tag that is new, 0 or more
 * @param maximum no id above, start or more
 * @param modulus how many databases share the tag, 1 or more: ids are equal to the residue, modulo
 *     this
 * @param residue which of them this one is, 0..modulus-1
 * @param gap ids that are left out when acknowledged writes may have been lost, 0 or more; to be
 *     more than a failover can lose, a raised floor included, and where one comes soon after the
 *     other, than both
 */
public record SegmentTerms(
    String namespace, String tag, long start, long maximum, int modulus, int residue, long gap) {
  private static final String NAME = "[A-Za-z0-9][A-Za-z0-9._-]{0,63}";

  /** Refuses what no tag can have. */
  public SegmentTerms {
    requireName("namespace", namespace);
    requireName("tag", tag);
    if (start < 0) {
      throw new IllegalArgumentException("start: " + start + " (expected: >= 0)");
    }
    if (maximum < start) {
      throw new IllegalArgumentException("maximum: " + maximum + " (expected: >= " + start + ")");
    }
    if (modulus < 1) {
      throw new IllegalArgumentException("modulus: " + modulus + " (expected: >= 1)");
    }
    if (residue < 0 || residue >= modulus) {
      throw new IllegalArgumentException(
          "residue: " + residue + " (expected: 0.." + (modulus - 1) + ")");
    }
    if (gap < 0) {
      throw new IllegalArgumentException("gap: " + gap + " (expected: >= 0)");
    }
  }

  /**
   * A tag in one database, from 1 on, without an end.
   *
   * @param gap ids that are left out when acknowledged writes may have been lost
   */
  public static SegmentTerms of(String namespace, String tag, long gap) {
    return new SegmentTerms(namespace, tag, 1, Long.MAX_VALUE, 1, 0, gap);
  }

  private static void requireName(String name, String value) {
    if (!value.matches(NAME)) {
      throw new IllegalArgumentException(
          name
              + ": "
              + value
              + " (expected: 1 to 64 of A-Z a-z 0-9 . _ -, the first a letter or digit)");
    }
  }
}
