package dev.idgen.server.service;

import java.util.List;

/**
 * Whether an engine can issue ids. A value; immutable.
 *
 * @param started whether it holds what it needs to begin: a worker id
 * @param causes why it cannot issue now; empty: it can
 */
public record EngineHealth(boolean started, List<Cause> causes) {

  /** Copies the list. */
  public EngineHealth {
    causes = List.copyOf(causes);
  }

  /** Whether it can issue ids now. */
  public boolean ready() {
    return started && causes.isEmpty();
  }

  /**
   * One thing that is wrong.
   *
   * @param reason in the word of the catalogue
   * @param detail for people
   */
  public record Cause(ServiceReason reason, String detail) {}
}
