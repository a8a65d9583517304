package dev.idgen.server.http;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A client that writes the frames of HTTP/2 one by one, for what no client library sends. */
public final class RawHttp2 implements AutoCloseable {
  public static final int DATA = 0;
  public static final int HEADERS = 1;
  public static final int RST_STREAM = 3;
  public static final int SETTINGS = 4;
  public static final int PING = 6;
  public static final int GOAWAY = 7;
  public static final int WINDOW_UPDATE = 8;
  public static final int CONTINUATION = 9;
  public static final int END_STREAM = 1;
  public static final int ACK = 1;
  public static final int END_HEADERS = 4;
  private static final int PRIORITY = 0x20;

  static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
  private static final int PATIENCE_MS = 20_000;

  private final Socket socket;
  private final DataInputStream in;
  private final DataOutputStream out;
  private final DefaultHttp2HeadersDecoder hpack = new DefaultHttp2HeadersDecoder();
  private boolean closed;

  /**
   * A frame that the server sent.
   *
   * @param fields of a frame of header fields; else null
   */
  @SuppressWarnings("ArrayRecordComponent") // frames are never compared
  public record Frame(
      int type, int flags, int stream, byte[] payload, @Nullable Http2Headers fields) {

    /** Whether it is the stream's last. */
    public boolean isLast() {
      return type == RST_STREAM || ((type == DATA || type == HEADERS) && (flags & END_STREAM) != 0);
    }

    /** The error code of a frame that has one. */
    public int code() {
      int at = type == GOAWAY ? 4 : 0;
      return Unpooled.wrappedBuffer(payload).getInt(at);
    }

    /** A header field, or empty. */
    public String field(String name) {
      CharSequence value = fields == null ? null : fields.get(name);
      return value == null ? "" : value.toString();
    }

    @Override
    public String toString() {
      return type + "/" + flags + "/" + stream + (fields == null ? "" : fields);
    }
  }

  private RawHttp2(Socket socket) throws IOException {
    this.socket = socket;
    this.in = new DataInputStream(socket.getInputStream());
    this.out = new DataOutputStream(socket.getOutputStream());
  }

  /** Connects, and says nothing. */
  public static RawHttp2 silent(int port) {
    try {
      Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
      socket.setSoTimeout(PATIENCE_MS);
      socket.setTcpNoDelay(true);
      return new RawHttp2(socket);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Connects and sends the preface, with settings. */
  public static RawHttp2 connect(int port, int... settings) {
    ByteArrayOutputStream payload = new ByteArrayOutputStream();
    for (int i = 0; i < settings.length; i += 2) {
      payload.write(settings[i] >> 8);
      payload.write(settings[i]);
      payload.writeBytes(Unpooled.copyInt(settings[i + 1]).array());
    }
    return silent(port)
        .bytes(PREFACE.getBytes(StandardCharsets.US_ASCII))
        .frame(SETTINGS, 0, 0, payload.toByteArray());
  }

  /** Sends bytes as they are. */
  public RawHttp2 bytes(byte[] bytes) {
    try {
      out.write(bytes);
      out.flush();
    } catch (IOException e) {
      closed = true; // what the server said before can be read all the same
    }
    return this;
  }

  /** Whether nothing can be sent any more. */
  public boolean isClosed() {
    return closed;
  }

  /** Sends a frame. */
  public RawHttp2 frame(int type, int flags, int stream, byte... payload) {
    return bytes(framed(type, flags, stream, payload));
  }

  /** The bytes of a frame. */
  public static byte[] framed(int type, int flags, int stream, byte... payload) {
    byte[] bytes = new byte[9 + payload.length];
    Unpooled.wrappedBuffer(bytes)
        .writerIndex(0)
        .writeMedium(payload.length)
        .writeByte(type)
        .writeByte(flags)
        .writeInt(stream)
        .writeBytes(payload);
    return bytes;
  }

  /** Header fields, none of them compressed. */
  public static byte[] fields(Map<String, String> fields) {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    fields.forEach(
        (name, value) -> {
          block.write(0);
          text(block, name);
          text(block, value);
        });
    return block.toByteArray();
  }

  private static void text(ByteArrayOutputStream block, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    if (bytes.length < 127) {
      block.write(bytes.length);
    } else { // RFC 7541, 5.1
      block.write(127);
      int rest = bytes.length - 127;
      for (; rest >= 128; rest >>= 7) {
        block.write(rest % 128 + 128);
      }
      block.write(rest);
    }
    block.writeBytes(bytes);
  }

  /** The next frame; null: the connection has ended. */
  public @Nullable Frame next() {
    try {
      int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
      int type = in.readUnsignedByte();
      int flags = in.readUnsignedByte();
      int stream = in.readInt();
      byte[] payload = in.readNBytes(length);
      return new Frame(
          type, flags, stream, payload, type == HEADERS ? decoded(stream, flags, payload) : null);
    } catch (EOFException | SocketException e) {
      return null;
    } catch (IOException | Http2Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private Http2Headers decoded(int stream, int flags, byte[] payload) throws Http2Exception {
    int from = (flags & PRIORITY) == 0 ? 0 : 5;
    return hpack.decodeHeaders(
        stream, Unpooled.wrappedBuffer(payload, from, payload.length - from));
  }

  /** The next frame that is as wanted. */
  public Frame await(Predicate<Frame> wanted) {
    List<Frame> seen = new ArrayList<>();
    for (Frame frame = next(); frame != null; frame = next()) {
      if (wanted.test(frame)) {
        return frame;
      }
      seen.add(frame);
    }
    throw new IllegalStateException(
        "closed" + (closed ? ", and sending failed" : "") + ": " + seen);
  }

  /** The frames of a stream until its last. */
  public List<Frame> reply(int stream) {
    List<Frame> frames = new ArrayList<>();
    do {
      frames.add(await(frame -> frame.stream() == stream && frame.type() != WINDOW_UPDATE));
    } while (!frames.get(frames.size() - 1).isLast());
    return frames;
  }

  /** All frames until the server ends the connection. */
  public List<Frame> untilClosed() {
    List<Frame> frames = new ArrayList<>();
    for (Frame frame = next(); frame != null; frame = next()) {
      frames.add(frame);
    }
    return frames;
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
