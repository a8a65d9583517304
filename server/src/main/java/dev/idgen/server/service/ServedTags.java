package dev.idgen.server.service;

import dev.idgen.store.TagRow;

/** Which of the settings that a tag may have this server can serve. */
final class ServedTags {
  private ServedTags() {}

  /**
   * Refuses a tag that would not do what its settings say.
   *
   * @param modulus how many databases and regions share the ids of tags
   * @throws IllegalArgumentException name, value, expected
   */
  static void require(TagRow row, int modulus) {
    EngineKind kind = EngineKind.of(row.engine());
    if (kind == null) {
      throw refused("engine", row.engine(), EngineKind.words());
    }
    if (kind == EngineKind.SEQUENCE && modulus > 1) {
      throw refused(
          "engine", row.engine(), "another one: several databases or regions have no common order");
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
