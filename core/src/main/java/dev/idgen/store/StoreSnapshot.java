package dev.idgen.store;

import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What a driver read in one transaction, before the rules decide what it writes.
 *
 * @param identity which store answered: changes when acknowledged writes may be gone
 * @param nowMillis the store's own clock, in milliseconds since 1970
 * @param namespace null: never seen
 * @param workers for a claim or a list every row of the namespace, else the one row that is asked
 *     for (or none)
 * @param embedded the store serves one machine and has that machine's clock
 * @param knownDead whether the process behind an owner is known to have ended: false where nothing
 *     can be known
 */
public record StoreSnapshot(
    String identity,
    long nowMillis,
    @Nullable NamespaceRow namespace,
    List<WorkerRow> workers,
    boolean embedded,
    Predicate<String> knownDead) {

  /** Copies the list. */
  public StoreSnapshot {
    workers = List.copyOf(workers);
  }

  /**
   * The row of a worker id.
   *
   * @return null when there is none
   */
  public @Nullable WorkerRow worker(int workerId) {
    for (WorkerRow row : workers) {
      if (row.workerId() == workerId) {
        return row;
      }
    }
    return null;
  }
}
