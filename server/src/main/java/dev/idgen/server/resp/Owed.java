package dev.idgen.server.resp;

import org.jspecify.annotations.Nullable;

/** A reply that waits for its ids, or for those before it. */
final class Owed {
  final boolean resp3;

  /** Texts that it holds already; numbers are held as runs, and take next to no room. */
  final int texts;

  /** Set once, by whoever has the ids; null: they are not there. */
  volatile @Nullable Reply reply;

  Owed(boolean resp3, @Nullable Reply reply, int texts) {
    this.resp3 = resp3;
    this.reply = reply;
    this.texts = texts;
  }
}
