package dev.idgen.server.service;

import org.jspecify.annotations.Nullable;

/** What issues the ids of a tag: numbers or texts. Thread-safe; nothing here blocks the caller. */
public sealed interface TagEngine permits NumberEngine, TextEngine {

  /** Which kind it is: replies name it by its word. */
  EngineKind kind();

  /** Whether it can issue, and if not, why. */
  EngineHealth health();

  /**
   * What it holds, and what it asked of the store.
   *
   * @return null: it holds nothing and asks no store
   */
  default @Nullable EngineGauges gauges() {
    return null;
  }

  /**
   * Throws away what it holds below a floor that the store knows of already.
   *
   * @param floor no later id is below
   */
  default void raiseTo(long floor) {}

  /** Ends what this tag alone uses. Callers that wait are refused. */
  default void close() {}
}
