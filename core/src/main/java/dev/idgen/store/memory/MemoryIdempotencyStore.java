package dev.idgen.store.memory;

import dev.idgen.store.IdempotencyDecision;
import dev.idgen.store.IdempotencyEntry;
import dev.idgen.store.IdempotencyReply;
import dev.idgen.store.IdempotencyRequest;
import dev.idgen.store.IdempotencyRow;
import dev.idgen.store.IdempotencyRules;
import dev.idgen.store.IdempotencySnapshot;
import dev.idgen.store.IdempotencyStore;
import dev.idgen.store.StoreException;
import dev.idgen.time.TimeSource;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Idempotency keys in memory, for tests and simulations. Answers before it returns. Thread-safe.
 */
public final class MemoryIdempotencyStore implements IdempotencyStore {
  private final Shared shared;
  private volatile boolean closed;

  /** What all clients of one store share. Used under its own lock. */
  private static final class Shared {
    final TimeSource time;
    final Map<Caller, Map<IdempotencyEntry, IdempotencyRow>> callers = new HashMap<>();

    Shared(TimeSource time) {
      this.time = time;
    }
  }

  /** Whose entries are counted together. */
  private record Caller(String namespace, String name) {
    static Caller of(IdempotencyEntry entry) {
      return new Caller(entry.namespace(), entry.caller());
    }
  }

  /**
   * An empty store.
   *
   * @param time its clock
   */
  public MemoryIdempotencyStore(TimeSource time) {
    this(new Shared(time));
  }

  private MemoryIdempotencyStore(Shared shared) {
    this.shared = shared;
  }

  /** Another client of the same store. */
  public MemoryIdempotencyStore client() {
    return new MemoryIdempotencyStore(shared);
  }

  @Override
  public String kind() {
    return "memory";
  }

  @Override
  public CompletionStage<IdempotencyReply> begin(IdempotencyRequest request) {
    return answer(
        () -> {
          IdempotencyEntry entry = request.entry();
          IdempotencyReply reply = decided(entry, s -> IdempotencyRules.begin(s, request));
          if (reply instanceof IdempotencyReply.Full && purged(Caller.of(entry)) > 0) {
            return decided(entry, s -> IdempotencyRules.begin(s, request));
          }
          return reply;
        });
  }

  @Override
  public CompletionStage<Finish> finish(IdempotencyEntry entry, long attempt, String reply) {
    IdempotencyRow.requireReply(reply);
    return answer(() -> decided(entry, s -> IdempotencyRules.finish(s, attempt, reply)));
  }

  @Override
  public CompletionStage<Boolean> abandon(IdempotencyEntry entry, long attempt) {
    return answer(() -> decided(entry, s -> IdempotencyRules.abandon(s, attempt)));
  }

  private <T> T decided(
      IdempotencyEntry entry, Function<IdempotencySnapshot, IdempotencyDecision<T>> rule) {
    Map<IdempotencyEntry, IdempotencyRow> rows = rows(Caller.of(entry));
    IdempotencyDecision<T> decision =
        rule.apply(new IdempotencySnapshot(now(), rows.size(), rows.get(entry)));
    IdempotencyRow next = decision.row();
    if (next != null) {
      rows.put(entry, next);
    } else if (decision.writes()) {
      rows.remove(entry);
    }
    return decision.reply();
  }

  private int purged(Caller caller) {
    Map<IdempotencyEntry, IdempotencyRow> rows = rows(caller);
    int before = rows.size();
    long now = now();
    rows.values().removeIf(row -> row.expired(now));
    return before - rows.size();
  }

  @Override
  public CompletionStage<Integer> purge(int most) {
    IdempotencyStore.requirePurge(most);
    return answer(
        () -> {
          List<IdempotencyEntry> expired = expired(most);
          expired.forEach(entry -> rows(Caller.of(entry)).remove(entry));
          return expired.size();
        });
  }

  private List<IdempotencyEntry> expired(int most) {
    long now = now();
    return shared.callers.values().stream()
        .flatMap(rows -> rows.entrySet().stream())
        .filter(kept -> kept.getValue().expired(now))
        .sorted(Comparator.comparingLong(kept -> kept.getValue().expiresMillis()))
        .limit(most)
        .map(Map.Entry::getKey)
        .toList();
  }

  private Map<IdempotencyEntry, IdempotencyRow> rows(Caller caller) {
    return shared.callers.computeIfAbsent(caller, c -> new HashMap<>());
  }

  private long now() {
    return shared.time.wallMillis();
  }

  private <T> CompletionStage<T> answer(Supplier<T> work) {
    if (closed) {
      return CompletableFuture.failedFuture(
          StoreException.refused("memory: closed (expected: an open store)"));
    }
    synchronized (shared) {
      return CompletableFuture.completedFuture(work.get());
    }
  }

  @Override
  public void close() {
    closed = true;
  }
}
