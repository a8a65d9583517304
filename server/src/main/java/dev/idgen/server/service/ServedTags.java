package dev.idgen.server.service;

import dev.idgen.store.TagRow;

/** Which of the settings that a tag may have this server can serve. */
final class ServedTags {
  private ServedTags() {}

  /**
   * The engine of a tag that would do what its settings say.
   *
   * @throws IllegalArgumentException it would not: name, value, expected
   */
  static EngineKind require(TagRow row, TagTexts texts) {
    EngineKind kind = EngineKind.of(row.engine());
    if (kind == null) {
      throw refused("engine", row.engine(), EngineKind.words());
    }
    var unused = texts.of(row, kind);
    requireRate("ratePerSecond", row.ratePerSecond());
    requireRate("burst", row.burst());
    if (row.burst() != 0 && row.ratePerSecond() == 0) {
      throw refused("burst", String.valueOf(row.burst()), "0: there is no ratePerSecond");
    }
    return kind;
  }

  private static void requireRate(String name, long value) {
    if (value > TagChange.MAX_RATE) {
      throw refused(name, String.valueOf(value), "0.." + TagChange.MAX_RATE);
    }
  }

  private static IllegalArgumentException refused(String name, String value, String expected) {
    return new IllegalArgumentException(name + ": " + value + " (expected: " + expected + ")");
  }
}
