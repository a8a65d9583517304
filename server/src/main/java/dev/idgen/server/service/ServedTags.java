package dev.idgen.server.service;

import dev.idgen.store.TagRow;

/** Which of the settings that a tag may have this server can serve. */
final class ServedTags {
  private ServedTags() {}

  /**
   * Refuses a tag that would not do what its settings say.
   *
   * @throws IllegalArgumentException name, value, expected
   */
  static void require(TagRow row) {
    if (EngineKind.of(row.engine()) == null) {
      throw refused("engine", row.engine(), EngineKind.words());
    }
    if (!row.text().equals("decimal")) {
      throw refused("text", row.text(), "decimal");
    }
    if (!row.prefix().isEmpty()) {
      throw refused("prefix", row.prefix(), "none");
    }
    if (row.ratePerSecond() != 0) {
      throw refused("ratePerSecond", String.valueOf(row.ratePerSecond()), "0: no limit");
    }
    if (row.burst() != 0) {
      throw refused("burst", String.valueOf(row.burst()), "0: no limit");
    }
  }

  private static IllegalArgumentException refused(String name, String value, String expected) {
    return new IllegalArgumentException(name + ": " + value + " (expected: " + expected + ")");
  }
}
