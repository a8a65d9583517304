package dev.idgen.store.jdbc;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.store.WorkerRow;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Every cell that a store has acknowledged to anybody, whatever became of that store. For one
 * thread.
 */
final class GrantedCells {
  private final Map<String, List<WorkerRow>> byPlace = new HashMap<>(); // namespace, worker id

  /** What a claim or an extension was answered. */
  void add(String namespace, WorkerRow row) {
    String place = namespace + "/" + row.workerId();
    List<WorkerRow> rows = byPlace.computeIfAbsent(place, id -> new ArrayList<>());
    rows.removeIf(earlier -> earlier.nonce() == row.nonce() && covers(row, earlier));
    rows.add(row);
  }

  private static boolean covers(WorkerRow row, WorkerRow earlier) {
    return row.fromMillis() == earlier.fromMillis()
        && row.horizonMillis() >= earlier.horizonMillis();
  }

  /** I1: no cell of a namespace is granted to two claims. */
  void assertDisjoint(String namespace) {
    byPlace.forEach(
        (place, rows) -> {
          if (place.startsWith(namespace + "/")) {
            assertDisjoint(rows);
          }
        });
  }

  private static void assertDisjoint(List<WorkerRow> rows) {
    for (WorkerRow one : rows) {
      for (WorkerRow two : rows) {
        assertTrue(one.nonce() == two.nonce() || !overlap(one, two), () -> one + " and " + two);
      }
    }
  }

  /** Whether two leases of one namespace have a cell in common. */
  static boolean overlap(WorkerRow one, WorkerRow two) {
    return one.workerId() == two.workerId()
        && one.fromMillis() < two.horizonMillis()
        && two.fromMillis() < one.horizonMillis();
  }
}
