package dev.idgen.segment;

import dev.idgen.IdBatch;
import dev.idgen.IdException;
import dev.idgen.IdRun;
import dev.idgen.time.Scheduler;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A take that the present segment could not end. Guarded by the {@link Stock} it waits for. */
final class Waiter {
  final CompletableFuture<IdBatch> result = new CompletableFuture<>();
  final boolean whole; // its ids have to follow one another
  private final List<IdRun> runs;
  private long wanted;
  Scheduler.@Nullable Timer deadline;

  private Waiter(List<IdRun> had, long wanted, boolean whole) {
    this.runs = had;
    this.wanted = wanted;
    this.whole = whole;
  }

  /**
   * For what is missing.
   *
   * @param had ids that it has, which may be dropped again
   * @param count ids that it is to have
   */
  static Waiter forRest(List<IdRun> had, long count) {
    long got = 0;
    for (IdRun run : had) {
      got += run.count();
    }
    return new Waiter(had, count - got, false);
  }

  /** For ids that follow one another. */
  static Waiter forWhole(int count) {
    return new Waiter(new ArrayList<>(1), count, true);
  }

  /** How many ids it waits for; 0: it has them all. */
  long wanted() {
    return wanted;
  }

  /** How many ids a segment must have left to be of use to it. */
  long least() {
    return whole ? wanted : 1;
  }

  void takeFrom(Segment s) {
    if (whole) {
      takeWholeFrom(s);
    } else {
      takeRestFrom(s);
    }
  }

  private void takeWholeFrom(Segment s) {
    long at = s.takeWhole(wanted);
    if (at >= 0) {
      runs.add(new IdRun(s.id(at), (int) wanted, s.stride));
      wanted = 0;
    }
  }

  private void takeRestFrom(Segment s) {
    while (wanted > 0) {
      long n = Math.min(wanted, Integer.MAX_VALUE);
      long at = s.take(n);
      if (at >= s.count) {
        return;
      }
      int got = (int) Math.min(n, s.count - at);
      runs.add(new IdRun(s.id(at), got, s.stride));
      wanted -= got;
    }
  }

  /** Wants others for those that it has below a floor. */
  long dropBelow(long floor) {
    long dropped = 0;
    while (!runs.isEmpty() && runs.get(0).first() < floor) {
      IdRun run = runs.get(0);
      long below = Segment.offsetOf(floor, run.first(), run.stride());
      if (below < run.count()) {
        int left = (int) (run.count() - below);
        runs.set(0, new IdRun(run.get((int) below), left, run.stride()));
      } else {
        below = run.count();
        runs.remove(0);
      }
      dropped += below;
    }
    wanted += dropped;
    return dropped;
  }

  /** Gives it what it has. Without a lock: whoever hears of it may call in again. */
  void complete() {
    cancelDeadline();
    result.complete(new IdBatch(runs));
  }

  /** Refuses it; what it has becomes a gap. Without a lock, as above. */
  void refuse(IdException refusal) {
    cancelDeadline();
    result.completeExceptionally(refusal);
  }

  private void cancelDeadline() {
    Scheduler.Timer timer = deadline;
    if (timer != null) {
      timer.cancel();
    }
  }
}
