package dev.idgen.server.engine;

import dev.idgen.server.service.EngineKind;
import dev.idgen.server.service.TextEngine;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Texts that are made of the time, of random bits, or of both. Thread-safe. */
record GeneratedTextEngine(EngineKind kind, Supplier<String> generator) implements TextEngine {

  @Override
  public String next(@Nullable Content content) {
    TextEngine.requireNone(content, kind);
    return generator.get();
  }
}
