package dev.idgen.server.resp;

import dev.idgen.server.service.Issued;
import java.util.concurrent.CompletionStage;

/** Where the replies of one connection go, in the order of its commands. */
interface Answers {

  /** A short reply that is known. */
  void now(Reply reply);

  /**
   * A reply that is known.
   *
   * @param bytes that it holds
   */
  void now(Reply reply, int bytes);

  /** Ids, which may come later. */
  void issued(CompletionStage<Issued> ids, Encoder encoder);

  /** A reply after which the connection ends. */
  void last(Reply reply);
}
