package dev.idgen.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.layout.Layouts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Servers as processes: how they start, share a store, fail and end. */
class ServeTest {
  @TempDir private Path folder;

  @Test
  void serve_untilSigterm_releasesAndEndsWithZero() throws IOException {
    try (ServeProcess server = ServeProcess.ready(folder)) {
      assertTrue(server.get("/").startsWith("<!doctype html>"));
      assertTrue(server.get("/readyz").contains("\"ready\""));
      assertTrue(server.nextId() > 0);

      assertEquals(0, server.terminate().exitStatus());
      assertEquals("", server.stderr());
    }
    String audit = Files.readString(folder.resolve("data/audit.log"));
    assertTrue(audit.contains("\"event\":\"start\""), audit);
    assertTrue(audit.contains("\"event\":\"lease gained\""), audit);
    assertTrue(audit.contains("\"event\":\"lease released\""), audit);
    assertTrue(audit.contains("\"event\":\"stop\""), audit);
  }

  @Test
  void serve_killedAndStartedAgain_goesOnAbove() {
    long before;
    try (ServeProcess server = ServeProcess.ready(folder, "--worker", "7")) {
      before = server.nextId();
      server.kill();
    }
    try (ServeProcess server = ServeProcess.ready(folder, "--worker", "7")) {
      assertTrue(server.nextId() > before);
      assertEquals("7", server.worker());
    }
  }

  /**
   * C22: nobody has named a store or a worker id, and there is a store that keeps the two apart.
   */
  @Test
  void serve_twoOnOneFolder_haveTwoWorkerIds() {
    try (ServeProcess one = ServeProcess.start(folder, Map.of("PORT", "0"));
        ServeProcess two = ServeProcess.start(folder, Map.of("PORT", "0"))) {
      one.awaitReady();
      two.awaitReady();

      assertNotEquals(one.worker(), two.worker());
      assertNotEquals(one.nextId(), two.nextId());
    }
  }

  @Test
  void serve_fileStore_goesOnAboveAfterAKill() {
    long before;
    try (ServeProcess server = ServeProcess.ready(folder, "--store", "file:leases")) {
      before = server.nextId();
      server.kill();
    }
    try (ServeProcess server = ServeProcess.ready(folder, "--store", "file:leases")) {
      assertTrue(server.nextId() > before);
    }
  }

  @Test
  void serve_machineIdsFromTheEnvironment_areThose() {
    try (ServeProcess one = ServeProcess.start(folder, Map.of("MACHINE_ID", "1", "PORT", "0"));
        ServeProcess two = ServeProcess.start(folder, Map.of("MACHINE_ID", "2", "PORT", "0"))) {
      one.awaitReady();
      two.awaitReady();

      assertTrue(one.get("/api/ids").contains("\"machine\":1,"));
      assertTrue(two.get("/api/ids").contains("\"machine\":2,"));
    }
  }

  @Test
  void serve_onAFileStore_sharesIt() {
    try (ServeProcess one = ServeProcess.ready(folder, "--store", "file:leases");
        ServeProcess two = ServeProcess.ready(folder, "--store", "file:leases")) {
      assertNotEquals(one.worker(), two.worker());
      assertTrue(two.nextId() > 0);
    }
  }

  @Test
  void serve_workerIdOfALiveServer_isRefused() {
    try (ServeProcess one = ServeProcess.ready(folder, "--worker", "5");
        ServeProcess two =
            ServeProcess.start(folder, Map.of(), "--http-port", "0", "--worker", "5")) {
      assertEquals(1, two.exitStatus());
      assertTrue(two.stderr().startsWith("idgen: "), two.stderr());
      assertTrue(two.stderr().contains("5"), two.stderr());
      assertEquals(1, two.stderr().lines().count(), two.stderr());
      assertTrue(one.nextId() > 0);
    }
  }

  @Test
  void serve_portInUse_saysSoInOneLine() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        ServeProcess server =
            ServeProcess.start(
                folder, Map.of(), "--http-port", String.valueOf(taken.getLocalPort()))) {
      assertEquals(1, server.exitStatus());
      assertEquals(1, server.stderr().lines().count(), server.stderr());
      assertTrue(
          server
              .stderr()
              .startsWith(
                  "idgen: http-port: " + taken.getLocalPort() + " on 127.0.0.1 cannot be had"),
          server.stderr());
    }
  }

  @Test
  void serve_badSettings_tellsEveryFaultAndEndsWithTwo() {
    try (ServeProcess server =
        ServeProcess.start(
            folder, Map.of("IDGEN_LEASE_WINDOW", "1"), "--http-port", "x", "--bind", "0.0.0.0")) {
      assertEquals(2, server.exitStatus());
      assertEquals(
          """
          idgen: --http-port: x (expected: 0..65535)
          idgen: IDGEN_LEASE_WINDOW: 1 (expected: 1s..1h)
          """,
          server.stderr());
    }
  }

  /** C70. */
  @Test
  void serve_storeNotUsable_comesUpUnreadyAndGetsReady() throws IOException {
    Path inTheWay = Files.writeString(folder.resolve("db"), "a file, not a folder");
    try (ServeProcess server =
        ServeProcess.start(folder, Map.of(), "--http-port", "0", "--store", "sqlite:db/idgen.db")) {
      int port = server.awaitListening();
      server.awaitLine("store not usable");

      HttpResponse<String> startup = server.get(port, "/startupz");
      assertEquals(503, startup.statusCode());
      assertTrue(startup.body().contains("sqlite"), startup.body());
      assertEquals(503, server.get(port, "/readyz").statusCode());
      assertEquals(200, server.get(port, "/healthz").statusCode());
      assertEquals(503, server.get(port, "/api/ids").statusCode());

      Files.delete(inTheWay);
      server.awaitReady();
      assertTrue(server.nextId() > 0);
      assertEquals(200, server.get(port, "/startupz").statusCode());
      assertEquals(0, server.terminate().exitStatus());
    }
  }

  @Test
  void fence_underARunningServer_letsItGoOnAndMakesTheNextWait() throws IOException {
    String data = folder.resolve("data").toString();
    try (ServeProcess server = ServeProcess.ready(folder)) {
      long before = server.nextId();

      Ran fenced = Ran.of("fence", "--data", data, "-o", "json");

      assertEquals(0, fenced.status(), fenced.err());
      assertTrue(fenced.out().startsWith("{\"fence\":1,\"claimsFrom\":\""), fenced.out());
      assertTrue(server.nextId() > before);
      assertTrue(
          Files.readString(folder.resolve("data/audit.log"))
              .contains("\"event\":\"fence raised\""));
      String floor = fenced.out().replaceAll(".*claimsFrom\":\"([^\"]+).*\n", "$1");
      try (ServeProcess next = ServeProcess.ready(folder)) {
        long id = next.nextId();
        assertTrue(!Layouts.IDGEN.timeOf(id).isBefore(Instant.parse(floor)), floor + " " + id);
      }
    }
  }

  @Test
  void serve_terminatedBeforeItHasALease_endsWithZero() {
    try (ServeProcess one = ServeProcess.ready(folder, "--worker", "5")) {
      one.kill();
    }
    Ran fenced =
        Ran.of("fence", "--data", folder.resolve("data").toString(), "--lease-window", "1m");
    assertEquals(0, fenced.status(), fenced.err());
    try (ServeProcess two =
        ServeProcess.start(folder, Map.of(), "--http-port", "0", "--worker", "5")) {
      two.awaitLine("\"event\":\"claim failed\"");

      assertEquals(0, two.terminate().exitStatus());
      assertEquals("", two.stderr());
    }
  }

  @Test
  void serve_secondSignalWhileStopping_endsAtOnce() throws IOException {
    try (ServeProcess server = ServeProcess.ready(folder, "--server-shutdown-timeout", "10m")) {
      try (Socket half = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
        half.getOutputStream()
            .write(
                "POST /ids HTTP/1.1\r\nhost: a\r\ncontent-length: 9\r\nexpect: 100-continue\r\n\r\n"
                    .getBytes(StandardCharsets.US_ASCII));
        assertEquals('H', half.getInputStream().read()); // it is being served, and never ends

        server.terminate();
        server.awaitLine("\"event\":\"stopping\"");
        server.terminate();

        assertEquals(130, server.exitStatus());
      }
    }
  }

  /**
   * C84: however it is taken and whoever reads it: no earlier than asked for, no later than got.
   */
  @Test
  void ids_decodedThroughEveryInterface_areFromTheMomentOfIssue() throws IOException {
    try (ServeProcess server = ServeProcess.ready(folder);
        Wire wire = new Wire(server.port())) {
      for (String way : List.of("/api/ids", "/ids", "/ids/batch", "/ids/batch?form=runs")) {
        long asked = System.currentTimeMillis();
        String reply =
            way.startsWith("/api")
                ? server.get(way)
                : new String(wire.post(way, way.equals("/ids") ? "" : "{\"count\":1}"), UTF_8);
        long got = System.currentTimeMillis();
        String id = reply.replaceFirst(".*?\"(\\d{15,})\".*", "$1");

        List<String> times =
            List.of(
                timeIn(way.startsWith("/api") ? reply : server.get("/api/ids/" + id)),
                timeIn(server.get("/api/ids/" + id)),
                timeIn(Ran.of("inspect", id, "-o", "json").out()),
                Layouts.IDGEN.timeOf(Long.parseLong(id)).toString());
        for (String time : times) {
          long issued = Instant.parse(time).toEpochMilli();
          assertTrue(asked - 1 <= issued && issued <= got + 1, reply + " is of " + time);
        }
      }
    }
  }

  private static String timeIn(String json) {
    return json.replaceFirst("(?s).*?\"time\":\"([^\"]+)\".*", "$1");
  }

  @Test
  void next_fromARunningServer_printsIds() {
    try (ServeProcess server = ServeProcess.ready(folder)) {
      String url = "http://127.0.0.1:" + server.port() + "/";

      Ran three = Ran.of("next", "-n", "3", "--url", url);
      assertEquals(0, three.status());
      assertTrue(three.out().matches("(\\d+\n){3}"), three.out());

      Ran json = Ran.of("next", "--url", url, "-o", "json");
      assertTrue(json.out().matches("\\[\"\\d+\"]\n"), json.out());

      Ran none = Ran.of("next", "-n", "0", "--url", url);
      assertEquals(2, none.status());
      assertEquals("idgen: count: 0 (expected: 1..10000)\n", none.err());

      Ran unknown = Ran.of("next", "--tag", "order", "--url", url);
      assertEquals(4, unknown.status());
      assertFalse(unknown.err().isEmpty());
    }
  }
}
