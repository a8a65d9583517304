package dev.idgen.server.http;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/**
 * Tells by the first bytes of a connection whether it speaks HTTP/2. Not thread-safe.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9113#section-3.4">RFC 9113, section 3.4</a>
 */
final class Preface {
  private static final byte[] HTTP_2 =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  /** How many bytes were those of HTTP/2: 0..24. */
  private int matched;

  private boolean other;

  /** Whether enough was seen. */
  boolean decided() {
    return other || isHttp2();
  }

  /** Whether it is HTTP/2, as far as is known. */
  boolean isHttp2() {
    return matched == HTTP_2.length;
  }

  /**
   * Looks at the next bytes; does not read them.
   *
   * @return how many it took to decide; all of them where that is not enough
   */
  int take(ByteBuf bytes) {
    int from = bytes.readerIndex();
    int at = from;
    while (at < bytes.writerIndex() && !decided()) {
      if (bytes.getByte(at++) == HTTP_2[matched]) {
        matched++;
      } else {
        other = true;
      }
    }
    return at - from;
  }
}
