package dev.idgen.server.grpc;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.server.service.ServiceException;
import dev.idgen.server.service.ServiceReason;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FramesTest {
  private static final int MAX = 1000;

  private final Frames frames = new Frames(MAX);
  private final List<String> messages = new ArrayList<>();

  private void take(Buffer chunk) {
    frames.take(chunk, (flag, bytes) -> messages.add(flag + ":" + new String(bytes, ISO_8859_1)));
  }

  private static Buffer frame(int flag, String message) {
    return Buffer.buffer()
        .appendByte((byte) flag)
        .appendInt(message.length())
        .appendString(message, "ISO-8859-1");
  }

  @Test
  void take_wholeMessages_givesThemInOrder() {
    take(frame(0, "a").appendBuffer(frame(1, "")).appendBuffer(frame(0, "bc")));

    assertEquals(List.of("0:a", "1:", "0:bc"), messages);
    assertTrue(frames.whole());
  }

  @Test
  void take_anySplit_givesTheSame() {
    Random random = new Random(7);
    Buffer all = Buffer.buffer();
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      String message = "x".repeat(random.nextInt(4) == 0 ? random.nextInt(MAX) : random.nextInt(9));
      all.appendBuffer(frame(i & 1, message));
      expected.add((i & 1) + ":" + message);
    }
    for (int at = 0; at < all.length(); ) {
      int end = Math.min(all.length(), at + 1 + random.nextInt(random.nextBoolean() ? 7 : 700));
      take(all.getBuffer(at, end));
      at = end;
    }

    assertEquals(expected, messages);
    assertTrue(frames.whole());
  }

  @Test
  void whole_withinAMessage_isNot() {
    Buffer frame = frame(0, "abc");
    for (int i = 0; i < frame.length() - 1; i++) {
      take(frame.getBuffer(i, i + 1));
      assertFalse(frames.whole(), i + "");
    }
    take(frame.getBuffer(frame.length() - 1, frame.length()));
    assertTrue(frames.whole());
  }

  @ParameterizedTest
  @ValueSource(ints = {MAX + 1, Integer.MAX_VALUE, -1, Integer.MIN_VALUE})
  void length_overTheLimit_isRefusedWithItsHead(int length) {
    Buffer head = Buffer.buffer().appendByte((byte) 0).appendInt(length);

    ServiceException refusal = assertThrows(ServiceException.class, () -> take(head));
    assertEquals(ServiceReason.TOO_LARGE, refusal.reason());
    assertEquals("message: over the limit (expected: at most 1000 bytes)", refusal.detail());

    Frames other = new Frames(MAX);
    other.take(head.getBuffer(0, 3), (flag, bytes) -> {});
    assertThrows(
        ServiceException.class,
        () -> other.take(head.getBuffer(3, 5).appendByte((byte) 1), (flag, bytes) -> {}));
  }

  @Test
  void length_atTheLimit_isTaken() {
    take(frame(0, "y".repeat(MAX)));

    assertEquals(1, messages.size());
  }
}
