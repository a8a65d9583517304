package dev.idgen.check.contract;

import dev.idgen.store.ClaimRequest;
import dev.idgen.store.ExtendRequest;
import dev.idgen.store.LeaseReply;
import dev.idgen.store.LeaseTerms;
import dev.idgen.store.ReleaseRequest;
import dev.idgen.store.StoreException;
import dev.idgen.store.WorkerStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * A store behind a bad network: requests get lost, replies get lost after the request was applied,
 * and requests arrive long after their caller gave up. Whoever asks learns only that the outcome is
 * unknown. Replays from its seed. Thread-safe.
 */
public final class LossyWorkerStore implements WorkerStore {
  private static final int PERCENT = 100;
  private static final int MAX_LATE = 10_000;

  private final WorkerStore store;
  private final Faults faults;
  private final Random random;
  private final List<Supplier<CompletionStage<LeaseReply>>> late = new ArrayList<>();

  /**
   * How often something goes wrong, each in per cent of all writing operations.
   *
   * @param requestLost never arrives
   * @param replyLost is applied, and nobody hears of it
   * @param requestLate arrives when {@link #deliverLate} is called
   */
  public record Faults(int requestLost, int replyLost, int requestLate) {
    /** Refuses more than everything. */
    public Faults {
      int sum = requestLost + replyLost + requestLate;
      if (requestLost < 0 || replyLost < 0 || requestLate < 0 || sum > PERCENT) {
        throw new IllegalArgumentException("faults: " + sum + " (expected: 0..100)");
      }
    }
  }

  /**
   * Puts a bad network before a store.
   *
   * @param store closed with this one
   * @param faults how often
   * @param seed which ones
   */
  public LossyWorkerStore(WorkerStore store, Faults faults, long seed) {
    this.store = store;
    this.faults = faults;
    this.random = new Random(seed);
  }

  /** Lets every late request arrive now, the latest first. Their answers reach nobody. */
  public void deliverLate() {
    List<Supplier<CompletionStage<LeaseReply>>> arriving;
    synchronized (this) {
      arriving = new ArrayList<>(late);
      late.clear();
    }
    for (int i = arriving.size() - 1; i >= 0; i--) {
      var unused = arriving.get(i).get().toCompletableFuture().join();
    }
  }

  @Override
  public String kind() {
    return store.kind();
  }

  @Override
  public boolean embedded() {
    return store.embedded();
  }

  @Override
  public CompletionStage<LeaseReply> claim(ClaimRequest request) {
    return sent(() -> store.claim(request));
  }

  @Override
  public CompletionStage<LeaseReply> extend(ExtendRequest request) {
    return sent(() -> store.extend(request));
  }

  @Override
  public CompletionStage<LeaseReply> release(ReleaseRequest request) {
    return sent(() -> store.release(request));
  }

  @Override
  public CompletionStage<LeaseReply> revoke(LeaseTerms terms, int workerId) {
    return sent(() -> store.revoke(terms, workerId));
  }

  @Override
  public CompletionStage<LeaseReply> fence(LeaseTerms terms, long wallMillis) {
    return sent(() -> store.fence(terms, wallMillis));
  }

  @Override
  public CompletionStage<Listing> list(String namespace) {
    return store.list(namespace);
  }

  @Override
  public void close() {
    store.close();
  }

  private CompletionStage<LeaseReply> sent(Supplier<CompletionStage<LeaseReply>> request) {
    synchronized (this) {
      int draw = random.nextInt(PERCENT);
      if (draw < faults.requestLost) {
        return lost("request lost");
      }
      draw -= faults.requestLost;
      if (draw < faults.requestLate && late.size() < MAX_LATE) {
        late.add(request);
        return lost("request late");
      }
      draw -= faults.requestLate;
      if (draw >= faults.replyLost) {
        return request.get();
      }
    }
    return request.get().thenCompose(reply -> lost("reply lost"));
  }

  private static CompletionStage<LeaseReply> lost(String what) {
    return CompletableFuture.failedFuture(
        StoreException.unknown("network: " + what, new IllegalStateException(what)));
  }
}
