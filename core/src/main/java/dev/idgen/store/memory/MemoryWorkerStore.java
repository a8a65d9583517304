package dev.idgen.store.memory;

import dev.idgen.entropy.Entropy;
import dev.idgen.store.AbstractWorkerStore;
import dev.idgen.store.Decision;
import dev.idgen.store.LeaseReply;
import dev.idgen.store.NamespaceRow;
import dev.idgen.store.StoreException;
import dev.idgen.store.StoreOperation;
import dev.idgen.store.StoreSnapshot;
import dev.idgen.store.WorkerRow;
import dev.idgen.time.TimeSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A worker store in memory, for tests and simulations. Deterministic: it takes its time and its
 * random numbers from outside, and answers before it returns unless an executor is given.
 * Thread-safe.
 */
public final class MemoryWorkerStore extends AbstractWorkerStore {
  private final String identity;
  private final TimeSource time;
  private final Entropy entropy;
  private final boolean embedded;
  private final Executor executor;

  private final Map<String, NamespaceRow> namespaces = new HashMap<>();
  private final Map<String, NavigableMap<Integer, WorkerRow>> workers = new HashMap<>();
  private final Set<String> dead = new HashSet<>();
  private boolean closed;

  /**
   * A store as a cluster would share it.
   *
   * @param time the store's own clock
   * @param entropy breaks ties between worker ids
   */
  public MemoryWorkerStore(TimeSource time, Entropy entropy) {
    this("memory", time, entropy, false, Runnable::run);
  }

  /**
   * A store.
   *
   * @param identity its name for itself
   * @param time its own clock
   * @param entropy breaks ties between worker ids
   * @param embedded whether it plays the store of one machine
   * @param executor runs the operations; {@code Runnable::run} answers before returning
   */
  public MemoryWorkerStore(
      String identity, TimeSource time, Entropy entropy, boolean embedded, Executor executor) {
    super(entropy);
    this.identity = identity;
    this.time = time;
    this.entropy = entropy;
    this.embedded = embedded;
    this.executor = executor;
  }

  /**
   * A copy of what the store holds now, as a standby has it at the moment when it is promoted: what
   * is written to the one after this is unknown to the other.
   *
   * @param otherIdentity the copy's identity; the same one stands for a restore that nobody noticed
   * @param otherTime the copy's clock
   */
  public synchronized MemoryWorkerStore replica(String otherIdentity, TimeSource otherTime) {
    MemoryWorkerStore other =
        new MemoryWorkerStore(otherIdentity, otherTime, entropy, embedded, executor);
    other.namespaces.putAll(namespaces);
    workers.forEach((namespace, rows) -> other.workers.put(namespace, new TreeMap<>(rows)));
    other.dead.addAll(dead);
    return other;
  }

  /**
   * Makes it known that a process has ended, as the operating system does for the store of one
   * machine.
   *
   * @param owner as it claimed
   */
  public synchronized void ownerEnded(String owner) {
    dead.add(owner);
  }

  @Override
  public String kind() {
    return "memory";
  }

  @Override
  public boolean embedded() {
    return embedded;
  }

  @Override
  protected CompletionStage<LeaseReply> transact(StoreOperation operation) {
    return answer(operation.name(), () -> applied(operation));
  }

  @Override
  public CompletionStage<Listing> list(String namespace) {
    return answer("list", () -> listed(namespace));
  }

  @Override
  public synchronized void close() {
    closed = true;
  }

  private <T> CompletionStage<T> answer(String name, Supplier<T> work) {
    CompletableFuture<T> future = new CompletableFuture<>();
    executor.execute(
        () -> {
          try {
            future.complete(work.get());
          } catch (StoreException e) {
            future.completeExceptionally(e);
          } catch (RuntimeException e) {
            future.completeExceptionally(StoreException.refused("memory: " + name + ": " + e, e));
          }
        });
    return future;
  }

  private synchronized LeaseReply applied(StoreOperation operation) {
    requireOpen();
    String namespace = operation.namespace();
    NavigableMap<Integer, WorkerRow> rows = rowsOf(namespace);
    Decision decision =
        operation
            .rule()
            .apply(
                new StoreSnapshot(
                    identity,
                    time.wallMillis(),
                    namespaces.get(namespace),
                    read(rows, operation.workerId()),
                    embedded,
                    dead::contains));
    NamespaceRow changed = decision.namespace();
    if (changed != null) {
      namespaces.put(namespace, changed);
    }
    WorkerRow written = decision.worker();
    if (written != null) {
      rows.put(written.workerId(), written);
      workers.put(namespace, rows);
    }
    return decision.reply();
  }

  private synchronized Listing listed(String namespace) {
    requireOpen();
    return new Listing(
        namespaces.get(namespace),
        List.copyOf(rowsOf(namespace).values()),
        time.wallMillis(),
        identity);
  }

  private NavigableMap<Integer, WorkerRow> rowsOf(String namespace) {
    NavigableMap<Integer, WorkerRow> rows = workers.get(namespace);
    return rows == null ? new TreeMap<>() : rows;
  }

  private static List<WorkerRow> read(NavigableMap<Integer, WorkerRow> rows, int workerId) {
    if (workerId == StoreOperation.ALL_ROWS) {
      return List.copyOf(rows.values());
    }
    @Nullable WorkerRow row = rows.get(workerId);
    return row == null ? List.of() : List.of(row);
  }

  private void requireOpen() {
    if (closed) {
      throw StoreException.refused("memory: closed (expected: an open store)");
    }
  }
}
