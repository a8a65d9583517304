package dev.idgen.snowflake;

import dev.idgen.store.ClaimRequest;
import dev.idgen.store.LeaseTerms;

/**
 * Which worker ids a keeper holds, and on what terms. A value.
 *
 * @param terms namespace, layout, window, reuse delay and skew: the same for all processes of a
 *     namespace
 * @param renewEveryMs time between renewals, 1..window/2
 * @param firstWorkerId lowest worker id to hold
 * @param lastWorkerId highest worker id to hold, inclusive; the same as the lowest for a fixed one
 * @param preferredWorkerId taken when it is free; -1 for none
 * @param workers how many to hold at once, 1 or more
 * @param newCluster the operator swears that the namespace was never used
 * @param callMs how long the store may take to answer before its answer counts as lost
 */
public record KeeperOptions(
    LeaseTerms terms,
    long renewEveryMs,
    int firstWorkerId,
    int lastWorkerId,
    int preferredWorkerId,
    int workers,
    boolean newCluster,
    long callMs) {
  /** Window of a store that several machines share. */
  public static final long WINDOW_MS = 60_000;

  /** Window of an embedded store: what a restart after a crash costs at most. */
  public static final long EMBEDDED_WINDOW_MS = 3_000;

  /** Time after a horizon before a worker id is used again. */
  public static final long REUSE_DELAY_MS = 5_000;

  private static final long CALL_MS = 2_000;
  private static final int RENEWALS_PER_WINDOW = 6;

  /** Refuses what a keeper cannot keep. */
  public KeeperOptions {
    if (renewEveryMs < 1 || renewEveryMs > terms.windowMs() / 2) {
      throw new IllegalArgumentException(
          "renewEveryMs: "
              + renewEveryMs
              + " (expected: 1.."
              + terms.windowMs() / 2
              + ", half the window)");
    }
    if (firstWorkerId < 0 || lastWorkerId < firstWorkerId) {
      throw new IllegalArgumentException(
          "worker ids: " + firstWorkerId + ".." + lastWorkerId + " (expected: 0 <= first <= last)");
    }
    int most = lastWorkerId - firstWorkerId + 1;
    if (most > ClaimRequest.MAX_WORKER_IDS) {
      throw new IllegalArgumentException(
          "worker ids: "
              + firstWorkerId
              + ".."
              + lastWorkerId
              + " (expected: at most "
              + ClaimRequest.MAX_WORKER_IDS
              + " to choose from)");
    }
    if (workers < 1 || workers > most) {
      throw new IllegalArgumentException("workers: " + workers + " (expected: 1.." + most + ")");
    }
    if (callMs < 1) {
      throw new IllegalArgumentException("callMs: " + callMs + " (expected: >= 1)");
    }
  }

  /**
   * Any one worker id of a layout, on the usual terms.
   *
   * @param options of the engine
   * @param namespace 1..64 of {@code A-Za-z0-9._-}
   * @param embedded whether the store serves this machine only
   */
  public static KeeperOptions leased(EngineOptions options, String namespace, boolean embedded) {
    long window = embedded ? EMBEDDED_WINDOW_MS : WINDOW_MS;
    long reuse = Math.max(REUSE_DELAY_MS, 2 * options.maxSkewMs());
    LeaseTerms terms =
        new LeaseTerms(namespace, options.layout().describe(), window, reuse, options.maxSkewMs());
    return new KeeperOptions(
        terms,
        window / RENEWALS_PER_WINDOW,
        0,
        options.layout().maxWorker(),
        -1,
        1,
        false,
        CALL_MS);
  }

  /**
   * The same for exactly one worker id.
   *
   * @throws IllegalArgumentException it does not fit the layout
   */
  public KeeperOptions withFixed(int workerId, int maxWorker) {
    if (workerId < 0 || workerId > maxWorker) {
      throw new IllegalArgumentException(
          "workerId: " + workerId + " (expected: 0.." + maxWorker + ")");
    }
    return new KeeperOptions(
        terms, renewEveryMs, workerId, workerId, workerId, 1, newCluster, callMs);
  }

  /** The same with several worker ids at once. */
  public KeeperOptions withWorkers(int count) {
    return new KeeperOptions(
        terms,
        renewEveryMs,
        firstWorkerId,
        lastWorkerId,
        preferredWorkerId,
        count,
        newCluster,
        callMs);
  }

  /** The same with a worker id that is taken when it is free. */
  public KeeperOptions withPreferred(int workerId) {
    return new KeeperOptions(
        terms, renewEveryMs, firstWorkerId, lastWorkerId, workerId, workers, newCluster, callMs);
  }

  /** The same for worker ids of a part of the layout's. */
  public KeeperOptions withRange(int first, int lastInclusive) {
    return new KeeperOptions(
        terms, renewEveryMs, first, lastInclusive, preferredWorkerId, workers, newCluster, callMs);
  }

  /** The same for a namespace that the operator swears was never used. */
  public KeeperOptions withNewCluster(boolean sworn) {
    return new KeeperOptions(
        terms,
        renewEveryMs,
        firstWorkerId,
        lastWorkerId,
        preferredWorkerId,
        workers,
        sworn,
        callMs);
  }

  /** The same on other terms. */
  public KeeperOptions withTerms(LeaseTerms other, long everyMs) {
    return new KeeperOptions(
        other,
        everyMs,
        firstWorkerId,
        lastWorkerId,
        preferredWorkerId,
        workers,
        newCluster,
        callMs);
  }

  /** The same with another limit for the store's answers. */
  public KeeperOptions withCallMs(long limitMs) {
    return new KeeperOptions(
        terms,
        renewEveryMs,
        firstWorkerId,
        lastWorkerId,
        preferredWorkerId,
        workers,
        newCluster,
        limitMs);
  }

  /** Whether only one worker id will do. */
  public boolean fixed() {
    return firstWorkerId == lastWorkerId;
  }
}
