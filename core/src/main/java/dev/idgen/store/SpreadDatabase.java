package dev.idgen.store;

import dev.idgen.time.TimeSource;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * One of several databases as a process sees it: well, or left alone for a while. It is used only
 * after it has said which of how many it is, and again so after each failure. Thread-safe.
 */
final class SpreadDatabase {
  private static final long REST_NANOS = 500_000_000L;

  private final String namespace;
  private final int number;
  private final SegmentStore store;
  private final Residue residue;
  private final TimeSource time;
  private final SpreadEvents events;

  /** The highest id that it has given to this process, by tag. */
  private final Map<String, Long> marks = new ConcurrentHashMap<>();

  private boolean well; // it has said which one it is, and has not failed since; guarded by this
  private @Nullable CompletableFuture<Boolean> asking; // what comes of the question under way
  private long restedNanos;
  private StoreException problem = StoreException.refused("not asked yet");
  private @Nullable StoreException wrong; // why it is never used
  private String identity = ""; // and fence, as it was last told; empty: never

  SpreadDatabase(
      String namespace,
      int number,
      SegmentStore store,
      Residue residue,
      TimeSource time,
      SpreadEvents events) {
    this.namespace = namespace;
    this.number = number;
    this.store = store;
    this.residue = residue;
    this.time = time;
    this.events = events;
  }

  SegmentStore store() {
    return store;
  }

  /** The same terms with the ids of this database. */
  SegmentTerms termsOf(SegmentTerms terms) {
    return new SegmentTerms(
        terms.namespace(),
        terms.tag(),
        terms.start(),
        terms.maximum(),
        residue.modulus(),
        residue.residue(),
        terms.gap());
  }

  synchronized boolean well() {
    return well;
  }

  /** Why it is not well. */
  synchronized StoreException refusal() {
    StoreException never = wrong;
    return never != null ? never : problem;
  }

  /**
   * Gives ids of a tag, whether it is well or not.
   *
   * @param above the caller knows of ids up to this one
   */
  CompletionStage<SegmentReply> allocate(SegmentRequest request, long above) {
    SegmentTerms terms = termsOf(request.terms());
    long mark = marks.getOrDefault(terms.tag(), -1L);
    return attempt(() -> store.allocate(new SegmentRequest(terms, request.count(), mark, above)))
        .whenComplete(
            (reply, failure) -> {
              if (failure != null) {
                allocateFailed(failure);
              } else if (reply instanceof SegmentReply.Granted granted) {
                gave(terms.tag(), granted);
              }
            });
  }

  private void gave(String tag, SegmentReply.Granted granted) {
    marks.merge(tag, granted.lastInclusive(), Math::max);
    String now = "identity " + granted.row().identity() + ", fence " + granted.row().fence();
    String before;
    synchronized (this) {
      before = identity;
      identity = now;
    }
    if (!before.isEmpty() && !before.equals(now)) {
      events.identityChanged(number, before, now);
    }
  }

  /** A row that somebody keeps locked is no reason to leave its database for other tags. */
  private void allocateFailed(Throwable failure) {
    StoreException told = StoreException.of(failure);
    if (told.concernsRow()) {
      events.databaseFailed(String.valueOf(told.getMessage()));
    } else {
      failed(told);
    }
  }

  private void failed(StoreException told) {
    synchronized (this) {
      well = false;
      problem = told;
      restedNanos = time.monotonicNanos() + REST_NANOS;
    }
    events.databaseFailed(String.valueOf(told.getMessage()));
  }

  /**
   * It has not answered for longer than another one took: nobody begins with it until it has said
   * again which one it is. Where a single row is locked that is at once; where it hangs, never.
   */
  void doubt(long patienceNanos) {
    synchronized (this) {
      if (!well) {
        return;
      }
      well = false;
      problem =
          StoreException.unknown(
              store.kind()
                  + ": no answer within "
                  + patienceNanos / 1_000_000
                  + " ms (expected: one, as from another database)");
    }
    var unused = askAtOnce();
  }

  // ---- which one it is

  /** Asks which one it is, unless somebody does, or nobody needs to know. */
  CompletionStage<Boolean> askAtOnce() {
    CompletableFuture<Boolean> question;
    synchronized (this) {
      if (well || wrong != null) {
        return CompletableFuture.completedFuture(well);
      }
      if (asking != null) {
        return asking;
      }
      question = new CompletableFuture<>();
      asking = question;
    }
    var unused =
        attempt(() -> store.residue(namespace, residue))
            .whenComplete((answer, failure) -> question.complete(answered(answer, failure)));
    return question;
  }

  /** The same, if it has rested and nobody asks: who allocates waits for no question of others. */
  CompletionStage<Boolean> ask() {
    synchronized (this) {
      if (asking != null || time.monotonicNanos() - restedNanos < 0) {
        return CompletableFuture.completedFuture(well);
      }
    }
    return askAtOnce();
  }

  private boolean answered(@Nullable Residue answer, @Nullable Throwable failure) {
    StoreException never = null;
    synchronized (this) {
      asking = null;
      well = residue.equals(answer);
      if (answer != null && !well) {
        never = isAnother(answer);
        wrong = never;
      }
    }
    if (failure != null) {
      failed(StoreException.of(failure));
    } else if (never != null) {
      events.databaseFailed(String.valueOf(never.getMessage()));
    }
    return well();
  }

  private StoreException isAnother(Residue answer) {
    return StoreException.permanent(
        store.kind()
            + ": namespace "
            + namespace
            + ": this database is "
            + answer
            + " (expected: "
            + residue
            + "; changed only while no server runs, after all marks were raised to the highest)",
        null);
  }

  // ---- changes of administrators

  interface Change {
    CompletionStage<SegmentReply> in(SegmentStore store, SegmentTerms own);
  }

  /** Only where it has said which one it is: a mark that comes before that would say so for it. */
  CompletionStage<SegmentReply> change(SegmentTerms terms, Change change) {
    return askAtOnce()
        .thenCompose(
            isWell ->
                isWell
                    ? attempt(() -> change.in(store, termsOf(terms)))
                    : CompletableFuture.failedFuture(refusal()));
  }

  // ---- calls that fail in one way only

  interface Call<T> {
    CompletionStage<T> begin();
  }

  static <T extends @Nullable Object> CompletionStage<T> attempt(Call<T> call) {
    try {
      return call.begin();
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }
}
