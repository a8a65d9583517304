package dev.idgen.store;

/** A store's answer about one worker id, or about a fence. */
public sealed interface LeaseReply {

  /** The store's clock when it decided, in milliseconds since 1970. */
  long storeMillis();

  /** Which store answered. */
  String identity();

  /**
   * The lease stands as the row says.
   *
   * @param row after the write; its horizon alone counts
   * @param storeMillis the store's clock
   * @param identity which store answered
   */
  record Granted(WorkerRow row, long storeMillis, String identity) implements LeaseReply {}

  /**
   * No, and nothing was written for the caller.
   *
   * @param reason which kind of no
   * @param message name, value, expected
   * @param retryAfterMs when another attempt makes sense; 0 if unknown
   * @param storeMillis the store's clock
   * @param identity which store answered
   */
  record Refused(
      Refusal reason, String message, long retryAfterMs, long storeMillis, String identity)
      implements LeaseReply {}

  /**
   * The fence stands: claims rest until the floor.
   *
   * @param namespace after the write
   * @param storeMillis the store's clock
   * @param identity which store answered
   */
  record Fenced(NamespaceRow namespace, long storeMillis, String identity) implements LeaseReply {}
}
