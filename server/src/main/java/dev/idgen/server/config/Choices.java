package dev.idgen.server.config;

/** The words that settings with a fixed choice accept. */
public final class Choices {
  private Choices() {}

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

  /** Engines of tags that are made when they are first asked for. */
  public enum AutoCreateEngine {
    /** Time, worker id and sequence. */
    SNOWFLAKE,
    /** Numbers from segments. */
    SEGMENT,
    /** Numbers in strict order. */
    SEQUENCE,
    /** UUIDs in the order of time. */
    UUIDV7,
    /** Random UUIDs. */
    UUIDV4,
    /** ULIDs. */
    ULID,
    /** Random characters. */
    RANDOM,
    /** UUIDs of contents. */
    CONTENT
  }
}
