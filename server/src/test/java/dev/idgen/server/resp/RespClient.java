package dev.idgen.server.resp;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A bare socket that speaks RESP, and whatever else a test sends. */
final class RespClient implements AutoCloseable {
  private static final int PATIENCE_MS = 20_000;

  final Socket socket;
  private final InputStream in;

  /** What an error reply says. */
  record Problem(String text) {}

  RespClient(int port) {
    try {
      socket = new Socket(InetAddress.getLoopbackAddress(), port);
      socket.setSoTimeout(PATIENCE_MS);
      socket.setTcpNoDelay(true);
      in = new BufferedInputStream(socket.getInputStream());
    } catch (IOException e) {
      throw new IllegalStateException("port " + port, e);
    }
  }

  /** A command as clients send it. */
  static byte[] encoded(String... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(("*" + arguments.length + "\r\n").getBytes(StandardCharsets.UTF_8));
    for (String argument : arguments) {
      byte[] bytes = argument.getBytes(StandardCharsets.UTF_8);
      out.writeBytes(("$" + bytes.length + "\r\n").getBytes(StandardCharsets.UTF_8));
      out.writeBytes(bytes);
      out.writeBytes("\r\n".getBytes(StandardCharsets.UTF_8));
    }
    return out.toByteArray();
  }

  RespClient send(String raw) {
    return send(raw.getBytes(StandardCharsets.UTF_8));
  }

  RespClient send(byte[] raw) {
    try {
      socket.getOutputStream().write(raw);
      return this;
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Whether it could be sent: the server may have ended the connection. */
  boolean trySend(byte[] raw) {
    try {
      socket.getOutputStream().write(raw);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  RespClient command(String... arguments) {
    return send(encoded(arguments));
  }

  /** Sends a command, and waits for its reply. */
  @Nullable Object ask(String... arguments) {
    return command(arguments).reply();
  }

  /** The text of the error that a command is answered. */
  String error(String... arguments) {
    Object reply = ask(arguments);
    if (reply instanceof Problem problem) {
      return problem.text;
    }
    throw new AssertionError(Arrays.toString(arguments) + " -> " + reply);
  }

  RespClient endOfSending() {
    try {
      socket.shutdownOutput();
      return this;
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** One reply: a text, a number, a list, a map, null, or a {@link Problem}. */
  @Nullable Object reply() {
    try {
      String line = line();
      String rest = line.substring(1);
      return switch (line.charAt(0)) {
        case '+' -> rest;
        case ':' -> Long.parseLong(rest);
        case '-' -> new Problem(rest);
        case '_' -> null;
        case '$' -> bulk(Integer.parseInt(rest));
        case '*' -> list(Integer.parseInt(rest));
        case '%' -> map(Integer.parseInt(rest));
        default -> throw new IllegalStateException("reply: " + line);
      };
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private String line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int b = in.read(); b != '\r'; b = in.read()) {
      if (b < 0 || b == '\n') {
        throw new IOException("line ends after: " + line.toString(StandardCharsets.UTF_8));
      }
      line.write(b);
    }
    requireNewline();
    return line.toString(StandardCharsets.UTF_8);
  }

  private void requireNewline() throws IOException {
    int b = in.read();
    if (b != '\n') {
      throw new IOException("byte " + b + " (expected: a newline)");
    }
  }

  private @Nullable String bulk(int length) throws IOException {
    if (length < 0) {
      return null;
    }
    String text = new String(in.readNBytes(length), StandardCharsets.UTF_8);
    if (in.read() != '\r') {
      throw new IOException("no end of: " + text);
    }
    requireNewline();
    return text;
  }

  private List<@Nullable Object> list(int count) {
    List<@Nullable Object> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      all.add(reply());
    }
    return all;
  }

  private Map<@Nullable Object, @Nullable Object> map(int count) {
    Map<@Nullable Object, @Nullable Object> all = new LinkedHashMap<>();
    for (int i = 0; i < count; i++) {
      all.put(reply(), reply());
    }
    return all;
  }

  /** All that comes until the server closes; a reset counts as closing. */
  String untilClosed() {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    try {
      for (int b = in.read(); b >= 0; b = in.read()) {
        all.write(b);
      }
    } catch (SocketException e) {
      return all.toString(StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new IllegalStateException("after: " + all.toString(StandardCharsets.UTF_8), e);
    }
    return all.toString(StandardCharsets.UTF_8);
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
