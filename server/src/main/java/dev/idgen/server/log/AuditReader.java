package dev.idgen.server.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/** Reads lines of a file from its end. For one thread. */
final class AuditReader {
  /** Lines are shorter: what is longer is none of ours. */
  private static final int MAX_LINE = 64 << 10;

  private static final int CHUNK = 256 << 10;

  private AuditReader() {}

  /**
   * Lines, newest first.
   *
   * @param lines without their ends
   * @param next where the oldest one begins; -1: it is the first of the file
   */
  record Tail(List<String> lines, long next) {}

  /**
   * The last lines before a place.
   *
   * @param before -1: the end of the file; a place within a line stands for its beginning
   * @throws IOException it cannot be read; a file that is not there has no lines
   */
  static Tail read(Path path, long before, int limit) throws IOException {
    try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ)) {
      long end = before < 0 ? file.size() : endOfLine(file, Math.min(before, file.size()));
      return read(file, end, limit);
    } catch (NoSuchFileException e) {
      return new Tail(List.of(), -1);
    }
  }

  private static long endOfLine(FileChannel file, long place) throws IOException {
    long from = Math.max(0, place - MAX_LINE);
    byte[] bytes = bytes(file, from, (int) (place - from));
    int end = bytes.length;
    while (end > 0 && bytes[end - 1] != '\n') {
      end--;
    }
    return end == 0 ? 0 : from + end;
  }

  private static Tail read(FileChannel file, long end, int limit) throws IOException {
    List<String> lines = new ArrayList<>();
    long at = end;
    while (at > 0 && lines.size() < limit) {
      long from = Math.max(0, at - CHUNK);
      byte[] bytes = bytes(file, from, (int) (at - from));
      int taken = take(bytes, from == 0, limit, lines);
      if (taken == bytes.length && from > 0 && bytes.length >= MAX_LINE) {
        break; // no end of a line far and wide
      }
      at = from + taken;
      if (from == 0) {
        break;
      }
    }
    return new Tail(lines, at > 0 && !lines.isEmpty() ? at : -1);
  }

  /** Takes whole lines off the end; gives where the first one that was taken begins. */
  private static int take(byte[] bytes, boolean first, int limit, List<String> lines) {
    int end = bytes.length;
    while (end > 0 && lines.size() < limit) {
      int last = bytes[end - 1] == '\n' ? end - 1 : end;
      int start = last;
      while (start > 0 && bytes[start - 1] != '\n') {
        start--;
      }
      if (start == 0 && !first) {
        return end; // its beginning is further up
      }
      if (last > start) {
        lines.add(new String(bytes, start, last - start, StandardCharsets.UTF_8));
      }
      end = start;
    }
    return end;
  }

  private static byte[] bytes(FileChannel file, long from, int length) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(length);
    while (buffer.hasRemaining() && file.read(buffer, from + buffer.position()) >= 0) {
      // on until it is full: a file that was cut meanwhile leaves zeros, which are no lines
    }
    return buffer.array();
  }
}
