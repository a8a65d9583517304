package dev.idgen.check.contract;

import dev.idgen.entropy.Entropy;
import dev.idgen.store.BehindPolicy;
import dev.idgen.store.ClaimRequest;
import dev.idgen.store.ExtendRequest;
import dev.idgen.store.LeaseReply;
import dev.idgen.store.LeaseTerms;
import dev.idgen.store.WorkerRow;
import dev.idgen.store.WorkerStore;
import dev.idgen.time.TimeSource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** A process that claims a worker id and renews it without rest, until somebody kills it. */
final class LeaseHolder {
  static final LeaseTerms TERMS = new LeaseTerms("default", "41/10/12", 3_000, 2_000, 1_000);

  private static final Entropy ENTROPY = Entropy.operatingSystem();

  private LeaseHolder() {}

  /**
   * Prints {@code workerId generation from horizon} for each acknowledged write.
   *
   * @param store closed at the end, if there is one
   * @param lastWorkerId highest worker id to claim
   * @param renewals how many; then it waits for the end of its input
   */
  static void hold(WorkerStore store, int lastWorkerId, int renewals) throws IOException {
    try (store) {
      WorkerRow row = acknowledged(store.claim(claim(lastWorkerId)));
      for (int i = renewals; i > 0; i--) {
        long fresh = ENTROPY.nextLong() | 1;
        long now = TimeSource.system().wallMillis();
        ExtendRequest extend =
            new ExtendRequest(
                TERMS, row.workerId(), row.generation(), row.token(), 0, fresh, now, now);
        row = acknowledged(store.extend(extend));
      }
      System.in.read();
    }
  }

  /**
   * Claims for several owners of one process, all new and all at once, and holds what they get.
   *
   * @param store closed at the end, if there is one
   * @param lastWorkerId highest worker id to claim
   * @param owners how many
   */
  static void holdMany(WorkerStore store, int lastWorkerId, int owners) throws IOException {
    try (store) {
      List<CompletionStage<LeaseReply>> claims = new ArrayList<>();
      for (int i = 0; i < owners; i++) {
        claims.add(store.claim(claim(lastWorkerId)));
      }
      for (CompletionStage<LeaseReply> each : claims) {
        acknowledged(each);
      }
      System.in.read();
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

  private static WorkerRow acknowledged(CompletionStage<LeaseReply> stage) {
    LeaseReply reply = stage.toCompletableFuture().join();
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
