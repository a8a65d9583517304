package dev.idgen.server.main;

/** The server cannot start as things are. The message says in one line what to do. */
public final class StartFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  StartFailure(String message) {
    super(message);
  }

  StartFailure(String message, Throwable cause) {
    super(message, cause);
  }
}
