package dev.idgen.store.file;

import dev.idgen.store.NamespaceRow;
import dev.idgen.store.StoreOperation;
import dev.idgen.store.WorkerRow;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What one state file says. Not thread-safe: the store's thread alone has it. */
final class State {
  private final String identity;
  private final NavigableMap<String, NamespaceRow> namespaces = new TreeMap<>();
  private final NavigableMap<String, NavigableMap<Integer, WorkerRow>> workers = new TreeMap<>();

  State(String identity) {
    this.identity = identity;
  }

  String identity() {
    return identity;
  }

  NavigableMap<String, NamespaceRow> namespaces() {
    return namespaces;
  }

  @Nullable NamespaceRow namespace(String name) {
    return namespaces.get(name);
  }

  /**
   * Rows of worker ids, in their order.
   *
   * @param workerId as in {@link StoreOperation#workerId}
   */
  List<WorkerRow> workers(String namespace, int workerId) {
    NavigableMap<Integer, WorkerRow> rows = workers.get(namespace);
    if (rows == null) {
      return List.of();
    }
    if (workerId == StoreOperation.ALL_ROWS) {
      return List.copyOf(rows.values());
    }
    WorkerRow row = rows.get(workerId);
    return row == null ? List.of() : List.of(row);
  }

  /** Every owner that a row mentions. */
  List<String> owners() {
    List<String> owners = new ArrayList<>();
    for (NavigableMap<Integer, WorkerRow> rows : workers.values()) {
      for (WorkerRow row : rows.values()) {
        if (row.owner() != null) {
          owners.add(row.owner());
        }
      }
    }
    return owners;
  }

  void put(String name, NamespaceRow row) {
    namespaces.put(name, row);
  }

  void put(String namespace, WorkerRow row) {
    workers.computeIfAbsent(namespace, name -> new TreeMap<>()).put(row.workerId(), row);
  }
}
