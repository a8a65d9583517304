package dev.idgen.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The start script, in a fresh copy of the sources: nothing is built there. */
class ScriptTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final long PATIENCE_SECONDS = 300;
  private static final long PAUSE_NANOS = 100_000_000;

  @TempDir private Path clone;

  private void copySources() throws IOException {
    try (Stream<Path> files = Files.walk(ROOT)) {
      for (Path file : files.filter(ScriptTest::isSource).toList()) {
        Path to = clone.resolve(ROOT.relativize(file));
        Files.createDirectories(to.resolveSibling("."));
        Files.copy(file, to);
      }
    }
  }

  private static boolean isSource(Path path) {
    String name = ROOT.relativize(path).toString();
    boolean wanted =
        name.equals("idgen")
            || name.startsWith(".mvn/")
            || name.matches("([^/]+/){0,2}pom\\.xml")
            || name.matches("([^/]+/){1,2}src/main/.*");
    return wanted && !name.startsWith(".idgen") && Files.isRegularFile(path);
  }

  private Process start(String name, Map<String, String> env, String... arguments) {
    ProcessBuilder builder = new ProcessBuilder("./idgen").directory(clone.toFile());
    builder.command().addAll(List.of(arguments));
    builder.environment().keySet().removeIf(key -> key.startsWith("IDGEN_"));
    builder.environment().remove("PORT");
    builder.environment().remove("MACHINE_ID");
    builder.environment().putAll(env);
    try {
      return builder
          .redirectErrorStream(true)
          .redirectOutput(clone.resolve(name + ".log").toFile())
          .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String log(String name) {
    try {
      return Files.readString(clone.resolve(name + ".log"));
    } catch (IOException e) {
      return e.toString();
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private String firstIds(Process process, String name, int port) throws Exception {
    HttpClient client = HttpClient.newHttpClient();
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/api/ids?n=2")).build();
    for (long waited = 0; waited < PATIENCE_SECONDS * 10; waited++) {
      assertTrue(process.isAlive(), () -> log(name));
      try {
        HttpResponse<String> reply = client.send(request, HttpResponse.BodyHandlers.ofString());
        if (reply.statusCode() == 200) {
          return reply.body();
        }
      } catch (IOException e) {
        // It does not listen yet.
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    throw new IllegalStateException("no id: " + log(name));
  }

  private int ended(Process process, String name) throws InterruptedException {
    assertTrue(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS), () -> log(name));
    return process.exitValue();
  }

  @Test
  void serve_twoAtOnceInAFreshClone_buildOnceAndAreTheMachinesTheyAreTold() throws Exception {
    copySources();
    int portOne = freePort();
    int portTwo = freePort();
    Process one = start("one", Map.of("MACHINE_ID", "1", "PORT", "" + portOne), "serve");
    Process two = start("two", Map.of("MACHINE_ID", "2", "PORT", "" + portTwo), "serve");
    try {
      assertEquals(2, firstIds(one, "one", portOne).split("\"machine\":1,", -1).length - 1);
      assertEquals(2, firstIds(two, "two", portTwo).split("\"machine\":2,", -1).length - 1);
      assertEquals(1, (log("one") + log("two")).split("building idgen,", -1).length - 1);

      Process version = start("version", withoutMaven(), "version");
      assertEquals(0, ended(version, "version"), () -> log("version"));
      assertTrue(log("version").startsWith("idgen "), log("version"));
    } finally {
      one.destroy();
      two.destroy();
    }
    assertEquals(0, ended(one, "one"), () -> log("one"));
    assertEquals(0, ended(two, "two"), () -> log("two"));

    Path changed = clone.resolve("cli/src/main/java/dev/idgen/cli/ExitStatus.java");
    Files.writeString(changed, Files.readString(changed) + "// changed\n");
    Process stale = start("stale", withoutMaven(), "version");
    assertFalse(ended(stale, "stale") == 0, () -> log("stale"));
    assertTrue(log("stale").contains("building idgen,"), log("stale"));
  }

  /** A Maven that fails, first in the path. */
  private Map<String, String> withoutMaven() throws IOException {
    Path folder = Files.createDirectories(clone.resolve("no-maven"));
    Path maven = Files.writeString(folder.resolve("mvn"), "#!/bin/sh\nexit 9\n");
    assertTrue(maven.toFile().setExecutable(true));
    return Map.of("PATH", folder + ":" + System.getenv("PATH"));
  }
}
