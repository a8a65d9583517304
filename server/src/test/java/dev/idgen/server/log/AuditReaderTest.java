package dev.idgen.server.log;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditReaderTest {
  @TempDir Path folder;

  private Path file(String text) throws IOException {
    return Files.writeString(folder.resolve("audit.log"), text);
  }

  @Test
  void read_noFileOrAnEmptyOne_hasNoLines() throws IOException {
    assertEquals(
        new AuditReader.Tail(List.of(), -1), AuditReader.read(folder.resolve("none"), -1, 5));
    assertEquals(new AuditReader.Tail(List.of(), -1), AuditReader.read(file(""), -1, 5));
  }

  @Test
  void read_pages_haveEachLineOnceNewestFirst() throws IOException {
    Path path = file("one\ntwo\nthree\nfour\n");
    AuditReader.Tail first = AuditReader.read(path, -1, 3);
    assertEquals(List.of("four", "three", "two"), first.lines());
    assertEquals(new AuditReader.Tail(List.of("one"), -1), AuditReader.read(path, first.next(), 3));
  }

  @Test
  void read_exactlyAllLines_hasNoMore() throws IOException {
    assertEquals(
        new AuditReader.Tail(List.of("two", "one"), -1),
        AuditReader.read(file("one\ntwo\n"), -1, 2));
  }

  /** Written to while it is read: what came later is no part of an older page. */
  @Test
  void read_fileThatGrew_pagesStayWhereTheyWere() throws IOException {
    Path path = file("one\ntwo\n");
    AuditReader.Tail first = AuditReader.read(path, -1, 1);
    Files.writeString(path, "one\ntwo\nthree\n");
    assertEquals(List.of("one"), AuditReader.read(path, first.next(), 5).lines());
  }

  @Test
  void read_manyChunks_findsAllLines() throws IOException {
    StringBuilder text = new StringBuilder();
    List<String> wanted = new ArrayList<>();
    for (int i = 0; i < 9_000; i++) {
      String line = i + "x".repeat(i % 97);
      text.append(line).append('\n');
      wanted.add(0, line);
    }
    Path path = file(text.toString());
    List<String> seen = new ArrayList<>();
    long before = -1;
    do {
      AuditReader.Tail page = AuditReader.read(path, before, 1_000);
      seen.addAll(page.lines());
      before = page.next();
    } while (before >= 0);
    assertEquals(wanted, seen);
  }

  /** A place that an older answer gave may lie behind the end of a file that was cut. */
  @Test
  void read_placeBehindTheEnd_isTheEnd() throws IOException {
    assertEquals(List.of("one"), AuditReader.read(file("one\n"), 1_000_000, 5).lines());
  }

  /** Anybody may send a place. */
  @Test
  void read_placeWithinALine_isItsBeginning() throws IOException {
    Path path = file("one\ntwo\nthree\n");
    assertEquals(List.of("two", "one"), AuditReader.read(path, 10, 5).lines());
    assertEquals(List.of("one"), AuditReader.read(path, 7, 5).lines());
    assertEquals(new AuditReader.Tail(List.of(), -1), AuditReader.read(path, 2, 5));
    assertEquals(
        new AuditReader.Tail(List.of(), -1),
        AuditReader.read(file("x".repeat(100_000)), 90_000, 5));
  }
}
