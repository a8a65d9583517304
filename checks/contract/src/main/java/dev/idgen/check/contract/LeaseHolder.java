package dev.idgen.check.contract;

import dev.idgen.entropy.Entropy;
import dev.idgen.store.BehindPolicy;
import dev.idgen.store.ClaimRequest;
import dev.idgen.store.ExtendRequest;
import dev.idgen.store.LeaseReply;
import dev.idgen.store.LeaseTerms;
import dev.idgen.store.StoreException;
import dev.idgen.store.WorkerRow;
import dev.idgen.store.WorkerStore;
import dev.idgen.time.TimeSource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * A process that claims a worker id and renews it without rest, until somebody kills it. What the
 * store refuses, because others keep it busy, was not done, and is asked for again, as a server
 * does.
 */
final class LeaseHolder {
  static final LeaseTerms TERMS = new LeaseTerms("default", "41/10/12", 3_000, 2_000, 1_000);

  private static final int TRIES = 30;
  private static final Entropy ENTROPY = Entropy.operatingSystem();

  private LeaseHolder() {}

  /**
   * Prints {@code workerId generation from horizon} for each acknowledged write.
   *
   * @param opening gives the store, which is closed at the end, if there is one
   * @param lastWorkerId highest worker id to claim
   * @param renewals how many; then it waits for the end of its input
   */
  static void hold(Supplier<WorkerStore> opening, int lastWorkerId, int renewals)
      throws IOException {
    try (WorkerStore store = insistently(opening)) {
      ClaimRequest claim = claim(lastWorkerId);
      WorkerRow row = acknowledged(() -> store.claim(claim));
      for (int i = renewals; i > 0; i--) {
        long fresh = ENTROPY.nextLong() | 1;
        long now = TimeSource.system().wallMillis();
        ExtendRequest extend =
            new ExtendRequest(
                TERMS, row.workerId(), row.generation(), row.token(), 0, fresh, now, now);
        row = acknowledged(() -> store.extend(extend));
      }
      System.in.read();
    }
  }

  /**
   * Claims for several owners of one process, all new and all at once, and holds what they get.
   *
   * @param opening gives the store, which is closed at the end, if there is one
   * @param lastWorkerId highest worker id to claim
   * @param owners how many
   */
  static void holdMany(Supplier<WorkerStore> opening, int lastWorkerId, int owners)
      throws IOException {
    try (WorkerStore store = insistently(opening)) {
      List<Supplier<CompletionStage<LeaseReply>>> claims = new ArrayList<>();
      for (int i = 0; i < owners; i++) {
        claims.add(begun(store, claim(lastWorkerId)));
      }
      for (Supplier<CompletionStage<LeaseReply>> each : claims) {
        acknowledged(each);
      }
      System.in.read();
    }
  }

  /** A claim that has begun; from the second call on, the same once more. */
  private static Supplier<CompletionStage<LeaseReply>> begun(WorkerStore store, ClaimRequest r) {
    Deque<CompletionStage<LeaseReply>> first = new ArrayDeque<>(List.of(store.claim(r)));
    return () -> first.isEmpty() ? store.claim(r) : first.remove();
  }

  private static <T> T insistently(Supplier<T> action) {
    for (int i = 1; i < TRIES; i++) {
      try {
        return action.get();
      } catch (StoreException e) {
        if (e.outcomeUnknown()) {
          throw e;
        }
      }
    }
    return action.get();
  }

  private static LeaseReply joined(CompletionStage<LeaseReply> stage) {
    try {
      return stage.toCompletableFuture().join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof StoreException cause ? cause : e;
    }
  }

  private static ClaimRequest claim(int lastWorkerId) {
    return new ClaimRequest(
        TERMS,
        "holder/" + ENTROPY.nextLong(),
        ENTROPY.nextLong() | 1,
        ENTROPY.nextLong() | 1,
        0,
        lastWorkerId,
        -1,
        TimeSource.system().wallMillis(),
        3_600_000,
        BehindPolicy.REFUSE,
        false);
  }

  private static WorkerRow acknowledged(Supplier<CompletionStage<LeaseReply>> asking) {
    LeaseReply reply = insistently(() -> joined(asking.get()));
    if (!(reply instanceof LeaseReply.Granted granted)) {
      throw new IllegalStateException(reply + " (expected: granted)");
    }
    WorkerRow row = granted.row();
    byte[] line =
        (row.workerId()
                + " "
                + row.generation()
                + " "
                + row.fromMillis()
                + " "
                + row.horizonMillis()
                + "\n")
            .getBytes(StandardCharsets.US_ASCII);
    System.out.write(line, 0, line.length);
    System.out.flush();
    return row;
  }
}
