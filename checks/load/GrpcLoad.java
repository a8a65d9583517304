import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A client that costs next to nothing: calls of {@code NextID} for the tag "default", all alike, as frames of HTTP/2 made once, from
 * one thread. Prints calls a second and the 99th percentile in milliseconds; ends with 1 if a call is refused.
 *
 * <pre>java GrpcLoad.java PORT SECONDS CONNECTIONS CALLS_AT_A_TIME_ON_EACH</pre>
 */
final class GrpcLoad {
  private static final int DATA = 0;
  private static final int HEADERS = 1;
  private static final int RST_STREAM = 3;
  private static final int SETTINGS = 4;
  private static final int GOAWAY = 7;
  private static final int END_STREAM = 1;
  private static final int ACK = 1;
  private static final byte[] MESSAGE = {0, 0, 0, 0, 9, 10, 7, 'd', 'e', 'f', 'a', 'u', 'l', 't'};

  private static long calls;
  private static final long[] slower = new long[64 * 16]; // by microseconds, sixteen steps for each power of two

  public static void main(String[] args) throws IOException {
    int port = Integer.parseInt(args[0]);
    long endNanos = System.nanoTime() + Long.parseLong(args[1]) * 1_000_000_000;
    int connections = Integer.parseInt(args[2]);
    int atOnce = Integer.parseInt(args[3]);
    Selector selector = Selector.open();
    for (int i = 0; i < connections; i++) {
      new Connection(selector, port, atOnce);
    }
    long begun = System.nanoTime();
    while (System.nanoTime() < endNanos) {
      selector.select(100);
      for (SelectionKey key : selector.selectedKeys()) {
        ((Connection) key.attachment()).ready();
      }
      selector.selectedKeys().clear();
    }
    double seconds = (System.nanoTime() - begun) / 1e9;
    System.out.printf("%.0f %.2f%n", calls / seconds, percentile(0.99) / 1000.0);
  }

  private static void count(long nanos) {
    calls++;
    long us = Math.max(16, nanos / 1000);
    int power = 63 - Long.numberOfLeadingZeros(us);
    slower[power * 16 + (int) (us >> power - 4 & 15)]++;
  }

  private static double percentile(double share) {
    long left = (long) (calls * share);
    int at = 0;
    while (at < slower.length - 1 && (left -= slower[at]) > 0) {
      at++;
    }
    return Math.scalb(16.0 + at % 16, at / 16 - 4);
  }

  private static byte[] frame(int type, int flags, int stream, byte... payload) {
    return ByteBuffer.allocate(9 + payload.length)
        .put((byte) (payload.length >> 16))
        .putShort((short) payload.length)
        .put((byte) type)
        .put((byte) flags)
        .putInt(stream)
        .put(payload)
        .array();
  }

  /** Fields that are kept in the table of the connection: later calls name them by one byte each. */
  private static byte[] firstFields(int port) {
    ByteArrayOutputStream fields = new ByteArrayOutputStream();
    fields.write(0x83); // :method POST
    fields.write(0x86); // :scheme http
    kept(fields, ":path", "/idgen.v1.IdService/NextID");
    kept(fields, ":authority", "127.0.0.1:" + port);
    kept(fields, "content-type", "application/grpc");
    kept(fields, "te", "trailers");
    return fields.toByteArray();
  }

  private static void kept(ByteArrayOutputStream fields, String name, String value) {
    fields.write(0x40);
    fields.write(name.length());
    fields.writeBytes(name.getBytes(StandardCharsets.US_ASCII));
    fields.write(value.length());
    fields.writeBytes(value.getBytes(StandardCharsets.US_ASCII));
  }

  private static final byte[] FIELDS = {(byte) 0x83, (byte) 0x86, (byte) 0xc1, (byte) 0xc0, (byte) 0xbf, (byte) 0xbe};

  private static final class Connection {
    private final SocketChannel channel;
    private final ByteBuffer in = ByteBuffer.allocateDirect(1 << 18);
    private final ByteBuffer out = ByteBuffer.allocateDirect(1 << 18);
    private final long[] begun; // of each call under way, by its stream
    private final boolean[] answering; // its head has come
    private int nextStream = 1;

    Connection(Selector selector, int port, int atOnce) throws IOException {
      channel = SocketChannel.open(new InetSocketAddress("127.0.0.1", port));
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      channel.configureBlocking(false);
      channel.register(selector, SelectionKey.OP_READ, this);
      begun = new long[1 << 16];
      answering = new boolean[1 << 16];
      out.put("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      out.put(frame(SETTINGS, 0, 0));
      out.put(frame(8, 0, 0, (byte) 0x7f, (byte) 0xfe, (byte) 0, (byte) 0)); // may send as much as it likes
      call(firstFields(port));
      for (int i = 1; i < atOnce; i++) {
        call(FIELDS);
      }
      flush();
    }

    private void call(byte[] fields) {
      int at = nextStream >> 1 & 0xffff;
      begun[at] = System.nanoTime();
      answering[at] = false;
      out.put(frame(HEADERS, 4, nextStream, fields)).put(frame(DATA, END_STREAM, nextStream, MESSAGE));
      nextStream += 2;
    }

    private void flush() throws IOException {
      out.flip();
      while (out.hasRemaining()) {
        channel.write(out); // a server that does not read is waited for
      }
      out.clear();
    }

    void ready() throws IOException {
      if (channel.read(in) < 0) {
        throw new IOException("closed by the server");
      }
      in.flip();
      while (in.remaining() >= 9) {
        int length = (in.getShort(in.position()) & 0xffff) << 8 | in.get(in.position() + 2) & 0xff;
        if (in.remaining() < 9 + length) {
          break;
        }
        received(in.get(in.position() + 3), in.get(in.position() + 4), in.getInt(in.position() + 5), length);
        in.position(in.position() + 9 + length);
      }
      in.compact();
      flush();
    }

    private void received(int type, int flags, int stream, int length) throws IOException {
      switch (type) {
        case SETTINGS -> {
          if ((flags & ACK) == 0) {
            out.put(frame(SETTINGS, ACK, 0));
          }
        }
        case RST_STREAM, GOAWAY -> throw new IOException("refused: frame " + type);
        case HEADERS -> headers(flags, stream >> 1 & 0xffff, length);
        default -> {}
      }
    }

    /** A reply has a head, a message, and a tail; one that is refused has a head alone. */
    private void headers(int flags, int at, int length) throws IOException {
      if ((flags & END_STREAM) == 0) {
        answering[at] = true;
        return;
      }
      if (!answering[at]) {
        byte[] fields = new byte[length];
        in.get(in.position() + 9, fields);
        throw new IOException("refused: " + Arrays.toString(fields));
      }
      count(System.nanoTime() - begun[at]);
      call(FIELDS);
    }
  }
}
