package dev.idgen.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import dev.idgen.layout.Layouts;
import dev.idgen.store.jdbc.JdbcWorkerStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands that need no server. */
class CommandsTest {
  @TempDir private Path folder;

  @Test
  void version_asked_isOneLine() {
    Ran ran = Ran.of("version");

    assertEquals(0, ran.status());
    assertTrue(ran.out().startsWith("idgen "), ran.out());
    assertEquals(1, ran.out().lines().count());
    assertEquals(ran.out(), Ran.of("--version").out());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "serve", "next", "inspect", "config", "config show", "fence", "version"})
  void help_ofEachCommand_goesToStdout(String command) {
    Ran ran = Ran.of((command + " --help").strip().split(" "));

    assertEquals(0, ran.status(), ran.err());
    assertTrue(ran.out().startsWith("Usage: idgen"), ran.out());
    assertEquals("", ran.err());
  }

  @Test
  void help_ofServe_namesEverySetting() {
    String help = Ran.of("serve", "--help").out();

    for (var setting : dev.idgen.server.config.Settings.ALL) {
      assertTrue(help.contains(setting.flag()), setting.flag());
    }
  }

  @Test
  void help_ofNext_saysWhereItsTokenComesFrom() {
    assertTrue(Ran.of("next", "--help").out().contains("IDGEN_TOKEN"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "nothing", "serve --nothing", "next -n x", "config", "inspect", "inspect 1 2"})
  void anyCommand_usedWrongly_endsWithTwo(String command) {
    Ran ran = Ran.of(command.isEmpty() ? new String[0] : command.split(" "));

    assertEquals(2, ran.status(), ran.out());
    assertFalse(ran.err().isEmpty());
    assertEquals("", ran.out());
  }

  @Test
  void serve_unknownFlag_saysSoInFewLines() {
    Ran ran = Ran.of("serve", "--http-prt", "1");

    assertTrue(ran.err().startsWith("idgen: Unknown option"), ran.err());
    assertTrue(ran.err().contains("--http-port"), ran.err());
    assertTrue(ran.err().contains("See idgen serve --help"), ran.err());
    assertTrue(ran.err().lines().count() <= 4, ran.err());
  }

  @Test
  void help_ofACommandByName_isItsHelp() {
    assertEquals(Ran.of("next", "--help").out(), Ran.of("help", "next").out());
  }

  @Test
  void fence_namespaceNeverUsed_isNotFound() {
    JdbcWorkerStore.open("jdbc:sqlite:" + folder.resolve("idgen.db")).close();
    Ran ran = Ran.of("fence", "--data", folder.toString());

    assertEquals(4, ran.status(), ran.out());
    assertEquals("idgen: namespace: default (expected: one in use)\n", ran.err());
  }

  @Test
  void fence_nothingThere_isNotFoundAndMakesNothing() {
    Path data = folder.resolve("none");
    Ran ran = Ran.of("fence", "--data", data.toString());

    assertEquals(4, ran.status(), ran.out());
    assertEquals(
        "idgen: sqlite:" + data + "/idgen.db: there is nothing (expected: a store that was used)\n",
        ran.err());
    assertFalse(Files.exists(data));
  }

  @Test
  void fence_storeNotUsable_isUnavailable() throws IOException {
    Files.writeString(folder.resolve("idgen.db"), "no database, but some text that is long enough");
    Ran ran = Ran.of("fence", "--data", folder.toString());

    assertEquals(3, ran.status(), ran.out());
    assertTrue(ran.err().startsWith("idgen: sqlite: "), ran.err());
  }

  @Test
  void inspect_anIdOfOurs_showsItsFields() {
    Ran ran = Ran.of("inspect", "385875968515928064");

    assertEquals(0, ran.status());
    assertTrue(ran.out().contains("2026-11-30T19:33:20.123Z"), ran.out());
    assertTrue(ran.out().contains("  worker     7\n"), ran.out());
    assertTrue(ran.out().contains("less likely:\n"), ran.out());
  }

  @Test
  void inspect_asJson_isTheServersAnswer() {
    Ran ran = Ran.of("inspect", "385875968515928064", "-o", "json");

    assertTrue(
        ran.out()
            .startsWith(
                "{\"id\":\"385875968515928064\",\"time\":\"2026-11-30T19:33:20.123Z\","
                    + "\"machine\":7,\"sequence\":0,\"kind\":\"snowflake\",\"readings\":["),
        ran.out());
  }

  /** C81. */
  @ParameterizedTest
  @ValueSource(longs = {(1L << 31), (1L << 32), (1L << 53), (1L << 53) + 1, Long.MAX_VALUE})
  void inspect_bordersOfNumberTypes_areExact(long id) {
    String json = Ran.of("inspect", String.valueOf(id), "-o", "json").out();
    assertTrue(json.startsWith("{\"id\":\"" + id + "\","), json);
    assertTrue(json.contains("\"number\":\"" + id + "\""), json);

    String text = Ran.of("inspect", String.valueOf(id), "--layout", "41/10/12").out();
    long packed =
        Layouts.IDGEN.encode(
            field(text, "tick"), (int) field(text, "worker"), field(text, "sequence"));
    assertEquals(id, packed, text);
  }

  private static long field(String shown, String name) {
    return Long.parseLong(shown.replaceFirst("(?s).*\n  " + name + " +(\\d+)\n.*", "$1"));
  }

  /** C80, C81: what a server says is printed as it is. */
  @Test
  void next_bordersOfNumberTypes_arePrintedExactly() throws IOException {
    String ids = "2147483648 4294967296 9007199254740993 653247040368672768 9223372036854775807";
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    byte[] reply =
        ("{\"ids\":[\"" + ids.replace(" ", "\",\"") + "\"]}").getBytes(StandardCharsets.US_ASCII);
    server.createContext(
        "/ids/batch",
        exchange -> {
          exchange.getRequestBody().readAllBytes();
          exchange.sendResponseHeaders(200, reply.length);
          exchange.getResponseBody().write(reply);
          exchange.close();
        });
    server.start();
    try {
      String url = "http://127.0.0.1:" + server.getAddress().getPort();
      assertEquals(ids.replace(' ', '\n') + "\n", Ran.of("next", "-n", "5", "--url", url).out());
      assertEquals(
          "[\"" + ids.replace(" ", "\",\"") + "\"]\n",
          Ran.of("next", "-n", "5", "--url", url, "-o", "json").out());
    } finally {
      server.stop(0);
    }
  }

  @Test
  void inspect_largerThanAnyId_needsItsLayout() {
    assertEquals(2, Ran.of("inspect", "9223372036854775808").status());

    Ran ran = Ran.of("inspect", "9223372036854775808", "--layout", "discord");
    assertEquals(0, ran.status(), ran.err());
  }

  @Test
  void inspect_noId_saysWhatItTakes() {
    Ran ran = Ran.of("inspect", "abc");

    assertEquals(2, ran.status());
    assertTrue(ran.err().startsWith("idgen: text: abc (expected: a decimal number"), ran.err());
    assertEquals("", ran.out());
  }

  @Test
  void configShow_withFlags_showsValueAndOrigin() {
    Ran ran = Ran.of("config", "show", "--http-port", "9", "--new-cluster");

    assertEquals(0, ran.status(), ran.err());
    assertTrue(ran.out().matches("(?s).*http-port +9 +flag +--http-port\n.*"), ran.out());
    assertTrue(ran.out().matches("(?s).*new-cluster +true +flag +--new-cluster\n.*"), ran.out());
    assertTrue(ran.out().matches("(?s).*bind +127\\.0\\.0\\.1 +default\n.*"), ran.out());
  }

  @Test
  void configShow_asJson_isOneObject() {
    Ran ran = Ran.of("config", "show", "--http-port", "9", "-o", "json");

    assertTrue(
        ran.out()
            .startsWith(
                "{\"http-port\":{\"value\":\"9\",\"origin\":\"flag\",\"from\":\"--http-port\"},"),
        ran.out());
  }

  @Test
  void configShow_badValue_endsWithTwo() {
    Ran ran = Ran.of("config", "show", "--http-port", "x", "--lease-window", "3");

    assertEquals(2, ran.status());
    assertEquals(
        """
        idgen: --http-port: x (expected: 0..65535)
        idgen: --lease-window: 3 (expected: 1s..1h)
        """,
        ran.err());
  }

  @Test
  void next_nobodyThere_endsWithThree() throws IOException {
    int free;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      free = socket.getLocalPort();
    }
    Ran ran = Ran.of("next", "--url", "http://127.0.0.1:" + free);

    assertEquals(3, ran.status());
    assertTrue(ran.err().startsWith("idgen: http://127.0.0.1:" + free + ": no answer"), ran.err());
  }

  @ParameterizedTest
  @ValueSource(strings = {"no sense", "ftp://h", "http:// h"})
  void next_noUrl_endsWithTwo(String url) {
    assertEquals(2, Ran.of("next", "--url", url).status());
  }
}
