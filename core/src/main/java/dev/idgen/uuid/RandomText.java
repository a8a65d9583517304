package dev.idgen.uuid;

import dev.idgen.entropy.Entropy;
import java.nio.charset.StandardCharsets;

/**
 * Generates texts of random characters, in no order: each character as likely as any other, all
 * from the entropy. Thread-safe if the entropy is.
 */
public final class RandomText {
  /** The 64 characters that a URL takes as they are in every place. */
  public static final String URL_SAFE =
      "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz-";

  /** Characters of {@link #next}: as many random bits as a UUID, and a few more. */
  public static final int LENGTH = 21;

  private static final int LENGTH_MAX = 256;
  private static final int ALPHABET_MAX = '~' - '!' + 1;

  /** At least half of the bytes drawn are good, so a sound entropy needs hardly two. */
  private static final int DRAWS_MAX = 128;

  private static final RandomText SHARED = new RandomText(Entropy.secure(), URL_SAFE, LENGTH);

  private final Entropy entropy;
  private final byte[] alphabet;
  private final int length;
  private final int mask;

  /**
   * A generator.
   *
   * @param entropy where the characters come from
   * @param alphabet 2 to 94 different characters, each visible ASCII
   * @param length characters of each text, 1..256
   */
  public RandomText(Entropy entropy, String alphabet, int length) {
    checkAlphabet(alphabet);
    if (length < 1 || length > LENGTH_MAX) {
      throw new IllegalArgumentException(
          "length: " + length + " (expected: 1.." + LENGTH_MAX + ")");
    }
    this.entropy = entropy;
    this.alphabet = alphabet.getBytes(StandardCharsets.US_ASCII);
    this.length = length;
    this.mask = Integer.highestOneBit(alphabet.length() - 1) * 2 - 1;
  }

  private static void checkAlphabet(String alphabet) {
    if (alphabet.length() < 2 || alphabet.length() > ALPHABET_MAX) {
      throw new IllegalArgumentException(
          "alphabet: " + alphabet.length() + " characters (expected: 2.." + ALPHABET_MAX + ")");
    }
    for (int i = 0; i < alphabet.length(); i++) {
      char c = alphabet.charAt(i);
      if (c < '!' || c > '~' || alphabet.indexOf(c) != i) {
        throw new IllegalArgumentException(
            "alphabet: character " + i + " (expected: visible ASCII, each once)");
      }
    }
  }

  /** {@value #LENGTH} characters of {@link #URL_SAFE}, from the secure entropy of the platform. */
  public static String next() {
    return SHARED.take();
  }

  /**
   * A text of this generator.
   *
   * @throws IllegalStateException the entropy gives nothing but bytes that have to be thrown away
   */
  public String take() {
    byte[] text = new byte[length];
    byte[] random = new byte[drawn()];
    int filled = 0;
    for (int i = 0; i < DRAWS_MAX; i++) {
      entropy.fill(random);
      filled = append(random, text, filled);
      if (filled == length) {
        return new String(text, StandardCharsets.US_ASCII);
      }
    }
    throw new IllegalStateException(
        "entropy: " + filled + " good bytes in " + DRAWS_MAX + " draws (expected: " + length + ")");
  }

  /** What is needed on average, and a quarter more. */
  private int drawn() {
    int values = mask + 1;
    int needed = (length * values + alphabet.length - 1) / alphabet.length;
    return values == alphabet.length ? length : needed + needed / 4 + 1;
  }

  /** Throws away what is past the alphabet: a remainder would favour its first characters. */
  private int append(byte[] random, byte[] text, int filled) {
    int at = filled;
    for (int i = 0; i < random.length && at < length; i++) {
      int value = random[i] & mask;
      if (value < alphabet.length) {
        text[at++] = alphabet[value];
      }
    }
    return at;
  }

  /** How many random bits each text holds: what decides how many texts there can be. */
  public double bits() {
    return length * Math.log(alphabet.length) / Math.log(2);
  }
}
