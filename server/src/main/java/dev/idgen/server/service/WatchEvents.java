package dev.idgen.server.service;

/** What happens while tags are followed, for logs. Must not block. */
public interface WatchEvents {

  /** The store did not answer, or what it said could not be taken over; it is asked again. */
  void readFailed(String why);

  /**
   * Another store answers, or the same one has lost writes: everything is read again.
   *
   * @param before its identity, and the revision that was known
   * @param now its identity, and its last revision
   */
  void storeChanged(String before, String now);
}
