package dev.idgen.store.etcd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.check.servers.EtcdServer;
import dev.idgen.store.StoreAddress.Server;
import dev.idgen.store.StoreException;
import dev.idgen.time.TimeSource;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MemberClockTest {
  private static final Server MEMBER = new Server("h", 1);

  private final TimeSource time = TimeSource.system();

  @Test
  void date_asServersWriteIt_isRead() {
    assertEquals(
        784_111_777_000L + 1_000_000_000_000L,
        MemberClock.date(MEMBER, "Wed, 15 Jul 2026 10:36:17 GMT"));
  }

  /** C40. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "0",
        "-1",
        "9223372036",
        "9223372036854775807",
        "now",
        "Thu, 01 Jan 1970 00:00:00 GMT",
        "Wed, 31 Dec 1969 23:59:59 GMT",
        "Fri, 11 Apr 2262 23:47:16 GMT",
        "Mon, 11 Apr 2262 23:47:16 GMT",
        "Tue, 01 Jan +999999999 00:00:00 GMT"
      })
  void date_thatNoClockShows_isRefused(String text) {
    StoreException e = assertThrows(StoreException.class, () -> MemberClock.date(MEMBER, text));
    assertEquals(
        "etcd: clock of h:1: date: " + text + " (expected: one of 2020 to 2199)", e.getMessage());
    assertFalse(e.permanent());
    assertFalse(e.outcomeUnknown());
  }

  @Test
  void refresh_firstMemberAway_asksTheNext() {
    try (EtcdServer server = EtcdServer.start()) {
      MemberClock clock =
          new MemberClock(Session.parse("etcd://127.0.0.1:1,127.0.0.1:" + server.port()), time);
      clock.refresh();
      assertTrue(Math.abs(clock.nowMillis() - time.wallMillis()) <= 1_500);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 503 Busy\r\nDate: Tue, 14 Jul 2026 14:56:17 GMT\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nDate: 0\r\nContent-Length: 0\r\n\r\n",
        "nonsense\r\n\r\n",
        ""
      })
  void refresh_answerThatIsNone_isRefused(String answer) throws IOException {
    try (ServerSocket listening = new ServerSocket(0, 9, InetAddress.getLoopbackAddress())) {
      Thread thread = new Thread(() -> answer(listening, answer));
      thread.setDaemon(true);
      thread.start();
      MemberClock clock =
          new MemberClock(Session.parse("etcd://127.0.0.1:" + listening.getLocalPort()), time);
      StoreException e = assertThrows(StoreException.class, clock::refresh);
      assertFalse(e.permanent());
    }
  }

  private static void answer(ServerSocket listening, String answer) {
    while (!listening.isClosed()) {
      try (Socket client = listening.accept()) {
        assertTrue(client.getInputStream().read(new byte[4096]) > 0);
        client.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
      } catch (IOException e) {
        // The test has ended.
      }
    }
  }
}
