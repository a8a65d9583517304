package dev.idgen.server.resp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.server.service.Caller;
import dev.idgen.server.service.IssueRequest;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;

class SessionTest {
  private final Decoder decoder = new Decoder();
  private final Session session = new Session(1, Caller.ANYBODY);

  private IssueRequest oneOf(String tag) {
    byte[] command = RespClient.encoded("INCR", tag);
    assertTrue(decoder.next(Unpooled.wrappedBuffer(command), Caps.of(RespFixture.LIMITS)));
    return session.oneOf(decoder, Caller.ANYBODY);
  }

  @Test
  void oneOf_theSameTagAgain_isTheSameRequest() {
    String longest = "t".repeat(64);
    assertSame(oneOf(longest), oneOf(longest));
    assertEquals("other", oneOf("other").tag());
  }

  /** Each connection would keep it for as long as it lives. */
  @Test
  void oneOf_textThatIsNoName_isNotKept() {
    IssueRequest known = oneOf("order");
    String longer = "t".repeat(16_000);
    assertEquals(longer, oneOf(longer).tag());
    assertNotSame(oneOf(longer), oneOf(longer));
    assertSame(known, oneOf("order"));
  }
}
