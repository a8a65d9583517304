package dev.idgen.snowflake;

/** How the engine reads the wall clock. */
public enum ClockMode {
  /** Once per take. The time in an id is that of its take. */
  PRECISE,
  /**
   * From a copy that a thread refreshes about each millisecond, under load only. The time in an id
   * may be older than its take by a millisecond and by what the operating system is late in running
   * that thread, but by no more than 1,024 takes of all callers together.
   */
  CACHED
}
