package dev.idgen.store;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * What is kept for one idempotency key. Counts as absent from its end on, whether or not somebody
 * has deleted it. A value.
 *
 * @param fingerprint of the request that was begun
 * @param attempt names the attempt that works on it, or has done it
 * @param expiresMillis its end, in milliseconds since 1970, by the store's clock
 * @param keepMs how long the reply is kept, from when it was stored
 * @param reply one line of text, at most {@link #MAX_REPLY_BYTES} in UTF-8; null: in flight
 */
public record IdempotencyRow(
    String fingerprint, long attempt, long expiresMillis, long keepMs, @Nullable String reply) {

  /**
   * The most bytes of a reply, in UTF-8: etcd takes no larger request than 1.5 MiB, with all that
   * is around the reply.
   */
  public static final int MAX_REPLY_BYTES = 1 << 20;

  /** Refuses a reply that some store could not keep. */
  public IdempotencyRow {
    if (reply != null) {
      requireReply(reply);
    }
  }

  /**
   * Refuses a reply that some store could not keep.
   *
   * @throws IllegalArgumentException it is too long, or no line of text
   */
  public static void requireReply(String reply) {
    if (!StandardCharsets.UTF_8.newEncoder().canEncode(reply)) {
      throw new IllegalArgumentException(
          "reply: half a character (expected: text that UTF-8 can carry)");
    }
    int bytes = reply.getBytes(StandardCharsets.UTF_8).length;
    if (bytes > MAX_REPLY_BYTES) {
      throw new IllegalArgumentException(
          "reply: " + bytes + " bytes (expected: at most " + MAX_REPLY_BYTES + ")");
    }
    for (int i = 0; i < reply.length(); i++) {
      if (reply.charAt(i) < ' ' || reply.charAt(i) == 0x7f) {
        throw new IllegalArgumentException(
            "reply: a control character at " + i + " (expected: a line of text)");
      }
    }
  }

  /** Whether its end has come. */
  public boolean expired(long nowMillis) {
    return nowMillis >= expiresMillis;
  }

  /** The same with the attempt's reply. */
  IdempotencyRow finished(String text, long nowMillis) {
    return new IdempotencyRow(fingerprint, attempt, nowMillis + keepMs, keepMs, text);
  }
}
