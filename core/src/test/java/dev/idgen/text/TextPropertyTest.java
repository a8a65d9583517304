package dev.idgen.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** What holds for every text and every id. */
class TextPropertyTest {
  static final List<Text> TEXTS = TextTest.TEXTS;
  private static final int ROUNDS = 20_000;
  private static final int MUTATED = 8;

  /** C81: 2^31, 2^32, 2^53, 2^63 - 1 and all around every power that a text splits at. */
  @ParameterizedTest
  @FieldSource("TEXTS")
  void decode_ofEncode_isTheId(Text kind) {
    Random random = Seed.random("decode_ofEncode_isTheId");
    List<Long> ids = boundaries();
    for (int i = 0; i < ROUNDS; i++) {
      ids.add(Seed.id(random));
    }
    for (long id : ids) {
      String text = kind.encode(id);
      assertEquals(id, kind.decode(text), text);
      assertTrue(kind.isCanonical(text), text);
      assertEquals(text.length(), kind.length(id), text);
      if (kind == Text.DECIMAL) {
        assertEquals(Long.toString(id), text);
      }
    }
  }

  private static List<Long> boundaries() {
    List<Long> ids = new ArrayList<>(List.of(0L, Long.MAX_VALUE - 1, Long.MAX_VALUE));
    for (int radix : new int[] {2, 10, 58, 62}) {
      for (long power = radix; power > 0 && power <= Long.MAX_VALUE / radix; power *= radix) {
        for (long times = 1; times <= 3; times++) {
          long id = power * times;
          if (id > 0) {
            ids.addAll(List.of(id - 1, id, id + 1, Long.MAX_VALUE - id));
          }
        }
      }
    }
    return ids;
  }

  @ParameterizedTest
  @FieldSource("TEXTS")
  void compareTo_textsOfOneLength_sortLikeTheIds(Text kind) {
    Random random = Seed.random("compareTo_textsOfOneLength_sortLikeTheIds");
    for (int i = 0; i < ROUNDS; i++) {
      long first = Seed.id(random);
      long second = random.nextBoolean() ? Seed.id(random) : first ^ 1L << random.nextInt(63);
      if (kind.isOrdered() || kind.length(first) == kind.length(second)) {
        int order = Integer.signum(kind.encode(first).compareTo(kind.encode(second)));
        assertEquals(Integer.signum(Long.compare(first, second)), order);
      }
    }
  }

  /**
   * Every other character in every place: another id, or refused, or the same but not canonical.
   */
  @ParameterizedTest
  @FieldSource("TEXTS")
  void decode_oneCharacterChanged_isAnotherIdOrRefused(Text kind) {
    Random random = Seed.random("decode_oneCharacterChanged_isAnotherIdOrRefused");
    for (int i = 0; i < MUTATED; i++) {
      long id = Seed.id(random);
      StringBuilder text = new StringBuilder(kind.encode(id));
      for (int at = 0; at < text.length(); at++) {
        char old = text.charAt(at);
        for (int c = 0; c < 0x180; c++) {
          if (c != old) {
            text.setCharAt(at, (char) c);
            assertNoAlias(kind, text.toString(), id);
          }
        }
        text.setCharAt(at, old);
      }
    }
  }

  @ParameterizedTest
  @FieldSource("TEXTS")
  void decode_oneCharacterMoreOrLess_isAnotherIdOrRefused(Text kind) {
    Random random = Seed.random("decode_oneCharacterMoreOrLess_isAnotherIdOrRefused");
    for (int i = 0; i < MUTATED; i++) {
      long id = Seed.id(random);
      String text = kind.encode(id);
      for (int at = 0; at <= text.length(); at++) {
        for (char c = ' '; c <= '~'; c++) {
          assertNoAlias(kind, text.substring(0, at) + c + text.substring(at), id);
        }
        if (at < text.length()) {
          assertNoAlias(kind, text.substring(0, at) + text.substring(at + 1), id);
        }
      }
    }
  }

  private static void assertNoAlias(Text kind, String text, long id) {
    long decoded;
    try {
      decoded = kind.decode(text);
    } catch (TextException e) {
      assertFalse(kind.isCanonical(text), text);
      return;
    }
    if (kind.isCanonical(text)) {
      assertNotEquals(id, decoded, text);
      assertEquals(text, kind.encode(decoded));
    } else if (!kind.name().equals("crockford")) {
      fail(kind + " takes " + text + " for " + kind.encode(decoded));
    }
  }
}
