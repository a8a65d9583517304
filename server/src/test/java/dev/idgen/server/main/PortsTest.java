package dev.idgen.server.main;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.server.config.ConfigLoader;
import dev.idgen.server.log.LogLines;
import dev.idgen.time.TimeSource;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server whose ports others have. */
class PortsTest {
  private static final int USUAL = 6380;

  @TempDir private Path folder;

  private IdgenServer server(Map<String, String> more) {
    Map<String, String> flags = new HashMap<>(more);
    flags.put("http-port", "0");
    flags.put("data", folder.resolve("data").toString());
    return new IdgenServer(
        ConfigLoader.load(Map.of(), flags, folder, TimeSource.system().wallMillis()));
  }

  /** Takes a port; null: somebody else has it, which is as well. */
  private static @Nullable ServerSocket taken(int port) throws IOException {
    try {
      return new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
    } catch (BindException e) {
      return null;
    }
  }

  @Test
  void respPort_notGivenAndTaken_isAnyFreeOneAndSaid() throws Exception {
    try (ServerSocket other = taken(USUAL);
        LogLines log = new LogLines()) {
      assertTrue(other == null || other.isBound());
      IdgenServer server = server(Map.of());
      try {
        server.start().toCompletableFuture().get(60, TimeUnit.SECONDS);
        assertNotEquals(USUAL, server.respPort());
        assertEquals("+PONG", ping(server.respPort()));
        String told =
            "resp-port is taken [wanted, " + USUAL + ", listensOn, " + server.respPort() + "]";
        assertTrue(log.all().contains(told), log.all().toString());
      } finally {
        server.stop();
      }
    }
  }

  private static String ping(int port) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(20_000);
      socket.getOutputStream().write("PING\r\n".getBytes(StandardCharsets.US_ASCII));
      return new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
          .readLine();
    }
  }

  @Test
  void respPort_givenAndTaken_endsTheStart() throws IOException {
    try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      IdgenServer server = server(Map.of("resp-port", "" + other.getLocalPort()));
      StartFailure failure = assertThrows(StartFailure.class, server::start);
      String expected = "resp-port: " + other.getLocalPort() + " on 127.0.0.1 cannot be had";
      assertTrue(List.of(failure.getMessage()).toString().contains(expected), failure.getMessage());
    }
  }
}
