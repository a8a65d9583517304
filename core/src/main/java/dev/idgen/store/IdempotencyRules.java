package dev.idgen.store;

/**
 * Decides every operation on an idempotency key: pure functions from what was read to what is
 * answered and written. Drivers ask them within one transaction.
 *
 * <p>Of all attempts under one key, one at a time holds the entry, by its token. A caller is
 * answered with ids only after the reply was stored under that token: so whatever is lost, late or
 * repeated, one reply goes out under one key. No clock is needed for that: clocks decide only when
 * an entry ends.
 */
public final class IdempotencyRules {
  private IdempotencyRules() {}

  /**
   * Begins an attempt, unless the key is in use.
   *
   * <p>An entry that has expired counts for nothing, and is taken over. An attempt that finds
   * itself had begun before, and nobody heard of it.
   */
  public static IdempotencyDecision<IdempotencyReply> begin(
      IdempotencySnapshot s, IdempotencyRequest r) {
    IdempotencyRow live = s.live();
    if (live != null) {
      return IdempotencyDecision.none(known(live, s.nowMillis(), r));
    }
    long others = s.used() - (s.row() == null ? 0 : 1);
    if (others >= r.maxKeys()) {
      return IdempotencyDecision.none(new IdempotencyReply.Full(r.maxKeys()));
    }
    return IdempotencyDecision.write(
        new IdempotencyReply.Started(),
        new IdempotencyRow(
            r.fingerprint(), r.attempt(), s.nowMillis() + r.inFlightMs(), r.keepMs(), null));
  }

  private static IdempotencyReply known(IdempotencyRow live, long nowMillis, IdempotencyRequest r) {
    if (!live.fingerprint().equals(r.fingerprint())) {
      return new IdempotencyReply.Mismatch();
    }
    String reply = live.reply();
    if (reply != null) {
      return new IdempotencyReply.Done(reply);
    }
    if (live.attempt() == r.attempt()) {
      return new IdempotencyReply.Started();
    }
    // A clock that was set back makes no caller wait for longer than an attempt may take.
    return new IdempotencyReply.InFlight(
        Math.min(live.expiresMillis() - nowMillis, r.inFlightMs()));
  }

  /**
   * Stores the reply of an attempt, if the entry is still its own.
   *
   * <p>One that was stored before is stored: whoever repeats has not heard of it.
   *
   * @param attempt as it was begun
   * @param reply see {@link IdempotencyRow#reply}
   * @throws IllegalArgumentException the reply cannot be kept
   */
  public static IdempotencyDecision<IdempotencyStore.Finish> finish(
      IdempotencySnapshot s, long attempt, String reply) {
    IdempotencyRow live = s.live();
    if (live == null || live.attempt() != attempt) {
      return IdempotencyDecision.none(IdempotencyStore.Finish.LOST);
    }
    if (live.reply() == null) {
      return IdempotencyDecision.write(
          IdempotencyStore.Finish.STORED, live.finished(reply, s.nowMillis()));
    }
    return IdempotencyDecision.none(
        reply.equals(live.reply()) ? IdempotencyStore.Finish.STORED : IdempotencyStore.Finish.LOST);
  }

  /**
   * Gives the entry of an attempt up: nothing came of it, and the next one may begin at once. A
   * reply that was stored stays.
   *
   * @return whether there was an entry of the attempt in flight
   */
  public static IdempotencyDecision<Boolean> abandon(IdempotencySnapshot s, long attempt) {
    IdempotencyRow row = s.row();
    boolean held = row != null && row.attempt() == attempt && row.reply() == null;
    return held ? IdempotencyDecision.write(true, null) : IdempotencyDecision.none(false);
  }
}
