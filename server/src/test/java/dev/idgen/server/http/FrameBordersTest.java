package dev.idgen.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FrameBordersTest {
  private final FrameBorders frames = new FrameBorders();

  private void take(byte... bytes) {
    ByteBuf buffer = Unpooled.wrappedBuffer(bytes);
    frames.take(buffer);
    assertEquals(bytes.length, buffer.readableBytes()); // looked at, not read
  }

  private static byte[] two() {
    byte[] head = RawHttp2.framed(RawHttp2.HEADERS, RawHttp2.END_HEADERS, 1, new byte[20]);
    byte[] data = RawHttp2.framed(RawHttp2.DATA, RawHttp2.END_STREAM, 1, new byte[300]);
    byte[] both = Arrays.copyOf(head, head.length + data.length);
    System.arraycopy(data, 0, both, head.length, data.length);
    return both;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5, 8, 9, 10, 28, 29, 30, 37, 38, 39, 338})
  void frames_inPiecesOfASize_areWholeAtTheirEndsAlone(int size) {
    byte[] both = two();
    for (int at = 0; at < both.length; at += size) {
      int end = Math.min(both.length, at + size);
      take(Arrays.copyOfRange(both, at, end));
      assertEquals(end == 29 || end == both.length, frames.whole(), "at " + end);
    }
    assertEquals(2, frames.begun());
  }

  @Test
  void fields_thatGoOn_areOneAndNotWhole() {
    take(RawHttp2.framed(RawHttp2.HEADERS, 0, 1, new byte[20]));
    assertFalse(frames.whole());
    assertTrue(frames.inHeaders());

    take(RawHttp2.framed(RawHttp2.CONTINUATION, 0, 1, new byte[20]));
    assertFalse(frames.whole());
    assertEquals(1, frames.begun());

    take(RawHttp2.framed(RawHttp2.CONTINUATION, RawHttp2.END_HEADERS, 1, new byte[20]));
    assertTrue(frames.whole());
    take(RawHttp2.framed(RawHttp2.PING, 0, 0, new byte[8]));
    assertEquals(2, frames.begun());
  }

  @Test
  void inHeaders_withinData_isNot() {
    byte[] data = RawHttp2.framed(RawHttp2.DATA, 0, 1, new byte[300]);

    take(Arrays.copyOf(data, 3));
    assertTrue(frames.inHeaders()); // it may be anything yet
    take(Arrays.copyOfRange(data, 3, 100));
    assertFalse(frames.inHeaders());
    assertFalse(frames.whole());
  }
}
