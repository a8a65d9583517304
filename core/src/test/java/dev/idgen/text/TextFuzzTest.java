package dev.idgen.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Any characters at all: either an id, or the one exception that readers are told about. */
class TextFuzzTest {
  private static final int ROUNDS = 40_000;
  private static final int LENGTH_MAX = 24;

  @Test
  void decode_anyCharacters_isAnIdOrTextException() {
    Random random = Seed.random("decode_anyCharacters_isAnIdOrTextException");
    for (int i = 0; i < ROUNDS; i++) {
      String text = soup(random);
      for (Text kind : TextTest.TEXTS) {
        assertIdOrRefused(kind, text);
      }
    }
  }

  /** Half of it starts from a real text, so that the deep branches are reached too. */
  private static String soup(Random random) {
    StringBuilder text = new StringBuilder();
    if (random.nextBoolean()) {
      Text kind = TextTest.TEXTS.get(random.nextInt(TextTest.TEXTS.size()));
      text.append(kind.encode(Seed.id(random)));
    } else {
      text.setLength(random.nextInt(LENGTH_MAX));
    }
    int limit = new int[] {0x80, 0x100, 0x180, 0x10000}[random.nextInt(4)];
    for (int i = random.nextInt(3); i < text.length(); i += 1 + random.nextInt(text.length())) {
      text.setCharAt(i, (char) random.nextInt(limit));
    }
    return text.toString();
  }

  private static void assertIdOrRefused(Text kind, String text) {
    long id;
    try {
      id = kind.decode(text);
    } catch (TextException e) {
      assertFalse(kind.isCanonical(text), text);
      assertTrue(String.valueOf(e.getMessage()).length() < 500, e::getMessage);
      return;
    }
    assertTrue(id >= 0, text);
    if (kind.isCanonical(text)) {
      assertEquals(text, kind.encode(id));
    } else {
      assertEquals(
          kind.encode(id).toUpperCase(Locale.ROOT), withoutLookAlikes(kind, text), kind::toString);
    }
  }

  private static String withoutLookAlikes(Text kind, String text) {
    int prefix = kind.lengthMax() - Text.CROCKFORD.lengthMax();
    String rest = text.substring(prefix).toUpperCase(Locale.ROOT);
    return text.substring(0, prefix).toUpperCase(Locale.ROOT)
        + rest.replace('I', '1').replace('L', '1').replace('O', '0');
  }
}
