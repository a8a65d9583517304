package dev.idgen.server.http;

import io.netty.buffer.ByteBuf;

/**
 * Follows the frames of HTTP/2 in what a client sends, to tell one that has stopped in the middle.
 * Looks at lengths and kinds alone. Not thread-safe.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9113#section-4.1">RFC 9113, section 4.1</a>
 */
final class FrameBorders {
  private static final int HEAD_BYTES = 9;
  private static final int LENGTH_BYTES = 3;
  private static final int TYPE_AT = 3;
  private static final int FLAGS_AT = 4;
  private static final int HEADERS = 1;
  private static final int CONTINUATION = 9;
  private static final int END_HEADERS = 4;

  /** Bytes of the present frame's head that were seen: 0..8, 9 while its payload is. */
  private int headSeen;

  /** Bytes of its payload: those that its head tells of, then those that are missing. */
  private int missing;

  private int type;
  private boolean open; // a block of header fields goes on in the next frame
  private int begun;

  /** Looks at the next bytes; does not read them. */
  void take(ByteBuf bytes) {
    int at = bytes.readerIndex();
    while (at < bytes.writerIndex()) {
      if (headSeen == 0 && bytes.writerIndex() - at >= HEAD_BYTES) {
        head(
            bytes.getUnsignedMedium(at), bytes.getByte(at + TYPE_AT), bytes.getByte(at + FLAGS_AT));
        at += HEAD_BYTES;
      } else if (headSeen < HEAD_BYTES) {
        head(bytes.getUnsignedByte(at++));
      } else {
        int here = Math.min(missing, bytes.writerIndex() - at);
        at += here;
        missing -= here;
      }
      if (headSeen == HEAD_BYTES && missing == 0) {
        headSeen = 0;
      }
    }
  }

  /** A whole head at once, as nearly always. */
  private void head(int length, int kind, int flags) {
    begun += open ? 0 : 1; // what belongs together counts as one
    missing = length;
    type = kind;
    if (isHeaders()) {
      open = (flags & END_HEADERS) == 0;
    }
    headSeen = HEAD_BYTES;
  }

  private void head(int value) {
    if (headSeen == 0) {
      missing = 0;
      begun += open ? 0 : 1;
    }
    if (headSeen < LENGTH_BYTES) {
      missing = missing << 8 | value;
    } else if (headSeen == TYPE_AT) {
      type = value;
    } else if (headSeen == FLAGS_AT && isHeaders()) {
      open = (value & END_HEADERS) == 0;
    }
    headSeen++;
  }

  private boolean isHeaders() {
    return type == HEADERS || type == CONTINUATION;
  }

  /** Whether it stopped where nothing is missing. */
  boolean whole() {
    return headSeen == 0 && !open;
  }

  /** Whether what is missing are header fields, or what kind of frame it is. */
  boolean inHeaders() {
    return open || (headSeen > 0 && (headSeen <= FLAGS_AT || isHeaders()));
  }

  /** How many frames have begun; a block of header fields is one. Wraps around. */
  int begun() {
    return begun;
  }
}
