package dev.idgen.cli;

/** A command cannot do what it was asked to. The message is for the user. */
final class CommandException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int status;

  CommandException(int status, String message) {
    super(message);
    this.status = status;
  }

  /** One of {@link ExitStatus}. */
  int status() {
    return status;
  }
}
