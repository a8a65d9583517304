package dev.idgen.check.contract;

import dev.idgen.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * A bad network before a store: requests get lost, replies get lost after the request was applied,
 * and requests arrive long after their caller gave up. Whoever asks learns only that the outcome is
 * unknown. Replays from its seed. Thread-safe.
 */
public final class LossyNetwork {
  private static final int PERCENT = 100;
  private static final int MAX_LATE = 10_000;

  private final Faults faults;
  private final Random random;
  private final List<Supplier<? extends CompletionStage<?>>> late = new ArrayList<>();
  private int repliesLost;

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
   * A network.
   *
   * @param faults how often
   * @param seed which ones
   */
  public LossyNetwork(Faults faults, long seed) {
    this.faults = faults;
    this.random = new Random(seed);
  }

  /** Lets every late request arrive now, the latest first. Their answers reach nobody. */
  void deliverLate() {
    List<Supplier<? extends CompletionStage<?>>> arriving;
    synchronized (this) {
      arriving = new ArrayList<>(late);
      late.clear();
    }
    for (int i = arriving.size() - 1; i >= 0; i--) {
      var unused = arriving.get(i).get().toCompletableFuture().join();
    }
  }

  /** How many replies were lost so far. */
  synchronized int repliesLost() {
    return repliesLost;
  }

  /** Sends a request, or loses it, or its reply. */
  <T> CompletionStage<T> sent(Supplier<CompletionStage<T>> request) {
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
      repliesLost++;
    }
    return request.get().thenCompose(reply -> lost("reply lost"));
  }

  private static <T> CompletionStage<T> lost(String what) {
    return CompletableFuture.failedFuture(
        StoreException.unknown("network: " + what, new IllegalStateException(what)));
  }
}
