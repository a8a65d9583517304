package dev.idgen.store;

import dev.idgen.ExhaustedException;
import dev.idgen.IdException;
import dev.idgen.Reason;
import dev.idgen.time.Scheduler;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** One call to a {@link SegmentStore}, as engines make it: with a limit in time. */
public final class SegmentCall {
  private static final long NANOS = 1_000_000;

  private SegmentCall() {}

  /**
   * What comes of a call. Told once, and once more when an answer comes after the limit. Called
   * without a lock, by the thread of the store, of the timer, or of the caller.
   */
  public interface Answer {

    /** The store gave ids. */
    void granted(SegmentReply.Granted granted);

    /** The store says that there are none. */
    void refused(IdException refusal);

    /** Nobody knows whether it gave any. */
    void failed(StoreException why);
  }

  /**
   * Asks for ids.
   *
   * @param limitMs after which the call has failed, 1 or more
   * @param scheduler runs the limit
   */
  public static void allocate(
      SegmentStore store,
      SegmentRequest request,
      long limitMs,
      Scheduler scheduler,
      Answer answer) {
    Scheduler.Timer limit =
        scheduler.schedule(
            limitMs * NANOS,
            () -> answer.failed(StoreException.unknown("no answer within " + limitMs + " ms")));
    CompletionStage<SegmentReply> reply;
    try {
      reply = store.allocate(request);
    } catch (RuntimeException e) {
      reply = CompletableFuture.failedFuture(e);
    }
    var unused =
        reply.whenComplete(
            (told, failure) -> {
              limit.cancel();
              if (failure != null) {
                answer.failed(StoreException.of(failure));
              } else if (told instanceof SegmentReply.Granted granted) {
                answer.granted(granted);
              } else if (told instanceof SegmentReply.Refused refused) {
                answer.refused(refusal(refused));
              } else {
                answer.failed(StoreException.unknown("unexpected answer: " + told));
              }
            });
  }

  private static IdException refusal(SegmentReply.Refused refused) {
    return refused.reason() == SegmentReply.Reason.EXHAUSTED
        ? new ExhaustedException(refused.message())
        : new IdException(Reason.UNKNOWN_TAG, refused.message(), 0);
  }
}
