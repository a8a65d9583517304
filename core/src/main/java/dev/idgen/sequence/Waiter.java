package dev.idgen.sequence;

import dev.idgen.IdBatch;
import dev.idgen.IdException;
import dev.idgen.IdRun;
import dev.idgen.time.Scheduler;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One caller of a sequence engine. Its fields are guarded by the engine; it ends once. */
final class Waiter {
  final CompletableFuture<IdBatch> result = new CompletableFuture<>();
  final int count;

  /** Whether it was answered, or is about to be: nobody else may. */
  boolean ended;

  /** What it is told, once it has ended: ids, or why there are none. */
  @Nullable IdRun run;

  @Nullable IdException refusal;

  Scheduler.@Nullable Timer deadline;

  Waiter(int count) {
    this.count = count;
  }

  /** Answers. Outside of all locks: callers go on from here. */
  void tell() {
    Scheduler.Timer timer = deadline;
    if (timer != null) {
      timer.cancel();
    }
    IdRun given = run;
    if (given != null) {
      result.complete(new IdBatch(List.of(given)));
    } else if (refusal != null) {
      result.completeExceptionally(refusal);
    } else {
      throw new IllegalStateException("waiter: neither ids nor a refusal (expected: one)");
    }
  }
}
