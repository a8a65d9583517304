package dev.idgen.server.service;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The bytes that have arrived of requests which are not whole, of all transports: who holds some
 * counts them here, and gives them back. Thread-safe.
 */
public final class UnreadBytes {
  private static final long RETRY_SOON_MS = 1000;

  private final long most;
  private final AtomicLong held = new AtomicLong();

  UnreadBytes(long most) {
    this.most = most;
  }

  /**
   * Counts some.
   *
   * @param bytes less than 0: they are held no longer
   */
  public void add(int bytes) {
    if (bytes != 0) {
      held.addAndGet(bytes);
    }
  }

  /** Whether more are held than may be: requests that are not whole are to be refused. */
  public boolean isOver() {
    return held.get() > most;
  }

  /** How many are held. */
  public long held() {
    return held.get();
  }

  /** What those are told whose requests are not whole. */
  public ServiceException refusal() {
    return new ServiceException(
        ServiceReason.OVERLOADED,
        "requests that are not whole: more than "
            + most
            + " bytes (expected: clients that send what they have begun)",
        RETRY_SOON_MS);
  }
}
