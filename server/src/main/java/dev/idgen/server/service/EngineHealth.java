package dev.idgen.server.service;

import java.util.ArrayList;
import java.util.List;

/**
 * Whether an engine can issue ids. A value; immutable.
 *
 * @param started whether it holds what it needs to begin: a worker id
 * @param reasons why it cannot issue now, for people; empty: it can
 */
public record EngineHealth(boolean started, List<String> reasons) {
  /** Nothing is wrong. */
  public static final EngineHealth WELL = new EngineHealth(true, List.of());

  /** Copies the list. */
  public EngineHealth {
    reasons = List.copyOf(reasons);
  }

  /** The same with one more reason. */
  public EngineHealth withReason(String reason) {
    List<String> more = new ArrayList<>(reasons);
    more.add(reason);
    return new EngineHealth(started, more);
  }

  /** Whether it can issue ids now. */
  public boolean ready() {
    return started && reasons.isEmpty();
  }
}
