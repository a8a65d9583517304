package dev.idgen.store;

import dev.idgen.time.Scheduler;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * One allocation over several databases: at the first one that is well, at the next one as soon as
 * that fails, and beside it when it does not answer. None is tried twice. The first answer counts;
 * what a later one gives becomes a gap. Thread-safe.
 */
final class SpreadAllocation {
  private final List<SpreadDatabase> databases;
  private final int first;
  private final long patienceNanos;
  private final Scheduler scheduler;
  private final IntFunction<CompletionStage<SegmentReply>> at;
  private final CompletableFuture<SegmentReply> result = new CompletableFuture<>();

  // All below: guarded by this.
  private final boolean[] tried;
  private final List<Integer> awaited = new ArrayList<>(1); // seldom more
  private int looked; // how many were looked at, in turn
  private int questions; // under way: which one a database is
  private boolean impatient; // one more may be tried beside those that are awaited
  private @Nullable StoreException failure;

  /**
   * An allocation that is not begun.
   *
   * @param first the database to look at first; the others follow in turn
   * @param patienceNanos after this long without an answer the next one is tried beside
   * @param at allocates at a database that is well, by its index
   */
  SpreadAllocation(
      List<SpreadDatabase> databases,
      int first,
      long patienceNanos,
      Scheduler scheduler,
      IntFunction<CompletionStage<SegmentReply>> at) {
    this.databases = databases;
    this.first = first;
    this.patienceNanos = patienceNanos;
    this.scheduler = scheduler;
    this.at = at;
    this.tried = new boolean[databases.size()];
  }

  CompletionStage<SegmentReply> begin() {
    goOn();
    return result;
  }

  /** To the next database that is well. Those that are not are asked which they are, beside. */
  private void goOn() {
    for (int next = look(); next >= 0; next = look()) {
      if (databases.get(next).well() && reserve(next)) {
        allocate(next);
        return;
      }
      ask(next);
    }
    settle();
  }

  /** Who was not well when it was looked at may be by now, or will say so. */
  private void goOnBeside() {
    synchronized (this) {
      impatient = true;
    }
    goOn();
    for (int index : untried()) {
      ask(index);
    }
  }

  /** Those that have no call of this allocation, once all were looked at. */
  private synchronized List<Integer> untried() {
    List<Integer> none = new ArrayList<>();
    for (int i = 0; i < tried.length; i++) {
      if (!tried[i] && looked == tried.length && impatient) {
        none.add(i);
      }
    }
    return none;
  }

  private synchronized int look() {
    return looked == databases.size() ? -1 : (first + looked++) % databases.size();
  }

  private synchronized boolean reserve(int index) {
    if (tried[index]) {
      return false;
    }
    tried[index] = true;
    awaited.add(index);
    impatient = false;
    return true;
  }

  private void ask(int index) {
    synchronized (this) {
      questions++;
    }
    var unused =
        databases
            .get(index)
            .ask()
            .whenComplete(
                (well, never) -> {
                  synchronized (this) {
                    questions--;
                  }
                  settle();
                });
  }

  private void allocate(int index) {
    Scheduler.Timer patience =
        hasMore() ? scheduler.schedule(patienceNanos, this::goOnBeside) : SpreadAllocation::nothing;
    var unused =
        at.apply(index)
            .whenComplete(
                (reply, why) -> {
                  patience.cancel();
                  if (why == null) {
                    answered(index, reply);
                  } else {
                    failed(index, StoreException.of(why));
                  }
                });
  }

  private synchronized boolean hasMore() {
    for (boolean one : tried) {
      if (!one) {
        return true;
      }
    }
    return false;
  }

  private static void nothing() {}

  private void answered(int index, SegmentReply reply) {
    List<Integer> slower;
    synchronized (this) {
      awaited.remove((Integer) index);
      slower = List.copyOf(awaited);
    }
    if (result.complete(reply)) {
      slower.forEach(other -> databases.get(other).doubt(patienceNanos));
    }
  }

  private void failed(int index, StoreException why) {
    synchronized (this) {
      awaited.remove((Integer) index);
      failure = why;
    }
    if (!result.isDone()) {
      goOn();
    }
  }

  /** All were looked at: one may have turned out well by now, also by a question of another tag. */
  private void settle() {
    int well = -1;
    StoreException why;
    synchronized (this) {
      boolean waits = !awaited.isEmpty();
      if (result.isDone() || looked < databases.size() || (waits && !impatient)) {
        return;
      }
      for (int i = 0; i < tried.length && well < 0; i++) {
        int index = (first + i) % tried.length;
        if (!tried[index] && databases.get(index).well()) {
          well = index;
          tried[index] = true;
          awaited.add(index);
          impatient = false;
        }
      }
      if (well < 0 && (questions > 0 || waits)) {
        return;
      }
      why = failure;
    }
    if (well >= 0) {
      allocate(well);
    } else {
      result.completeExceptionally(why == null ? databases.get(first).refusal() : why);
    }
  }
}
