package dev.idgen.server.service;

import org.jspecify.annotations.Nullable;

/** Changes of tags as tests need them. */
final class Changes {
  private Changes() {}

  static TagChange none() {
    return of("none", "");
  }

  static TagChange engine(String word) {
    return of("engine", word);
  }

  static TagChange description(String text) {
    return of("description", text);
  }

  static TagChange step(long ids) {
    return of("step", String.valueOf(ids));
  }

  static TagChange of(String name, String value) {
    return new TagChange(
        text("engine", name, value),
        text("text", name, value),
        text("prefix", name, value),
        number("start", name, value),
        number("maximum", name, value),
        number("step", name, value),
        number("stepMin", name, value),
        number("stepMax", name, value),
        null,
        number("ratePerSecond", name, value),
        number("burst", name, value),
        text("owner", name, value),
        text("description", name, value));
  }

  private static @Nullable String text(String field, String name, String value) {
    return field.equals(name) ? value : null;
  }

  private static @Nullable Long number(String field, String name, String value) {
    return field.equals(name) ? Long.valueOf(value) : null;
  }
}
