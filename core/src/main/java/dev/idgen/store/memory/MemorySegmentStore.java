package dev.idgen.store.memory;

import dev.idgen.store.Residue;
import dev.idgen.store.SegmentDecision;
import dev.idgen.store.SegmentReply;
import dev.idgen.store.SegmentRequest;
import dev.idgen.store.SegmentRow;
import dev.idgen.store.SegmentRules;
import dev.idgen.store.SegmentSnapshot;
import dev.idgen.store.SegmentStore;
import dev.idgen.store.SegmentTerms;
import dev.idgen.store.StoreException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * High-water marks in memory, for tests and simulations. Answers before it returns. Thread-safe.
 */
public final class MemorySegmentStore implements SegmentStore {
  private final Shared shared;
  private volatile boolean closed;

  /** What all clients of one store share; guarded by itself. */
  private static final class Shared {
    private final String identity;
    private final String firstIdentity;
    private final Map<String, SegmentRow> rows = new HashMap<>();
    private final Map<String, Residue> residues = new HashMap<>();
    private final Map<String, Long> fences = new HashMap<>();
    private long fenced; // every namespace, beside its own

    Shared(String identity, String firstIdentity) {
      this.identity = identity;
      this.firstIdentity = firstIdentity;
    }

    long fence(String namespace) {
      return fenced + fences.getOrDefault(namespace, 0L);
    }
  }

  /**
   * An empty store.
   *
   * @param identity its name for itself
   */
  public MemorySegmentStore(String identity) {
    this(new Shared(identity, identity));
  }

  private MemorySegmentStore(Shared shared) {
    this.shared = shared;
  }

  /** Another client of the same store. */
  public MemorySegmentStore client() {
    return new MemorySegmentStore(shared);
  }

  /** Declares that acknowledged writes may be gone, in every namespace. */
  public void fence() {
    synchronized (shared) {
      shared.fenced++;
    }
  }

  @Override
  public CompletionStage<Long> fence(String namespace) {
    return answer(() -> shared.fences.merge(namespace, 1L, Long::sum));
  }

  /**
   * A copy of what the store holds now, as a standby has it at the moment when it is promoted.
   *
   * @param otherIdentity the copy's; the same one stands for a restore that nobody noticed
   */
  public MemorySegmentStore replica(String otherIdentity) {
    synchronized (shared) {
      Shared other = new Shared(otherIdentity, shared.firstIdentity);
      other.rows.putAll(shared.rows);
      other.residues.putAll(shared.residues);
      other.fences.putAll(shared.fences);
      other.fenced = shared.fenced;
      return new MemorySegmentStore(other);
    }
  }

  @Override
  public String kind() {
    return "memory";
  }

  @Override
  public CompletionStage<SegmentReply> allocate(SegmentRequest request) {
    return transact(request.terms(), s -> SegmentRules.allocate(s, request));
  }

  @Override
  public CompletionStage<SegmentReply> raise(SegmentTerms terms, long floor) {
    return transact(terms, s -> SegmentRules.raise(s, terms, floor));
  }

  @Override
  public CompletionStage<SegmentReply> remove(SegmentTerms terms) {
    return transact(terms, s -> SegmentRules.remove(s, terms));
  }

  @Override
  public CompletionStage<SegmentReply> revive(SegmentTerms terms) {
    return transact(terms, SegmentRules::revive);
  }

  private CompletionStage<SegmentReply> transact(
      SegmentTerms terms, Function<SegmentSnapshot, SegmentDecision> rule) {
    String key = key(terms.namespace(), terms.tag());
    return answer(
        () -> {
          long fence = shared.fence(terms.namespace());
          SegmentDecision decision =
              rule.apply(
                  new SegmentSnapshot(
                      shared.identity, fence, shared.firstIdentity, shared.rows.get(key)));
          SegmentRow next = decision.row();
          if (next != null) {
            shared.rows.put(key, next);
          }
          return decision.reply();
        });
  }

  @Override
  public CompletionStage<Residue> residue(String namespace, Residue ifNew) {
    return answer(
        () -> {
          boolean used = shared.rows.keySet().stream().anyMatch(k -> k.startsWith(namespace + "/"));
          Residue first = used ? Residue.ALONE : ifNew;
          return shared.residues.computeIfAbsent(namespace, n -> first);
        });
  }

  @Override
  public CompletionStage<@Nullable SegmentRow> read(String namespace, String tag) {
    return answer(() -> shared.rows.get(key(namespace, tag)));
  }

  private static String key(String namespace, String tag) {
    return namespace + "/" + tag;
  }

  private <T extends @Nullable Object> CompletionStage<T> answer(Supplier<T> work) {
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
