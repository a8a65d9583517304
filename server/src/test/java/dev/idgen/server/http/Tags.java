package dev.idgen.server.http;

import dev.idgen.store.TagRow;

/** Tags as tests need them. */
final class Tags {
  private Tags() {}

  static TagRow row(String name, String engine) {
    return new TagRow(
        name,
        engine,
        "decimal",
        "",
        1,
        Long.MAX_VALUE,
        10_000,
        100,
        1_000_000,
        false,
        0,
        0,
        "",
        "",
        0,
        0,
        0,
        false,
        0,
        0);
  }
}
