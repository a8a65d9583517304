package dev.idgen.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QueryTest {

  @ParameterizedTest
  @CsvSource({
    "/a,/a,''",
    "/a?,/a,''",
    "/a?b=1,/a,b=1",
    "/a?b?c,/a,b?c",
    "/a#b,/a,''",
    "/a#?b,/a,''",
    "/a?b#c?d,/a,b",
    "http://h:1/a?b,/a,b",
    "http://h:1/,/,''",
    "http://h:1,http://h:1,''",
    "http://h?b,http://h,b",
    "http://h#/a,/a,''",
    "*,*,''",
    "'','',''"
  })
  void of_anyTarget_isTakenApart(String target, String path, String query) {
    assertEquals(new Query(path, query), Query.of(target));
  }

  @ParameterizedTest
  @CsvSource({
    "/a?count=5,count: unknown (expected: n)",
    "/a?n=1&N=2,N: unknown (expected: n)",
    "/a?nn=1,nn: unknown (expected: n)",
    "/a?x,x: unknown (expected: n)",
    "/a?=1,: unknown (expected: n)"
  })
  void requireOnly_anotherName_throws(String target, String message) {
    Query query = Query.of(target);
    var refused = assertThrows(IllegalArgumentException.class, () -> query.requireOnly("n"));
    assertEquals(message, refused.getMessage());
  }

  @Test
  void requireOnly_knownNamesOrNone_passes() {
    Query.of("/a?n=1&tag=x&&n=2").requireOnly("n", "tag");
    Query.of("/a?n").requireOnly("n");
    Query.of("/a?").requireOnly();
  }

  @Test
  void of_anyText_isTakenApart() {
    long seed = Long.getLong("idgen.seed", System.nanoTime());
    Random random = new Random(seed);
    String letters = "/?#:&=%a*";
    for (int i = 0; i < 20_000; i++) {
      StringBuilder target = new StringBuilder();
      for (int length = random.nextInt(12); length > 0; length--) {
        target.append(letters.charAt(random.nextInt(letters.length())));
      }
      Query query = Query.of(target.toString());
      assertEquals(-1, (query.path() + query.query()).indexOf('#'), "seed " + seed + ": " + target);
    }
  }
}
