package dev.idgen.server.resp;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * Finds commands in bytes, and keeps where their arguments are: nothing is copied. A command is an
 * array of bulk strings, or a line of words. Nothing is set aside for what a client only announces.
 *
 * <p>A command whose end has not arrived is looked at again, from its beginning, when more has;
 * that is cheap, since the arguments themselves are never looked at. One for each event loop.
 *
 * @see <a href="https://redis.io/docs/latest/develop/reference/protocol-spec/">RESP</a>
 */
final class Decoder {
  /** Longest line of words. */
  static final int MAX_INLINE = 1024;

  private static final long MORE = Long.MIN_VALUE;
  private static final int MAX_DIGITS = 10;
  private static final int SHOWN_NAME = 64;
  private static final int INCR = 'i' << 24 | 'n' << 16 | 'c' << 8 | 'r';
  private static final int LOWER_CASE = 0x20202020;

  /** How HTTP begins; {@code Host:} is its second line, should the first one have passed. */
  private static final String[] HTTP = {
    "GET ", "POST ", "PUT ", "HEAD ", "DELETE ", "OPTIONS ", "PATCH ", "TRACE ", "CONNECT ", "HOST:"
  };

  private final int[] from = new int[Caps.MAX_ARGUMENTS];
  private final int[] length = new int[Caps.MAX_ARGUMENTS];
  private ByteBuf bytes = io.netty.buffer.Unpooled.EMPTY_BUFFER;
  private int begin;
  private int at;
  private int count;

  /**
   * Finds the next command, whose arguments can be asked for until the next call, and moves the
   * reader index behind it. An empty line and an empty array have none.
   *
   * @return false: its end has not arrived; the reader index stays
   * @throws ProtocolFault it is none, or larger than it may be
   */
  boolean next(ByteBuf in, Caps caps) {
    bytes = in;
    begin = in.readerIndex();
    at = begin;
    count = 0;
    int end = in.writerIndex();
    if (at == end) {
      return false;
    }
    boolean whole = in.getByte(at) == '*' ? array(end, caps) : inline(end);
    if (whole) {
      in.readerIndex(at);
    }
    return whole;
  }

  /** The next call finds the same command again. */
  void putBack(ByteBuf in) {
    in.readerIndex(begin);
  }

  private boolean array(int end, Caps caps) {
    long arguments = number(end, caps.maxArguments(), "invalid multibulk length");
    if (arguments == MORE) {
      return false;
    }
    for (int i = 0; i < arguments; i++) {
      if (at == end) {
        return false;
      }
      if (bytes.getByte(at) != '$') {
        throw ProtocolFault.of("expected '$', got '" + shown(bytes.getByte(at)) + "'");
      }
      int most = caps.maxBytes() - (at - begin);
      long size = number(end, most, "invalid bulk length");
      if (size == MORE) {
        return false;
      }
      if (size < 0) {
        throw ProtocolFault.of("invalid bulk length");
      }
      if (size + 2 > end - at) {
        return false;
      }
      from[i] = at;
      length[i] = (int) size;
      at += (int) size + 2;
      if (bytes.getByte(at - 2) != '\r' || bytes.getByte(at - 1) != '\n') {
        throw ProtocolFault.of("invalid bulk length");
      }
    }
    count = (int) Math.max(0, arguments);
    return true;
  }

  /** The number of a line that begins with a mark, and steps behind the line. */
  private long number(int end, int most, String fault) {
    int i = at + 1;
    boolean negative = i < end && bytes.getByte(i) == '-';
    int first = negative ? i + 1 : i;
    long number = 0;
    for (i = first; i < end; i++) {
      int digit = bytes.getByte(i) - '0';
      if (digit < 0 || digit > 9) {
        break;
      }
      number = number * 10 + digit;
      if (number > most || i - first >= MAX_DIGITS) {
        throw ProtocolFault.of(fault);
      }
    }
    if (i < end && (i == first || bytes.getByte(i) != '\r')) {
      throw ProtocolFault.of(fault);
    }
    if (i + 1 >= end) {
      return MORE;
    }
    if (bytes.getByte(i + 1) != '\n') {
      throw ProtocolFault.of(fault);
    }
    at = i + 2;
    return negative ? -number : number;
  }

  private static String shown(byte b) {
    return b > ' ' && b < 0x7f ? String.valueOf((char) b) : String.format("\\x%02x", b);
  }

  // ---- lines of words, as people type them

  private boolean inline(int end) {
    requireNoHttp(end);
    int newline = bytes.indexOf(at, Math.min(end, at + MAX_INLINE), (byte) '\n');
    if (newline < 0) {
      if (end - at >= MAX_INLINE) {
        throw ProtocolFault.of("too big inline request");
      }
      return false;
    }
    boolean carriage = newline > at && bytes.getByte(newline - 1) == '\r';
    words(carriage ? newline - 1 : newline);
    at = newline + 1;
    return true;
  }

  private void requireNoHttp(int end) {
    for (String word : HTTP) {
      if (end - at >= word.length() && matches(at, word)) {
        throw ProtocolFault.http();
      }
    }
  }

  private void words(int end) {
    int i = at;
    while (i < end) {
      byte b = bytes.getByte(i);
      if (b == '"' || b == '\'') {
        throw ProtocolFault.of("quotes in an inline request");
      }
      if (b == ' ' || b == '\t') {
        i++;
      } else {
        from[count] = i;
        while (i < end && bytes.getByte(i) != ' ' && bytes.getByte(i) != '\t') {
          i++;
        }
        length[count] = i - from[count];
        count++;
      }
    }
  }

  // ---- the command that was found

  /** How many arguments it has, its name included. */
  int count() {
    return count;
  }

  /** Whether its name is {@code INCR}, the one that is asked for all the time. */
  boolean isIncr() {
    return length[0] == 4 && (bytes.getInt(from[0]) | LOWER_CASE) == INCR;
  }

  /** Whether it may be {@code ID.NEXT} with a count. */
  boolean asksForMany() {
    return count == 4 && is(0, "ID.NEXT");
  }

  /** Its name, in upper case; cut where it is too long to be one. */
  String name() {
    return text(0, SHOWN_NAME).toUpperCase(Locale.ROOT);
  }

  /** Whether an argument is a word, in whatever case. */
  boolean is(int index, String upper) {
    return length[index] == upper.length() && matches(from[index], upper);
  }

  private boolean matches(int begin, String upper) {
    for (int i = 0; i < upper.length(); i++) {
      int b = bytes.getByte(begin + i);
      if ((b >= 'a' && b <= 'z' ? b - 32 : b) != upper.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /** Whether an argument is these bytes. */
  boolean is(int index, byte[] same) {
    if (length[index] != same.length) {
      return false;
    }
    for (int i = 0; i < same.length; i++) {
      if (bytes.getByte(from[index] + i) != same[i]) {
        return false;
      }
    }
    return true;
  }

  /** How many bytes an argument has. */
  int length(int index) {
    return length[index];
  }

  /** An argument. */
  byte[] bytes(int index) {
    byte[] copy = new byte[length[index]];
    bytes.getBytes(from[index], copy);
    return copy;
  }

  /** An argument as text; bytes that are none become marks that no name and no id has. */
  String text(int index) {
    return text(index, Integer.MAX_VALUE);
  }

  private String text(int index, int most) {
    return bytes.toString(from[index], Math.min(most, length[index]), StandardCharsets.UTF_8);
  }
}
