package dev.idgen.server.resp;

import org.jspecify.annotations.Nullable;

/** A reply that waits for its ids, or for those before it. */
final class Owed {
  /** Whether it was asked for in RESP3. */
  final boolean resp3;

  /** Whether it is a list, which may take much room once it is written. */
  final boolean list;

  /** How much it holds already. */
  final int bytes;

  /** Bytes of texts that wait to be sent, counted among those that are not fetched. */
  int counted;

  /** Set once, by whoever has the ids; null: they are not there. */
  volatile @Nullable Reply reply;

  private Owed(boolean resp3, boolean list, int bytes, @Nullable Reply reply) {
    this.resp3 = resp3;
    this.list = list;
    this.bytes = bytes;
    this.reply = reply;
  }

  /** One that is known, and waits for those before it. */
  static Owed known(boolean resp3, Reply reply, int bytes) {
    return new Owed(resp3, false, bytes, reply);
  }

  /** One whose ids are not there yet. */
  static Owed later(boolean resp3, boolean list) {
    return new Owed(resp3, list, 0, null);
  }
}
