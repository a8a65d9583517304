package dev.idgen.store;

/**
 * Asks to work on a request that bears an idempotency key. A value.
 *
 * @param entry whose key, of which tag
 * @param fingerprint what tells the request from others, 1..64 visible characters: a digest of it
 * @param attempt names this attempt: a random number that nobody else draws; a repeated call keeps
 *     it
 * @param keepMs how long the reply is kept, from when it was stored
 * @param inFlightMs how long the attempt may take before others may begin anew
 * @param maxKeys the most entries of the caller in the namespace, of all tags
 */
public record IdempotencyRequest(
    IdempotencyEntry entry,
    String fingerprint,
    long attempt,
    long keepMs,
    long inFlightMs,
    int maxKeys) {

  /** The most characters of a fingerprint. */
  public static final int MAX_FINGERPRINT = 64;

  /** The longest time that anything is kept: 400 days, in milliseconds. */
  public static final long MAX_KEEP_MS = 400L * 24 * 60 * 60 * 1000;

  /** Refuses what makes no sense. */
  public IdempotencyRequest {
    requireFingerprint(fingerprint);
    require("keepMs", keepMs, MAX_KEEP_MS);
    require("inFlightMs", inFlightMs, MAX_KEEP_MS);
    require("maxKeys", maxKeys, Integer.MAX_VALUE);
  }

  private static void requireFingerprint(String text) {
    if (!text.matches("[!-~]{1," + MAX_FINGERPRINT + "}")) {
      throw new IllegalArgumentException(
          "fingerprint: "
              + text.length()
              + " characters (expected: 1.."
              + MAX_FINGERPRINT
              + " visible ones)");
    }
  }

  private static void require(String name, long value, long max) {
    if (value < 1 || value > max) {
      throw new IllegalArgumentException(name + ": " + value + " (expected: 1.." + max + ")");
    }
  }
}
