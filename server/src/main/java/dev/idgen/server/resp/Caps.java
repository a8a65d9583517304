package dev.idgen.server.resp;

/**
 * How large one command may be.
 *
 * @param maxArguments its name included
 * @param maxBytes all of it, 1024 or more
 */
record Caps(int maxArguments, int maxBytes) {
  /** Most arguments of any command. */
  static final int MAX_ARGUMENTS = 1024;

  private static final int ARGUMENTS_BEFORE_AUTH = 10;
  private static final int BYTES_BEFORE_AUTH = 8 << 10;

  /** Before it is known who sends: enough to say so. */
  static Caps beforeAuth(RespLimits limits) {
    return new Caps(ARGUMENTS_BEFORE_AUTH, Math.min(BYTES_BEFORE_AUTH, limits.maxRequestBytes()));
  }

  /** Of callers who are known. */
  static Caps of(RespLimits limits) {
    return new Caps(MAX_ARGUMENTS, limits.maxRequestBytes());
  }
}
