package dev.idgen.snowflake;

import dev.idgen.store.ExtendRequest;
import dev.idgen.store.LeaseTerms;
import dev.idgen.store.ReleaseRequest;
import dev.idgen.store.WorkerRow;
import java.util.function.LongSupplier;

/**
 * One worker id as the keeper holds it: the last acknowledged row, and the write whose outcome is
 * unknown.
 */
final class HeldLease {
  private WorkerRow row;
  private long earlierToken;
  private long pendingToken; // 0: no write is under way or unknown

  HeldLease(WorkerRow row) {
    this.row = row;
  }

  WorkerRow row() {
    return row;
  }

  int workerId() {
    return row.workerId();
  }

  /** The next extension; a repeated one keeps its token, so that one that was applied is found. */
  ExtendRequest extension(
      LeaseTerms terms, LongSupplier freshToken, long wallMillis, long agreedMillis) {
    while (pendingToken == 0) { // a token of 0 means none: one draw in 2^64
      pendingToken = freshToken.getAsLong();
    }
    return new ExtendRequest(
        terms,
        row.workerId(),
        row.generation(),
        row.token(),
        earlierToken,
        pendingToken,
        wallMillis,
        agreedMillis);
  }

  void extended(WorkerRow next) {
    earlierToken = row.token();
    row = next;
    pendingToken = 0;
  }

  ReleaseRequest release(LeaseTerms terms, long endMillis) {
    return new ReleaseRequest(
        terms, row.workerId(), row.generation(), row.token(), pendingToken, endMillis);
  }
}
