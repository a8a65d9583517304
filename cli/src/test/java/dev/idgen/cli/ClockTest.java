package dev.idgen.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real servers whose wall clock is stepped under them. */
class ClockTest {
  private static final long HOUR = 3_600_000;
  private static final long TEN_YEARS = 10L * 365 * 24 * HOUR;

  @TempDir private Path folder;
  private SteppedClock clock;

  @BeforeEach
  void compile() throws Exception {
    clock = new SteppedClock(folder);
  }

  private ServeProcess start(String... flags) {
    String[] all = new String[flags.length + 2];
    all[0] = "--http-port";
    all[1] = "0";
    System.arraycopy(flags, 0, all, 2, flags.length);
    return ServeProcess.start(folder, clock.environment(), all);
  }

  private static HttpResponse<String> await(
      ServeProcess server, String path, Predicate<HttpResponse<String>> wanted) {
    return Patience.await(() -> server.get(server.port(), path), wanted);
  }

  /** C3, C4. */
  @Test
  void serve_killedAndTheClockAnHourBack_refusesUntilItIsPutRight() throws Exception {
    long before;
    try (ServeProcess server = start().awaitReady()) {
      before = server.nextId();
      server.kill();
    }
    clock.stepTo(-HOUR);
    try (ServeProcess server = start()) {
      int port = server.awaitListening();
      server.awaitLine("\"event\":\"claim failed\"");
      HttpResponse<String> refused = server.get(port, "/api/ids");
      assertEquals(503, refused.statusCode());
      assertTrue(refused.body().contains("\"reason\":\"NO_LEASE\""), refused.body());
      assertTrue(
          Files.readString(folder.resolve("data/audit.log")).contains("\"event\":\"start\""));
      clock.stepTo(0);
      server.awaitReady();
      await(server, "/api/ids", reply -> reply.statusCode() == 200);
      assertTrue(server.nextId() > before);
    }
  }

  /** C4. */
  @Test
  void serve_killedAndTheClockAnHourBackPolicyLogical_goesOnAbove() throws Exception {
    long before;
    try (ServeProcess server = start().awaitReady()) {
      before = server.nextId();
      server.kill();
    }
    clock.stepTo(-HOUR);
    try (ServeProcess server = start("--snowflake-rollback-policy", "logical").awaitReady()) {
      for (int i = 0; i < 100; i++) {
        long id = server.nextId();
        assertTrue(id > before);
        before = id;
      }
    }
  }

  /** C2, C8: nothing is issued from a wrong clock, and the server comes back by itself. */
  @Test
  void serve_clockSteppedUnderIt_refusesAndComesBack() throws Exception {
    try (ServeProcess server = start().awaitReady()) {
      long before = server.nextId();

      clock.stepTo(-HOUR);
      HttpResponse<String> refused = await(server, "/api/ids", reply -> reply.statusCode() == 503);
      assertTrue(refused.body().contains("\"reason\":\"CLOCK_BACKWARD\""), refused.body());
      assertEquals(503, server.get(server.port(), "/readyz").statusCode());
      assertEquals(200, server.get(server.port(), "/healthz").statusCode());

      clock.stepTo(0);
      await(server, "/api/ids", reply -> reply.statusCode() == 200);

      clock.stepTo(TEN_YEARS);
      refused = server.get(server.port(), "/api/ids");
      assertTrue(refused.body().contains("\"reason\":\"CLOCK_AHEAD\""), refused.body());
      clock.stepTo(0);
      await(server, "/api/ids", reply -> reply.statusCode() == 200);
      assertTrue(server.nextId() > before);
      assertEquals(200, server.get(server.port(), "/readyz").statusCode());
    }
    String audit = Files.readString(folder.resolve("data/audit.log"));
    assertTrue(audit.contains("rolled back"), audit);
  }
}
