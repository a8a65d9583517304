package dev.idgen.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TagRulesTest {
  private static TagRow row(String description, long floor) {
    return new TagRow(
        "order",
        "segment",
        "decimal",
        "",
        1,
        1_000,
        10,
        1,
        100,
        false,
        0,
        0,
        "",
        description,
        floor,
        0,
        0,
        false,
        5,
        6);
  }

  private static TagRow written(TagReply reply) {
    return assertInstanceOf(TagReply.Written.class, reply).row();
  }

  @Test
  void write_newTag_isVersionOne() {
    TagRow row = written(TagRules.write(null, row("a", 0), 0, 7));
    assertEquals(1, row.version());
    assertEquals(7, row.revision());
    assertEquals("a", row.description());
  }

  @Test
  void write_knownVersion_isTheNextOne() {
    TagRow one = written(TagRules.write(null, row("a", 0), 0, 7));
    TagRow two = written(TagRules.write(one, row("b", 3), 1, 8));
    assertEquals(2, two.version());
    assertEquals(3, two.floor());
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 2, -1})
  void write_otherVersion_isAConflict(long known) {
    TagRow one = written(TagRules.write(null, row("a", 0), 0, 7));
    TagReply reply = TagRules.write(one, row("b", 0), known, 8);
    assertEquals(one, assertInstanceOf(TagReply.Conflict.class, reply).row());
  }

  /** It was made from a row of that version that a failover has lost. */
  @Test
  void write_lowerFloor_isAConflict() {
    TagRow one = written(TagRules.write(null, row("a", 50), 0, 7));
    TagReply reply = TagRules.write(one, row("b", 49), 1, 8);
    assertEquals(one, assertInstanceOf(TagReply.Conflict.class, reply).row());
  }

  @Test
  void row_textTooLongOrWithControls_isRefused() {
    var e = assertThrows(IllegalArgumentException.class, () -> row("x".repeat(129), 0));
    assertEquals("description: 129 characters (expected: at most 128)", e.getMessage());
    e = assertThrows(IllegalArgumentException.class, () -> row("a\ud83d", 0));
    assertEquals(
        "description: half a character (expected: text that UTF-8 can carry)", e.getMessage());
    e = assertThrows(IllegalArgumentException.class, () -> row("a\nb", 0));
    assertEquals(
        "description: a control character at 1 (expected: a line of text)", e.getMessage());
  }
}
