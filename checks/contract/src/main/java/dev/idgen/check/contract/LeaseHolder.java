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
import java.util.concurrent.CompletionStage;

/** A process that claims a worker id and renews it without rest, until somebody kills it. */
final class LeaseHolder {
  static final LeaseTerms TERMS = new LeaseTerms("default", "41/10/12", 3_000, 2_000, 1_000);

  private LeaseHolder() {}

  /**
   * Prints {@code workerId generation from horizon} for each acknowledged write.
   *
   * @param store closed at the end, if there is one
   * @param lastWorkerId highest worker id to claim
   * @param renewals how many; then it waits for the end of its input
   */
  static void hold(WorkerStore store, int lastWorkerId, int renewals) throws IOException {
    Entropy entropy = Entropy.operatingSystem();
    try (store) {
      ClaimRequest claim =
          new ClaimRequest(
              TERMS,
              "holder/" + entropy.nextLong(),
              entropy.nextLong() | 1,
              entropy.nextLong() | 1,
              0,
              lastWorkerId,
              -1,
              TimeSource.system().wallMillis(),
              3_600_000,
              BehindPolicy.REFUSE,
              false);
      WorkerRow row = acknowledged(store.claim(claim));
      for (int i = renewals; i > 0; i--) {
        long fresh = entropy.nextLong() | 1;
        long now = TimeSource.system().wallMillis();
        ExtendRequest extend =
            new ExtendRequest(
                TERMS, row.workerId(), row.generation(), row.token(), 0, fresh, now, now);
        row = acknowledged(store.extend(extend));
      }
      System.in.read();
    }
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
