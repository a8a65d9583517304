package dev.idgen.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/**
 * C80, C81: ids around the largest numbers of usual types go out and come back exact, in a client
 * too whose only numbers have 53 bits.
 */
class BordersTest {
  static final List<Long> BORDERS =
      LongStream.of(1L << 31, 1L << 32, 1L << 53, Long.MAX_VALUE)
          .flatMap(id -> LongStream.of(id - 1, id, id == Long.MAX_VALUE ? 0 : id + 1))
          .boxed()
          .toList();
  private static final long ROUNDED_BY_JAVASCRIPT = 653247040368672768L;

  /** Reads replies, one a line, and prints each id that they hold. */
  private static final String CLIENT =
      """
      const lines = require('fs').readFileSync(0, 'utf8').trim().split('\\n');
      const show = id => {
        if (typeof id !== 'string') throw new Error(typeof id);
        console.log(BigInt(id).toString());
      };
      const visit = (name, value) => {
        if (['id', 'ids', 'first', 'number'].includes(name)) [value].flat().forEach(show);
        else if (value && typeof value === 'object')
          for (const [inner, each] of Object.entries(value)) visit(inner, each);
      };
      lines.map(line => JSON.parse(line)).forEach(reply => visit('', reply));
      """;

  private final HttpFixture server = new HttpFixture();

  @AfterEach
  void stop() {
    server.close();
  }

  @ParameterizedTest
  @FieldSource("BORDERS")
  void inspect_border_givesTheVeryTextBack(long id) {
    String body = server.get("/api/ids/" + id).body();

    assertTrue(body.startsWith("{\"id\":\"" + id + "\","), body);
    assertTrue(body.contains("\"number\":\"" + id + "\""), body);
    long fields =
        FakeEngine.LAYOUT.encode(
            FakeEngine.LAYOUT.tickOf(id), number(body, "machine"), number(body, "sequence"));
    assertEquals(id, fields);
  }

  @Test
  void inspect_pastTheLast_isRefused() {
    assertEquals(400, server.get("/api/ids/9223372036854775808").statusCode());
    assertEquals(400, server.get("/api/ids/-1").statusCode());
  }

  @ParameterizedTest
  @FieldSource("BORDERS")
  void issue_border_isThatTextEverywhere(long id) {
    for (String reply : issued(id)) {
      assertTrue(reply.contains("\"" + id + "\""), reply);
    }
  }

  @Test
  void replies_inNode_areExact() throws Exception {
    List<Long> ids = new ArrayList<>(BORDERS);
    ids.add(ROUNDED_BY_JAVASCRIPT);
    StringBuilder replies = new StringBuilder();
    StringBuilder expected = new StringBuilder();
    for (long id : ids) {
      for (String reply : issued(id)) {
        replies.append(reply).append('\n');
        expected.append(id).append('\n');
      }
    }
    assertEquals(expected.toString(), node(replies.toString()));
  }

  @Test
  void inspect_inNode_isExact() throws Exception {
    for (long id : List.of(ROUNDED_BY_JAVASCRIPT, Long.MAX_VALUE)) {
      List<String> shown = node(server.get("/api/ids/" + id).body()).lines().distinct().toList();
      assertEquals(String.valueOf(id), shown.get(0));
    }
  }

  /** Each form in which an id goes out. */
  private List<String> issued(long id) {
    List<String> replies = new ArrayList<>();
    server.engine.next.set(id);
    replies.add(server.post("/ids", "").body());
    for (String form : List.of("list", "runs")) {
      server.engine.next.set(id);
      replies.add(server.post("/ids/batch?form=" + form, "{\"count\":1}").body());
    }
    server.engine.next.set(id);
    replies.add(server.get("/api/ids").body());
    return replies;
  }

  private static int number(String body, String name) {
    return Integer.parseInt(body.replaceFirst("(?s).*?\"" + name + "\":(\\d+).*", "$1"));
  }

  private static String node(String input) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder("node", "-e", CLIENT)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    process.getOutputStream().write(input.getBytes(StandardCharsets.US_ASCII));
    process.getOutputStream().close();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    assertEquals(0, process.waitFor(), out);
    return out;
  }
}
