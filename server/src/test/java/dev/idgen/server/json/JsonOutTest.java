package dev.idgen.server.json;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonOutTest {

  /** C81. */
  @ParameterizedTest
  @ValueSource(
      longs = {
        0,
        1,
        9,
        10,
        99,
        100,
        101,
        999,
        1000,
        1L << 31,
        (1L << 31) - 1,
        1L << 32,
        1L << 53,
        (1L << 53) + 1,
        653247040368672768L,
        999_999_999_999_999_999L,
        1_000_000_000_000_000_000L,
        Long.MAX_VALUE,
        -1,
        -10,
        Long.MIN_VALUE
      })
  void decimal_borders_areExact(long value) {
    assertEquals(Long.toString(value), new JsonOut(1).decimal(value).toString());
  }

  @Test
  void decimal_anyNumber_isExact() {
    long seed = Long.getLong("idgen.seed", System.nanoTime());
    Random random = new Random(seed);
    for (int i = 0; i < 10_000; i++) {
      long value = random.nextLong() >> random.nextInt(64);
      assertEquals(Long.toString(value), new JsonOut(4).decimal(value).toString(), "seed " + seed);
    }
  }

  @Test
  void document_nested_hasItsCommas() {
    JsonOut out = new JsonOut(0).beginObject();
    out.name("a").number(1).name("b").beginArray().text("x").bool(true).nothing();
    out.beginObject().endObject().endArray().name("c").numberText(Long.MAX_VALUE).endObject();

    assertEquals(
        "{\"a\":1,\"b\":[\"x\",true,null,{}],\"c\":\"9223372036854775807\"}", out.toString());
  }

  @Test
  void text_thatCannotStandAsItIs_isEscaped() {
    assertEquals(
        "\"a\\\"b\\\\c\\nd\\u0000e\\u007fé\uD83D\uDE00\\ud83d\"",
        new JsonOut(0).text("a\"b\\c\nd\u0000e\u007fé\uD83D\uDE00\uD83D").toString());
  }

  @Test
  void utc_anyTime_isAsTheStandardHasIt() {
    UtcText utc = new UtcText();
    for (long millis :
        new long[] {
          0, 1, 999, 1000, 1_796_000_000_123L, 1_796_000_000_007L, 253_402_300_799_999L
        }) {
      JsonOut out = new JsonOut(32);
      utc.append(out, millis);

      assertEquals(Instant.ofEpochMilli(millis), Instant.parse(out.toString()));
      assertEquals(24, out.length());
    }
  }

  @Test
  void utc_beyondFourDigits_isWrittenAllTheSame() {
    JsonOut out = new JsonOut(32);
    new UtcText().append(out, 253_402_300_800_000L);

    assertEquals("+10000-01-01T00:00:00Z", out.toString());
  }
}
