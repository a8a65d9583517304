package dev.idgen.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Redis clients that others wrote, against a server that is a process of its own: {@code redis-cli}
 * and {@code redis-benchmark} (Debian's redis-tools), ioredis and node-redis (npm).
 */
class RedisClientsTest {
  private static final long PATIENCE_SECONDS = 120;
  private static final Path CLIENTS = Path.of("../checks/clients").toAbsolutePath().normalize();

  @TempDir private static Path folder;
  private static ServeProcess server;

  @BeforeAll
  static void start() {
    server = ServeProcess.ready(folder);
    tag("order", "segment");
    tag("bench", "segment");
    tag("bill", "sequence");
    tag("mail", "uuidv7");
  }

  private static void tag(String name, String engine) {
    HttpResponse<String> made =
        server.send("PUT", "/admin/tags/" + name, "{\"engine\":\"" + engine + "\"}");
    assertEquals(201, made.statusCode(), made.body());
  }

  @AfterAll
  static void stop() {
    assertEquals(0, server.terminate().exitStatus(), server.stderr());
    server.close();
  }

  /** What a program prints, which must end well. */
  private static String printed(Path in, String... command) {
    try {
      Process process =
          new ProcessBuilder(command).directory(in.toFile()).redirectErrorStream(true).start();
      process.getOutputStream().close();
      String out = new String(process.getInputStream().readAllBytes(), UTF_8);
      assertTrue(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS), command[0] + " still runs");
      assertEquals(0, process.exitValue(), String.join(" ", command) + "\n" + out);
      return out;
    } catch (IOException e) {
      throw new IllegalStateException(command[0] + " (expected: installed, as ./verify does)", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static String redis(String... arguments) {
    List<String> command = new ArrayList<>(List.of("redis-cli", "--no-raw", "-p"));
    command.add(String.valueOf(server.respPort()));
    command.addAll(List.of(arguments));
    return printed(folder, command.toArray(String[]::new)).strip();
  }

  private static long number(String reply) {
    assertTrue(reply.startsWith("(integer) "), reply);
    return Long.parseLong(reply.substring("(integer) ".length()));
  }

  @Test
  void redisCli_incr_isOneIdAfterAnother() {
    long first = number(redis("incr", "default"));
    assertTrue(number(redis("incr", "default")) > first);
    assertTrue(number(redis("-3", "incr", "default")) > first);
    assertEquals("\"", redis("id.next", "default").substring(0, 1));
  }

  @Test
  void redisCli_incrBy_reservesWhatFollowsOneAnother() {
    for (String tag : List.of("order", "bill")) {
      long before = number(redis("incr", tag));
      assertEquals(before + 10, number(redis("incrby", tag, "10")));
      long last = number(redis("incrby", tag, "1000000")); // as many as stepMax allows
      assertTrue(last >= before + 1_000_010);
      assertEquals(last + 1, number(redis("incr", tag)));
      assertEquals(
          "(error) INVALID_COUNT count: 1000001 (expected: 1..1000000, the stepMax of the tag)",
          redis("incrby", tag, "1000001"));
    }
    assertTrue(redis("incrby", "default", "2").startsWith("(error) ENGINE_MISMATCH "));
  }

  @Test
  void redisCli_errors_bearTheirWords() {
    assertEquals(
        "(error) UNKNOWN_TAG tag: nobody (expected: one that was made)", redis("incr", "nobody"));
    assertTrue(redis("incr", "mail").startsWith("(error) ENGINE_MISMATCH engine: uuidv7 "));
    assertEquals("(error) ERR unknown command 'get'", redis("get", "order"));
  }

  /** C84: taken and read over this protocol: within a millisecond of the moment of issue. */
  @Test
  void redisCli_inspect_tellsWhenItWasIssued() {
    long asked = System.currentTimeMillis();
    String id = redis("--raw", "id.next", "default");
    long got = System.currentTimeMillis();
    String fields = redis("--raw", "id.inspect", id);
    assertTrue(fields.startsWith("kind\nsnowflake\nid\n" + id + "\ntime\n"), fields);
    long issued = Instant.parse(fields.lines().skip(5).findFirst().orElse("")).toEpochMilli();
    assertTrue(asked - 1 <= issued && issued <= got + 1, fields);
    assertTrue(server.get("/api/ids/" + id).contains(Instant.ofEpochMilli(issued).toString()));
  }

  /** C62: as many ids as requests, none twice and none lost. */
  @Test
  void redisBenchmark_pipelined_isAnsweredWithoutAnError() {
    long before = number(redis("incr", "bench"));
    String[] benchmark = {
      "redis-benchmark",
      "-p",
      "" + server.respPort(),
      "-n",
      "50000",
      "-c",
      "50",
      "-P",
      "32",
      "-q",
      "incr",
      "bench"
    };
    String out = printed(folder, benchmark);
    assertTrue(out.contains("requests per second"), out);
    assertFalse(out.contains("rror"), out);
    long asked = (50_000 + 31) / 32 * 32; // it sends whole pipelines
    long issued = number(redis("incr", "bench")) - before - 1;
    assertTrue(issued >= 50_000 && issued <= asked + 50 * 32, issued + " ids");
  }

  @Test
  void nodeClients_ofOthers_areServed() throws IOException {
    Path installed = Path.of("target/clients").toAbsolutePath();
    Files.createDirectories(installed);
    for (String name : List.of("package.json", "package-lock.json", "redis.mjs")) {
      Files.copy(
          CLIENTS.resolve(name), installed.resolve(name), StandardCopyOption.REPLACE_EXISTING);
    }
    if (Files.notExists(installed.resolve("node_modules/.package-lock.json"))) {
      printed(installed, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund");
    }
    assertEquals(
        """
        ok ioredis
        ok node-redis, RESP2
        ok node-redis, RESP3
        """,
        printed(installed, "node", "redis.mjs", "" + server.respPort()));
  }

  @Test
  void serve_respPortInUse_saysSoInOneLine(@TempDir Path elsewhere) throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        ServeProcess other =
            ServeProcess.start(
                elsewhere,
                Map.of(),
                "--http-port",
                "0",
                "--resp-port",
                String.valueOf(taken.getLocalPort()))) {
      assertEquals(1, other.exitStatus());
      assertEquals(1, other.stderr().lines().count(), other.stderr());
      assertTrue(
          other
              .stderr()
              .startsWith(
                  "idgen: resp-port: " + taken.getLocalPort() + " on 127.0.0.1 cannot be had"),
          other.stderr());
    }
  }

  /** Pools keep their connections open: they do not keep a server from ending. */
  @Test
  void serve_terminatedWithOpenConnections_endsThemAndItself(@TempDir Path elsewhere)
      throws IOException {
    try (ServeProcess other = ServeProcess.ready(elsewhere);
        Socket pooled = new Socket(InetAddress.getLoopbackAddress(), other.respPort())) {
      pooled.setSoTimeout((int) TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
      pooled.getOutputStream().write("PING\r\n".getBytes(UTF_8));
      InputStream in = pooled.getInputStream();
      assertEquals("+PONG\r\n", new String(in.readNBytes(7), UTF_8));
      assertEquals(0, other.terminate().exitStatus(), other.stderr());
      assertEquals(-1, in.read());
    }
  }
}
