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
}
