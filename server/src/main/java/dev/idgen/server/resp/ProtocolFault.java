package dev.idgen.server.resp;

/** What came is no command, and neither can be what follows. Carries no stack. */
final class ProtocolFault extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean silent;

  private ProtocolFault(String message, boolean silent) {
    super(message, null, false, false);
    this.silent = silent;
  }

  /** A fault that the client is told. */
  static ProtocolFault of(String message) {
    return new ProtocolFault(message, false);
  }

  /**
   * Somebody speaks HTTP: a page in a browser, perhaps, that was made to send commands to a server
   * which only the browser can reach. It gets no reply.
   */
  static ProtocolFault http() {
    return new ProtocolFault("HTTP", true);
  }

  /** Whether the client is told nothing. */
  boolean silent() {
    return silent;
  }
}
