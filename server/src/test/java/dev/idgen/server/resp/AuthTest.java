package dev.idgen.server.resp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.server.service.Caller;
import dev.idgen.server.service.Caller.Right;
import dev.idgen.server.service.Callers;
import dev.idgen.server.service.ServiceReason;
import dev.idgen.server.service.TagRows;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where tokens are set, nobody does anything before it is known who they are. */
class AuthTest {
  private static final Callers TOKENS =
      new Callers(
          Map.of(
              Callers.sha256("all"),
              new Caller("ops", Set.of(Right.values()), List.of("*")),
              Callers.sha256("some"),
              new Caller("web", Set.of(Right.ISSUE), List.of("seg*"))));

  private static final String NOAUTH =
      "NOAUTH Authentication required (expected: AUTH with a token of auth.tokens)";

  private final RespFixture server = new RespFixture(RespFixture.LIMITS, TOKENS);
  private final RespClient client = server.client();

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "INCR",
        "INCR,default",
        "INCRBY,segment,2",
        "ID.NEXT,default",
        "ID.INSPECT,1",
        "PING",
        "ECHO,a",
        "SELECT,0",
        "CLIENT,ID",
        "COMMAND",
        "INFO",
        "CONFIG,GET,save",
        "nonsense"
      })
  void command_beforeAuth_isRefused(String command) {
    assertEquals(NOAUTH, client.error(command.split(",")));
    assertEquals(1, server.engine("default").next.get());
  }

  @Test
  void auth_token_isEnough() {
    assertEquals("OK", client.ask("AUTH", "all"));
    assertEquals(1L, client.ask("INCR", "default"));
  }

  @Test
  void auth_userAndToken_isTheToken() {
    assertEquals("OK", client.ask("auth", "default", "all"));
    assertEquals("PONG", client.ask("PING"));
  }

  @Test
  void hello_auth_isBothAtOnce() {
    Map<?, ?> hello =
        assertInstanceOf(
            Map.class, client.ask("HELLO", "3", "AUTH", "default", "all", "SETNAME", "me"));
    assertEquals(3L, hello.get("proto"));
    assertEquals("me", client.ask("CLIENT", "GETNAME"));
  }

  @Test
  void hello_withoutAuth_isRefusedAndChangesNothing() {
    assertTrue(client.error("HELLO", "3").startsWith("NOAUTH HELLO must be called with"));
    assertEquals("OK", client.ask("AUTH", "all"));
    assertInstanceOf(List.class, client.ask("HELLO"));
  }

  @Test
  void token_unknown_isRefusedAndTheOldOneStays() {
    String unknown = "NOAUTH token: unknown (expected: AUTH with a token of auth.tokens)";
    assertEquals(unknown, client.error("AUTH", "none"));
    assertEquals(unknown, client.error("AUTH", "all", "none"));
    assertEquals(unknown, client.error("HELLO", "3", "AUTH", "default", ""));
    assertEquals(NOAUTH, client.error("INCR", "default"));
    assertEquals("OK", client.ask("AUTH", "all"));
    assertEquals(unknown, client.error("AUTH", "none"));
    assertEquals(1L, client.ask("INCR", "default"));
  }

  @Test
  void tag_notAllowed_isForbiddenWhetherItExistsOrNot() {
    client.ask("AUTH", "some");
    assertEquals(1L, client.ask("INCR", "segment"));
    for (String tag : List.of("default", "no")) {
      assertTrue(client.error("INCR", tag).startsWith("NOPERM tag: " + tag + ": not allowed"));
      assertTrue(client.error("ID.NEXT", tag).startsWith("NOPERM tag: " + tag + ": not allowed"));
    }
    assertEquals("OK", client.ask("AUTH", "all"));
    assertEquals(1L, client.ask("INCR", "default"));
    assertEquals("OK", client.ask("AUTH", "some"));
    assertTrue(client.error("INCR", "default").startsWith("NOPERM "));
  }

  /** Who hides numbers does not send them to those who may not have them back. */
  @Test
  void incr_opaqueTag_isForWhoMayDecode() {
    server.put(RespFixture.withText(TagRows.of("seg.hidden", "segment"), "opaque", ""));
    client.ask("AUTH", "some");
    assertTrue(client.error("INCR", "seg.hidden").startsWith("NOPERM decode: not allowed"));
    assertTrue(client.error("INCRBY", "seg.hidden", "2").startsWith("NOPERM decode: not allowed"));
    assertEquals("k_00000000001", client.ask("ID.NEXT", "seg.hidden"));
    client.ask("AUTH", "all");
    assertEquals(2L, client.ask("INCR", "seg.hidden"));
  }

  @Test
  void refused_beforeAuth_isCounted() {
    client.ask("INCR", "default");
    client.ask("PING");
    assertEquals(1, server.service.meters().withoutTag(ServiceReason.UNAUTHENTICATED));
  }

  @Test
  void pipeline_beforeAuth_isShort() {
    for (int i = 0; i < 100; i++) {
      client.command("PING");
    }
    String replies = client.untilClosed();
    assertEquals(33, replies.split("\r\n").length, replies);
    assertTrue(replies.endsWith("-NOAUTH too many commands before AUTH\r\n"), replies);
  }

  @Test
  void pipeline_beginsWithAuth_isServed() {
    client.command("AUTH", "all").command("INCR", "default").command("PING");
    assertEquals("OK", client.reply());
    assertEquals(1L, client.reply());
    assertEquals("PONG", client.reply());
  }

  @Test
  void command_beforeAuth_isSmaller() {
    client.send("*2\r\n$4\r\nAUTH\r\n$9000\r\n");
    assertEquals("-ERR Protocol error: invalid bulk length\r\n", client.untilClosed());
    try (RespClient other = server.client()) {
      other.send("*11\r\n");
      assertEquals("-ERR Protocol error: invalid multibulk length\r\n", other.untilClosed());
    }
  }

  /** Who does not say who they are hold no connection for long, whatever else they send. */
  @Test
  void connection_withoutAuth_isCut() {
    try (RespFixture hasty = new RespFixture(RespFixture.HASTY, TOKENS);
        RespClient unknown = hasty.client()) {
      assertEquals(NOAUTH, unknown.error("PING"));
      assertEquals(
          "-ERR Protocol error: AUTH: not within 600 ms (expected: sooner)\r\n",
          unknown.untilClosed());
    }
  }

  @Test
  void quit_beforeAuth_ends() {
    assertEquals("+OK\r\n", client.command("QUIT").untilClosed());
  }
}
