package dev.idgen.server.config;

/** The words that settings with a fixed choice accept. */
public final class Choices {
  private Choices() {}

  /** What to do when the wall clock reads lower than it did. */
  public enum Rollback {
    /** Wait out a little, refuse more. */
    REFUSE,
    /** Go on by monotonic time, up to the horizon. */
    LOGICAL
  }

  /** How the engine reads the clock. */
  public enum Clock {
    /** At each take. */
    PRECISE,
    /** From a ticker that runs under load. */
    CACHED
  }

  /** Where the sequence starts in a new tick. */
  public enum SequenceStart {
    /** At 0. */
    ZERO,
    /** Where the last tick ended, so that low rates spread evenly over shards. */
    SPREAD
  }

  /** How log lines look. */
  public enum LogFormat {
    /** Text on a terminal, JSON elsewhere. */
    AUTO,
    /** For people. */
    TEXT,
    /** One JSON object a line. */
    JSON
  }

  /** How much is logged. */
  public enum LogLevel {
    /** Failures only. */
    ERROR,
    /** What needs a look. */
    WARN,
    /** Starts, stops, leases. */
    INFO,
    /** Everything. */
    DEBUG
  }
}
