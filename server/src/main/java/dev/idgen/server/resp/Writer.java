package dev.idgen.server.resp;

import dev.idgen.server.service.ServiceException;
import dev.idgen.text.Text;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Replies as bytes, one behind another. One for each event loop: whoever writes empties it. */
final class Writer {
  private static final int USUAL = 32 << 10;
  private static final int MAX_LINE = 32; // a mark, a number and the end of a line
  private static final int MAX_TOLD = 512; // characters of an error

  private byte[] bytes = new byte[USUAL];
  private int length;
  private boolean resp3;

  /** Which of the two forms the next replies have. */
  void speak(boolean version3) {
    resp3 = version3;
  }

  int length() {
    return length;
  }

  /** What was written; of use up to {@link #length}. */
  byte[] bytes() {
    return bytes;
  }

  /** Takes back what was written behind a place. */
  void cutTo(int place) {
    length = place;
  }

  /** Begins anew, and keeps no more room than is usual. */
  void clear() {
    length = 0;
    if (bytes.length > 2 * USUAL) {
      bytes = new byte[USUAL];
    }
  }

  /** A number. */
  void integer(long value) {
    line(':', value);
  }

  private void line(char mark, long number) {
    reserve(MAX_LINE);
    bytes[length++] = (byte) mark;
    if (number < 0) {
      bytes[length++] = '-';
    }
    length = Text.DECIMAL.encode(Math.abs(number), bytes, length);
    endLine();
  }

  private void endLine() {
    bytes[length++] = '\r';
    bytes[length++] = '\n';
  }

  /** A word of our own. */
  void simple(String ascii) {
    reserve(ascii.length() + 3);
    bytes[length++] = '+';
    copy(ascii);
    endLine();
  }

  @SuppressWarnings("deprecation") // copies ASCII as it is
  private void copy(String ascii) {
    ascii.getBytes(0, ascii.length(), bytes, length);
    length += ascii.length();
  }

  /** Ids and words of our own, as a bulk string. */
  void ascii(String text) {
    line('$', text.length());
    reserve(text.length() + 2);
    copy(text);
    endLine();
  }

  /** Any text, as a bulk string. */
  void text(String text) {
    bytes(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Any bytes, as a bulk string. */
  void bytes(byte[] any) {
    line('$', any.length);
    reserve(any.length + 2);
    System.arraycopy(any, 0, bytes, length, any.length);
    length += any.length;
    endLine();
  }

  /** An id as a text has it, as a bulk string. */
  void id(Text text, long id) {
    reserve(MAX_LINE + text.lengthMax() + 2);
    int size = text.length(id);
    line('$', size);
    length = text.encode(id, bytes, length);
    endLine();
  }

  /** The head of a list. */
  void array(int elements) {
    line('*', elements);
  }

  /** The head of names with values, which follow in turn. */
  void map(int entries) {
    if (resp3) {
      line('%', entries);
    } else {
      line('*', 2L * entries);
    }
  }

  /** The value that stands for none. */
  void nothing() {
    String none = resp3 ? "_\r\n" : "$-1\r\n";
    reserve(none.length());
    copy(none);
  }

  /** A refusal of the service. */
  void error(ServiceException refusal) {
    long again = refusal.retryAfterMs();
    String detail = refusal.detail();
    error(Words.of(refusal.reason()), again > 0 ? detail + "; again in " + again + " ms" : detail);
  }

  /**
   * An error.
   *
   * @param word what it is, for programs
   * @param detail for people; may hold what a client sent
   */
  void error(String word, String detail) {
    byte[] told = ("-" + word + " " + oneLine(detail)).getBytes(StandardCharsets.UTF_8);
    reserve(told.length + 2);
    System.arraycopy(told, 0, bytes, length, told.length);
    length += told.length;
    endLine();
  }

  /** A line must not end before its end, whatever was sent. */
  private static String oneLine(String text) {
    String cut = text.length() > MAX_TOLD ? text.substring(0, MAX_TOLD) + "..." : text;
    StringBuilder line = new StringBuilder(cut.length());
    cut.codePoints().forEach(c -> line.appendCodePoint(Character.isISOControl(c) ? ' ' : c));
    return line.toString();
  }

  private void reserve(int more) {
    if (more > bytes.length - length) {
      bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + more));
    }
  }
}
