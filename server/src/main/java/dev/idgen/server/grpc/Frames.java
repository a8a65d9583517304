package dev.idgen.server.grpc;

import io.vertx.core.buffer.Buffer;
import java.util.Arrays;

/**
 * Cuts the body of a request into messages: a byte that says whether it is compressed, four that
 * tell its length, and its bytes. Holds no more than one message, and of that what has come. Not
 * thread-safe.
 *
 * @see <a href="https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md">gRPC over HTTP2,
 *     Length-Prefixed-Message</a>
 */
final class Frames {
  static final int HEAD_BYTES = 5;
  private static final int FIRST_HELD_BYTES = 256;
  private static final byte[] NOTHING = new byte[0];

  private final int maxBytes;
  private byte[] held = NOTHING;
  private int heldBytes;

  /** Gets the messages. */
  @FunctionalInterface
  interface Sink {

    /**
     * Takes one.
     *
     * @param flag 0: as it is; 1: compressed
     */
    void take(int flag, byte[] message);
  }

  /** Cuts nothing yet. */
  Frames(int maxBytes) {
    this.maxBytes = maxBytes;
  }

  /**
   * Takes what has come.
   *
   * @throws dev.idgen.server.service.ServiceException a message is over the limit
   */
  void take(Buffer chunk, Sink sink) {
    int at = 0;
    while (at < chunk.length()) {
      int whole = heldBytes > 0 ? 0 : whole(chunk, at);
      if (whole > 0) {
        sink.take(chunk.getByte(at), chunk.getBytes(at + HEAD_BYTES, at + whole));
        at += whole;
      } else {
        at += hold(chunk, at);
        release(sink);
      }
    }
  }

  /** Whether nothing is missing of what has come. */
  boolean whole() {
    return heldBytes == 0;
  }

  /** The bytes of a message that is all there, head included; else 0. */
  private int whole(Buffer chunk, int at) {
    int left = chunk.length() - at;
    if (left < HEAD_BYTES) {
      return 0;
    }
    int bytes = HEAD_BYTES + checked(chunk.getInt(at + 1));
    return bytes <= left ? bytes : 0;
  }

  /** Keeps what belongs to the present message; tells how much. */
  private int hold(Buffer chunk, int at) {
    int bytes = Math.min(wanted() - heldBytes, chunk.length() - at);
    if (heldBytes + bytes > held.length) {
      int room = Math.max(FIRST_HELD_BYTES, 2 * (heldBytes + bytes)); // not what the client claims
      held = Arrays.copyOf(held, Math.min(room, HEAD_BYTES + maxBytes));
    }
    chunk.getBytes(at, at + bytes, held, heldBytes);
    heldBytes += bytes;
    return bytes;
  }

  /** Bytes of the present message, as far as is known. */
  private int wanted() {
    return heldBytes < HEAD_BYTES ? HEAD_BYTES : HEAD_BYTES + length();
  }

  private int length() {
    return checked(
        held[1] << 24 | (held[2] & 0xff) << 16 | (held[3] & 0xff) << 8 | (held[4] & 0xff));
  }

  private int checked(int length) {
    if (length < 0 || length > maxBytes) { // negative: more than 2^31
      throw Plain.tooLarge(maxBytes);
    }
    return length;
  }

  private void release(Sink sink) {
    if (heldBytes == wanted()) {
      int bytes = heldBytes;
      heldBytes = 0;
      sink.take(held[0], Arrays.copyOfRange(held, HEAD_BYTES, bytes));
    }
  }
}
