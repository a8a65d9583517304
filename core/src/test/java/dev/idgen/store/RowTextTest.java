package dev.idgen.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class RowTextTest {
  private static final NamespaceRow NAMESPACE =
      new NamespaceRow("time:41,worker:10;tick 1 ms", "ab/12", 3, Long.MAX_VALUE, 60_000, -1);

  @ParameterizedTest
  @NullSource
  @ValueSource(strings = {"-", "=", "a b", "+", "%", "\u2603\n", "h\u00f6st/7"})
  void worker_anyOwner_comesBack(String owner) {
    WorkerRow row =
        new WorkerRow(4_194_303, owner, 2, Long.MIN_VALUE, -7, 0, Long.MAX_VALUE, "id 1/2", 1, -1);

    assertEquals(row, RowText.worker(RowText.of(row)));
  }

  @Test
  void namespace_any_comesBackFromOneLine() {
    String text = RowText.of(NAMESPACE);

    assertEquals(
        "1 time%3A41%2Cworker%3A10%3Btick+1+ms ab%2F12 3 9223372036854775807 60000 -1", text);
    assertEquals(NAMESPACE, RowText.namespace(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "1",
        "1 7 owner 1 1 1 1 1 id 0 0",
        "1 7 - 1 1 1 1 1 id 0",
        "1 7 - 1 1 1 1 1 id 0 0 0",
        "1 7 - 1 1 1 1 x id 0 0",
        "1 x - 1 1 1 1 1 id 0 0"
      })
  void worker_notWhole_throws(String text) {
    assertThrows(IllegalArgumentException.class, () -> RowText.worker(text));
  }

  @Test
  void worker_laterVersion_saysSo() {
    var refused =
        assertThrows(IllegalArgumentException.class, () -> RowText.worker("2 what this means"));
    assertEquals("row: version 2 (expected: 1)", refused.getMessage());
  }

  @Test
  void segment_any_comesBackFromOneLine() {
    SegmentRow row = new SegmentRow(Long.MAX_VALUE, 0, "ab/12 +", 3, Long.MAX_VALUE, true);

    assertEquals("1 9223372036854775807 0 ab%2F12+%2B 3 9223372036854775807 1", RowText.of(row));
    assertEquals(row, RowText.segment(RowText.of(row)));
    SegmentRow unused = new SegmentRow(-1, 7, "", 0, 1, false);
    assertEquals(unused, RowText.segment(RowText.of(unused)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "1", "2 1 0 id 0 1 0", "1 1 0 id 0 1", "1 1 0 id 0 1 2", "1 x 0 id 0 1 0"})
  void segment_notWhole_throws(String text) {
    assertThrows(IllegalArgumentException.class, () -> RowText.segment(text));
  }

  @Test
  void residue_any_comesBackFromOneLine() {
    Residue residue = new Residue(3, 2);

    assertEquals("1 3 2", RowText.of(residue));
    assertEquals(residue, RowText.residue("1 3 2"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"1 3", "2 3 2", "1 3 3", "1 3 -1", "1 3 2 1", "1 x 2"})
  void residue_notWhole_throws(String text) {
    assertThrows(IllegalArgumentException.class, () -> RowText.residue(text));
  }

  private static TagRow tag(String text) {
    return new TagRow(
        "Order.eu_1-a",
        "segment",
        "base62",
        text,
        0,
        Long.MAX_VALUE,
        5,
        1,
        1_000_000_000_000L,
        true,
        7,
        8,
        text,
        text,
        9,
        10,
        11,
        false,
        -1,
        Long.MAX_VALUE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "  two  spaces ",
        "-",
        "+",
        "%20",
        "team 'a' \"b\" \\",
        "\u00e4\u00f6\u00fc\u00df \u20ac",
        "\ud83d\ude00\u2028"
      })
  void tag_anyText_comesBackFromOneLine(String text) {
    String line = RowText.of(tag(text));

    assertEquals(tag(text), RowText.tag(line));
    assertEquals(-1, line.indexOf('\n'));
    String longest = "\u20ac".repeat(TagRow.MAX_TEXT);
    assertEquals(tag(longest), RowText.tag(RowText.of(tag(longest))));
  }

  @Test
  void tag_removed_comesBack() {
    TagRow removed = tag("x").removedAt(12);

    assertEquals(removed, RowText.tag(RowText.of(removed)));
    assertEquals(
        "1 Order.eu_1-a segment base62 x 0 9223372036854775807 5 1 1000000000000 1 7 8 x x 9 10 11"
            + " 1 -1 12",
        RowText.of(removed));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1 a",
        "2 a segment decimal  1 9 5 1 9 0 0 0   0 1 1 0 0 0",
        "1 a segment decimal  1 9 5 1 9 0 0 0   0 1 1 0 0",
        "1 a segment decimal  1 9 5 1 9 2 0 0   0 1 1 0 0 0",
        "1 a segment decimal  1 9 5 1 9 0 0 0   0 1 1 no 0 0",
        "1 a segment decimal  1 9 50 1 9 0 0 0   0 1 1 0 0 0"
      })
  void tag_notWhole_throws(String text) {
    assertThrows(IllegalArgumentException.class, () -> RowText.tag(text));
  }

  @Test
  void tag_smallest_isRead() {
    assertEquals("a", RowText.tag("1 a segment decimal  1 9 5 1 9 0 0 0   0 1 1 0 0 0").tag());
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(strings = {"", "-", "=", "1 2", " a  b ", "{\"ids\":[\"%41+\"]}", "\u00e4\u2603"})
  void idempotency_anyReply_comesBackFromOneLine(String reply) {
    IdempotencyRow row = new IdempotencyRow("a/b+%", Long.MIN_VALUE, Long.MAX_VALUE, 7, reply);

    String line = RowText.of(row);
    assertEquals(row, RowText.idempotency(line));
    assertEquals(
        "1 a%2Fb%2B%25 -9223372036854775808 9223372036854775807 7 "
            + (reply == null ? "-" : "=" + reply),
        line);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "1", "1 print 1 2 3", "1 print 1 2 x -", "1 print 1 2 3 x", "2 print 1 2 3 -"})
  void idempotency_notWhole_throws(String text) {
    assertThrows(IllegalArgumentException.class, () -> RowText.idempotency(text));
  }
}
