package dev.idgen.store.jdbc;

/**
 * How long a database server is waited for. A value.
 *
 * @param answerMs for a connection, or for an answer
 */
record Patience(long answerMs) {

  /** For a row that another process writes: less than for an answer. */
  long lockMs() {
    return answerMs * 3 / 4;
  }

  /**
   * Between two statements of a transaction, before the server ends it: more than for an answer.
   */
  long idleMs() {
    return answerMs * 5 / 2;
  }
}
