package dev.idgen.check.contract;

import dev.idgen.entropy.Entropy;
import dev.idgen.store.BehindPolicy;
import dev.idgen.store.ClaimRequest;
import dev.idgen.store.ExtendRequest;
import dev.idgen.store.LeaseReply;
import dev.idgen.store.LeaseTerms;
import dev.idgen.store.Refusal;
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
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * A process that claims a worker id and renews it without rest, until somebody kills it. What the
 * store refuses, because others keep it busy, was not done, and is asked for again, as a server
 * does. In a store that machines share it waits for worker ids whose owners have not ended yet, and
 * renews what it has for as long as it lives.
 */
final class LeaseHolder {
  static final LeaseTerms TERMS = new LeaseTerms("default", "41/10/12", 3_000, 2_000, 1_000);

  private static final int TRIES = 30;
  private static final long RENEW_NANOS = 500_000_000;
  private static final long AGAIN_NANOS = 50_000_000;
  private static final long PATIENCE_NANOS = 60_000_000_000L;
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
      WorkerRow row = claimed(store, claim, () -> store.claim(claim));
      for (int i = renewals; i > 0; i--) {
        row = told(extended(store, row));
      }
      keep(store, List.of(row));
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
      List<ClaimRequest> requests = new ArrayList<>();
      for (int i = 0; i < owners; i++) {
        requests.add(claim(lastWorkerId));
        claims.add(begun(store, requests.get(i)));
      }
      List<WorkerRow> rows = new ArrayList<>();
      for (int i = 0; i < owners; i++) {
        rows.add(claimed(store, requests.get(i), claims.get(i)));
      }
      keep(store, rows);
    }
  }

  /** Makes the namespace of a shared store by a claim that swears that it is new. */
  static void begin(WorkerStore store, int workerId) {
    ClaimRequest r = claim(workerId, workerId, true);
    WorkerRow unused = row(joined(store.claim(r)));
  }

  /** Renews, where nobody can tell that this process lives, until the end of the input. */
  private static void keep(WorkerStore store, List<WorkerRow> rows) throws IOException {
    if (!store.embedded()) {
      Thread renewing = new Thread(() -> renew(store, new ArrayList<>(rows)), "renewing");
      renewing.setDaemon(true);
      renewing.start();
    }
    System.in.read();
  }

  private static void renew(WorkerStore store, List<WorkerRow> rows) {
    while (true) {
      for (int i = 0; i < rows.size(); i++) {
        rows.set(i, extended(store, rows.get(i)));
      }
      LockSupport.parkNanos(RENEW_NANOS);
    }
  }

  /** A claim that is made again while all worker ids are held by others. */
  private static WorkerRow claimed(
      WorkerStore store, ClaimRequest r, Supplier<CompletionStage<LeaseReply>> first) {
    Deque<Supplier<CompletionStage<LeaseReply>>> once = new ArrayDeque<>(List.of(first));
    return told(
        awaited(store, () -> once.isEmpty() ? store.claim(r.at(now())) : once.remove().get()));
  }

  private static WorkerRow extended(WorkerStore store, WorkerRow row) {
    long fresh = ENTROPY.nextLong() | 1;
    return awaited(
        store,
        () ->
            store.extend(
                new ExtendRequest(
                    TERMS, row.workerId(), row.generation(), row.token(), 0, fresh, now(), now())));
  }

  /** Asks again, where machines share a store, while what it refuses may pass. */
  private static WorkerRow awaited(
      WorkerStore store, Supplier<CompletionStage<LeaseReply>> asking) {
    long begun = System.nanoTime();
    LeaseReply reply = insistently(() -> joined(asking.get()));
    while (!store.embedded() && mayPass(reply) && System.nanoTime() - begun < PATIENCE_NANOS) {
      LockSupport.parkNanos(AGAIN_NANOS);
      reply = insistently(() -> joined(asking.get()));
    }
    return row(reply);
  }

  /** A request that has waited for its turn tells of a clock that seems to be slow. */
  private static boolean mayPass(LeaseReply reply) {
    return reply instanceof LeaseReply.Refused refused
        && Set.of(Refusal.EXHAUSTED, Refusal.HELD, Refusal.CLOCK_SKEW).contains(refused.reason());
  }

  private static long now() {
    return TimeSource.system().wallMillis();
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
    return claim(0, lastWorkerId, false);
  }

  private static ClaimRequest claim(int first, int last, boolean isNew) {
    return new ClaimRequest(
        TERMS,
        "holder/" + ENTROPY.nextLong(),
        ENTROPY.nextLong() | 1,
        ENTROPY.nextLong() | 1,
        first,
        last,
        -1,
        now(),
        3_600_000,
        BehindPolicy.REFUSE,
        isNew);
  }

  private static WorkerRow row(LeaseReply reply) {
    if (!(reply instanceof LeaseReply.Granted granted)) {
      throw new IllegalStateException(reply + " (expected: granted)");
    }
    return granted.row();
  }

  private static WorkerRow told(WorkerRow row) {
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
