package dev.idgen.server.service;

import dev.idgen.store.TagRow;

/** Tags as tests need them. */
public final class TagRows {
  private TagRows() {}

  /** A tag that sets an engine and nothing else. */
  public static TagRow of(String name, String engine) {
    EngineKind kind = EngineKind.of(engine);
    return new TagRow(
        name,
        engine,
        kind == null || kind.numbers() ? "decimal" : "native",
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
