package dev.idgen.server.resp;

import dev.idgen.server.service.ServiceException;

/** What one command is answered. */
@FunctionalInterface
interface Reply {
  /** Done. */
  Reply OK = out -> out.simple("OK");

  /** Writes all of it. */
  void write(Writer out);

  /** A refusal. */
  static Reply refusal(ServiceException refusal) {
    return out -> out.error(refusal);
  }

  /** An error of this protocol alone. */
  static Reply error(String word, String detail) {
    return out -> out.error(word, detail);
  }
}
