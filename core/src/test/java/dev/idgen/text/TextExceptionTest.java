package dev.idgen.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class TextExceptionTest {

  @Test
  void message_textOfTenMegabytes_isShort() {
    String huge = "9".repeat(10_000_000);
    for (Text kind : TextTest.TEXTS) {
      var e = assertThrows(TextException.class, () -> kind.decode(huge));
      String message = String.valueOf(e.getMessage());
      assertTrue(message.length() < 200, message);
      assertTrue(
          message.startsWith("text: \"" + "9".repeat(48) + "...\" of 10000000 characters"),
          message);
    }
  }

  @Test
  void message_controlCharactersAndQuotes_areEscaped() {
    var e = new TextException("a\n\"\\\u00e4\ud83d", 1, "something");
    assertEquals(
        "text: \"a\\u000a\\u0022\\u005c\\u00e4\\ud83d\" at 1 (expected: something)",
        e.getMessage());
    assertEquals(1, e.position());
    assertEquals("something", e.expected());
  }
}
