package dev.idgen.server.service;

import dev.idgen.store.WorkerRow;
import dev.idgen.store.WorkerStore;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** What administrators see and do beside tags. Thread-safe; nothing here blocks the caller. */
public interface ServerAdmin {

  /**
   * Every worker id of the namespace that was ever claimed.
   *
   * @return fails with {@link ServiceReason#STORE_UNAVAILABLE}
   */
  CompletionStage<WorkerStore.Listing> workers();

  /** How long after its horizon a worker id is left alone, in milliseconds. */
  long reuseDelayMs();

  /**
   * Takes a worker id from its owner. It is free after its horizon and the reuse delay.
   *
   * @param by who wants it, for the audit log
   * @return the row after that; fails with {@link ServiceReason#INVALID_ID} or {@link
   *     ServiceReason#STORE_UNAVAILABLE}
   */
  CompletionStage<WorkerRow> release(int workerId, String by);

  /** What this server's clock is like. */
  ClockState clock();

  /**
   * Lines of the audit log, newest first.
   *
   * @param before the place behind the newest one, as an earlier answer gave it; -1: the end
   * @param limit the most lines
   */
  CompletionStage<AuditPage> audit(long before, int limit);

  /**
   * A clock, beside the store's and its own past. A value.
   *
   * @param wallMillis what it reads
   * @param offsetMs that minus the store's, at the last answer
   * @param maxSkewMs how far they may be apart
   * @param rollbacks how often it has rolled back
   * @param leaps how often it has leapt forward
   * @param horizonMillis end of the lease; 0 without one
   * @param workerIds held now
   * @param endMillis when the layout ends
   * @param reasons why no ids are issued; empty: they are
   */
  record ClockState(
      long wallMillis,
      long offsetMs,
      long maxSkewMs,
      long rollbacks,
      long leaps,
      long horizonMillis,
      List<Integer> workerIds,
      long endMillis,
      List<String> reasons) {

    /** Copies the lists. */
    public ClockState {
      workerIds = List.copyOf(workerIds);
      reasons = List.copyOf(reasons);
    }
  }

  /**
   * Lines of the audit log. A value.
   *
   * @param lines JSON objects, newest first
   * @param next the place of the older ones; -1: there are none
   */
  record AuditPage(List<String> lines, long next) {

    /** Copies the list. */
    public AuditPage {
      lines = List.copyOf(lines);
    }
  }
}
