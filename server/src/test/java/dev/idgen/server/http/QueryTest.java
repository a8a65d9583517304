package dev.idgen.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

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
