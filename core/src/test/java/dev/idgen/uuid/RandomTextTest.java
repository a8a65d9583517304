package dev.idgen.uuid;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.entropy.Entropy;
import dev.idgen.text.Seed;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RandomTextTest {

  @Test
  void next_always_is21UrlSafeCharactersAndDiffers() {
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < 1000; i++) {
      String text = RandomText.next();
      assertTrue(text.matches("[A-Za-z0-9_-]{21}"), text);
      assertTrue(seen.add(text));
    }
    assertEquals(64, RandomText.URL_SAFE.chars().distinct().count());
    assertEquals(126, new RandomText(Entropy.secure(), RandomText.URL_SAFE, 21).bits(), 1e-9);
  }

  @Test
  void take_alphabetOfAPowerOfTwo_takesEveryByte() {
    ScriptedEntropy entropy = new ScriptedEntropy("00013f40ff");
    RandomText texts = new RandomText(entropy, RandomText.URL_SAFE, 5);
    assertEquals("01-0-", texts.take());
    assertEquals(1, entropy.fills);
  }

  /** 3 of 4 values are good: a remainder would have taken the fourth for the first. */
  @Test
  void take_alphabetOfThree_throwsAwayTheFourthValue() {
    ScriptedEntropy entropy = new ScriptedEntropy("03030001ff02");
    assertEquals("abcabcab", new RandomText(entropy, "abc", 8).take());
  }

  @Test
  void take_anyAlphabet_givesEachCharacterItsShare() {
    Random random = Seed.random("take_anyAlphabet_givesEachCharacterItsShare");
    for (int size : new int[] {2, 3, 10, 33, 62, 63, 65, 94}) {
      String alphabet = visible().substring(0, size);
      RandomText texts = new RandomText(random::nextBytes, alphabet, 250);
      int[] counts = new int[128];
      for (int i = 0; i < 400; i++) {
        texts.take().chars().forEach(c -> counts[c]++);
      }
      double share = 100_000.0 / size;
      for (int i = 0; i < size; i++) {
        char c = alphabet.charAt(i);
        assertEquals(share, counts[c], 7 * Math.sqrt(share), "share of " + c + " of " + size);
      }
    }
  }

  private static String visible() {
    StringBuilder visible = new StringBuilder();
    for (char c = '!'; c <= '~'; c++) {
      visible.append(c);
    }
    return visible.toString();
  }

  @Test
  void take_entropyOfBadBytesOnly_givesUp() {
    RandomText texts = new RandomText(new ScriptedEntropy("ff"), "abc", 8);
    var e = assertThrows(IllegalStateException.class, texts::take);
    assertEquals("entropy: 0 good bytes in 128 draws (expected: 8)", e.getMessage());
  }

  @Test
  void new_badAlphabetOrLength_isRefused() {
    assertRefused("a", 5, "alphabet: 1 characters (expected: 2..94)");
    assertRefused(visible() + "!", 5, "alphabet: 95 characters (expected: 2..94)");
    assertRefused("aba", 5, "alphabet: character 2 (expected: visible ASCII, each once)");
    assertRefused("a b", 5, "alphabet: character 1 (expected: visible ASCII, each once)");
    assertRefused("aä", 5, "alphabet: character 1 (expected: visible ASCII, each once)");
    assertRefused("ab", 0, "length: 0 (expected: 1..256)");
    assertRefused("ab", 257, "length: 257 (expected: 1..256)");
    assertEquals(256, new RandomText(Entropy.secure(), visible(), 256).take().length());
  }

  private static void assertRefused(String alphabet, int length, String message) {
    var e =
        assertThrows(
            IllegalArgumentException.class,
            () -> new RandomText(Entropy.secure(), alphabet, length));
    assertEquals(message, e.getMessage());
  }
}
