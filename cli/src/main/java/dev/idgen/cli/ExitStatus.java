package dev.idgen.cli;

/** How a command ended. */
final class ExitStatus {
  static final int OK = 0;
  static final int FAILED = 1;
  static final int USAGE = 2;
  static final int UNAVAILABLE = 3;
  static final int NOT_FOUND = 4;

  private ExitStatus() {}
}
