package dev.idgen.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Requests that are sent again under an idempotency key. */
class RepeatedTest {
  private final HttpFixture server = new HttpFixture();

  @AfterEach
  void stop() {
    server.close();
  }

  private HttpResponse<String> post(String path, String body, String key) {
    return server.send("POST", path, body, "idempotency-key", key);
  }

  @ParameterizedTest
  @CsvSource({
    "/ids,",
    "/ids/batch,'{\"count\":5000}'",
    "/ids/batch?form=runs,'{\"count\":100000}'",
  })
  void post_sameKey_isAnsweredTheSame(String path, String body) {
    HttpResponse<String> first = post(path, body, "a-key");
    assertEquals(200, first.statusCode(), first.body());
    assertEquals(first.body(), post(path, body, "a-key").body());
    assertNotEquals(first.body(), post(path, body, "another").body());
  }

  @Test
  void post_anotherBody_isRefused() {
    post("/ids/batch", "{\"count\":2}", "a-key");
    HttpResponse<String> other = post("/ids/batch", "{\"count\":3}", "a-key");
    assertEquals(422, other.statusCode(), other.body());
    assertEquals("IDEMPOTENCY_MISMATCH", new JsonObject(other.body()).getString("reason"));
  }

  @Test
  void post_keyThatCannotBe_isRefused() {
    HttpResponse<String> reply = post("/ids", "", "k".repeat(256));
    assertEquals(400, reply.statusCode(), reply.body());
    JsonObject problem = new JsonObject(reply.body());
    assertEquals("INVALID_BODY", problem.getString("reason"));
    assertEquals("idempotency-key: 256 characters (expected: 1..255)", problem.getString("detail"));
  }

  @Test
  void post_twoKeys_areRefused() {
    HttpResponse<String> reply =
        server.send("POST", "/ids", "", "idempotency-key", "a", "idempotency-key", "b");
    assertEquals(400, reply.statusCode(), reply.body());
  }

  /** Of many at once all that are answered get the same ids. */
  @Test
  void post_manyAtOnce_getOneBatch() throws Exception {
    ExecutorService clients = Executors.newFixedThreadPool(16);
    ConcurrentLinkedQueue<HttpResponse<String>> replies = new ConcurrentLinkedQueue<>();
    try {
      for (int i = 0; i < 64; i++) {
        clients.execute(() -> replies.add(post("/ids/batch", "{\"count\":10}", "one")));
      }
    } finally {
      clients.shutdown();
      clients.awaitTermination(60, TimeUnit.SECONDS);
    }
    assertEquals(64, replies.size());
    Set<String> bodies = new HashSet<>();
    for (HttpResponse<String> reply : List.copyOf(replies)) {
      if (reply.statusCode() == 200) {
        bodies.add(reply.body());
      } else {
        assertEquals(409, reply.statusCode(), reply.body());
      }
    }
    assertEquals(1, bodies.size());
  }
}
