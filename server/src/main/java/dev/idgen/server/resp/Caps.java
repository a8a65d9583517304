package dev.idgen.server.resp;

/**
 * How large one command may be.
 *
 * @param maxArguments its name included
 * @param maxBytes all of it, 1024 or more
 */
record Caps(int maxArguments, int maxBytes) {
  /** Before it is known who sends: enough to say so. */
  static final Caps BEFORE_AUTH = new Caps(10, 8 << 10);

  /** Most arguments of any command. */
  static final int MAX_ARGUMENTS = 1024;

  /** Of callers who are known. */
  static Caps of(RespLimits limits) {
    return new Caps(MAX_ARGUMENTS, limits.maxRequestBytes());
  }
}
