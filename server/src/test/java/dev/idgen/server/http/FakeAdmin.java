package dev.idgen.server.http;

import dev.idgen.server.service.ServerAdmin;
import dev.idgen.server.service.ServiceException;
import dev.idgen.server.service.ServiceReason;
import dev.idgen.store.WorkerRow;
import dev.idgen.store.WorkerStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A cluster of three worker ids: one held, one released, one dead. */
final class FakeAdmin implements ServerAdmin {
  static final long NOW = 1_800_000_000_000L;

  final List<WorkerRow> rows =
      new ArrayList<>(
          List.of(row(3, "a-host", NOW + 50_000), row(7, null, NOW - 1), row(9, "gone", NOW - 1)));

  /** What calls that need the store are told; null: they are served. */
  volatile @Nullable ServiceException failure;

  private static WorkerRow row(int id, @Nullable String owner, long horizon) {
    return new WorkerRow(id, owner, 2, 5, 6, NOW - 60_000, horizon, "store", 0, NOW - 10_000);
  }

  @Override
  public CompletionStage<WorkerStore.Listing> workers() {
    ServiceException refusal = failure;
    if (refusal != null) {
      return CompletableFuture.failedFuture(refusal);
    }
    return CompletableFuture.completedFuture(new WorkerStore.Listing(null, rows, NOW, "store"));
  }

  @Override
  public long reuseDelayMs() {
    return 5_000;
  }

  @Override
  public CompletionStage<WorkerRow> release(int workerId, String by) {
    ServiceException refusal = failure;
    if (refusal != null) {
      return CompletableFuture.failedFuture(refusal);
    }
    return rows.stream()
        .filter(row -> row.workerId() == workerId)
        .findFirst()
        .map(CompletableFuture::completedFuture)
        .orElseGet(
            () ->
                CompletableFuture.failedFuture(
                    new ServiceException(
                        ServiceReason.INVALID_ID, "workerId: " + workerId + " has no row")));
  }

  @Override
  public ClockState clock() {
    return new ClockState(NOW, 12, 1_000, 1, 0, NOW + 50_000, List.of(3), NOW * 2, List.of());
  }

  @Override
  public CompletionStage<AuditPage> audit(long before, int limit) {
    return CompletableFuture.completedFuture(
        new AuditPage(List.of("{\"event\":\"start\"}"), before < 0 ? 17 : -1));
  }
}
