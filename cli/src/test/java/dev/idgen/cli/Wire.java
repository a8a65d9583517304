package dev.idgen.cli;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** One connection to a server, kept open, for calls one after another. */
final class Wire implements AutoCloseable {
  private static final int PATIENCE_MS = 90_000;
  private static final int MOST_LINE = 8_192;

  private final Socket socket;
  private final InputStream in;

  Wire(int port) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(PATIENCE_MS);
    in = new BufferedInputStream(socket.getInputStream(), 1 << 16);
  }

  /**
   * What a server answered.
   *
   * @param head status line and headers
   */
  @SuppressWarnings("ArrayRecordComponent") // made by one thread, and never changed
  record Reply(String head, byte[] body) {

    boolean ok() {
      return head.startsWith("HTTP/1.1 200 ");
    }

    String text() {
      return new String(body, StandardCharsets.UTF_8);
    }
  }

  /** Posts a body and gives that of the reply, which must be 200. */
  byte[] post(String path, String body) throws IOException {
    Reply reply = send(path, body);
    if (!reply.ok()) {
      throw new IOException(reply.head() + reply.text());
    }
    return reply.body();
  }

  /** Posts a body. */
  Reply send(String path, String body) throws IOException {
    String head =
        "POST " + path + " HTTP/1.1\r\nhost: localhost\r\ncontent-length: " + body.length();
    socket.getOutputStream().write((head + "\r\n\r\n" + body).getBytes(StandardCharsets.US_ASCII));
    StringBuilder answered = new StringBuilder(line());
    int length = -1;
    for (String header = line(); !header.isEmpty(); header = line()) {
      String lower = header.toLowerCase(Locale.ROOT);
      answered.append('\n').append(lower);
      if (lower.startsWith("content-length:")) {
        length = Integer.parseInt(lower.substring("content-length:".length()).strip());
      }
    }
    byte[] reply = in.readNBytes(length);
    if (reply.length < length) {
      throw new EOFException("no whole body: " + answered);
    }
    return new Reply(answered.append('\n').toString(), reply);
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0 || line.length() > MOST_LINE) {
        throw new EOFException("no whole line: " + line);
      }
      if (c != '\r') {
        line.append((char) c);
      }
    }
    return line.toString();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
