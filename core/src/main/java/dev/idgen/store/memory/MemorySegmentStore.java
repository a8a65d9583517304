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
import org.jspecify.annotations.Nullable;

/**
 * High-water marks in memory, for tests and simulations. Answers before it returns. Thread-safe.
 */
public final class MemorySegmentStore implements SegmentStore {
  private final String identity;
  private final Map<String, SegmentRow> rows = new HashMap<>();
  private final Map<String, Residue> residues = new HashMap<>();
  private final String firstIdentity;
  private long fence;
  private boolean closed;

  /**
   * An empty store.
   *
   * @param identity its name for itself
   */
  public MemorySegmentStore(String identity) {
    this(identity, identity);
  }

  private MemorySegmentStore(String identity, String firstIdentity) {
    this.identity = identity;
    this.firstIdentity = firstIdentity;
  }

  /** Declares that acknowledged writes may be gone. */
  public synchronized void fence() {
    fence++;
  }

  @Override
  public synchronized CompletionStage<Long> fence(String namespace) {
    fence();
    return CompletableFuture.completedFuture(fence);
  }

  /**
   * A copy of what the store holds now, as a standby has it at the moment when it is promoted.
   *
   * @param otherIdentity the copy's; the same one stands for a restore that nobody noticed
   */
  public synchronized MemorySegmentStore replica(String otherIdentity) {
    MemorySegmentStore other = new MemorySegmentStore(otherIdentity, firstIdentity);
    other.fence = fence;
    other.rows.putAll(rows);
    other.residues.putAll(residues);
    return other;
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

  private synchronized CompletionStage<SegmentReply> transact(
      SegmentTerms terms, Function<SegmentSnapshot, SegmentDecision> rule) {
    if (closed) {
      return CompletableFuture.failedFuture(
          StoreException.refused("memory: closed (expected: an open store)"));
    }
    String key = key(terms.namespace(), terms.tag());
    SegmentDecision decision =
        rule.apply(new SegmentSnapshot(identity, fence, firstIdentity, rows.get(key)));
    SegmentRow next = decision.row();
    if (next != null) {
      rows.put(key, next);
    }
    return CompletableFuture.completedFuture(decision.reply());
  }

  @Override
  public synchronized CompletionStage<Residue> residue(String namespace, Residue ifNew) {
    boolean used = rows.keySet().stream().anyMatch(key -> key.startsWith(namespace + "/"));
    Residue first = used ? Residue.ALONE : ifNew;
    Residue known = residues.putIfAbsent(namespace, first);
    return CompletableFuture.completedFuture(known == null ? first : known);
  }

  @Override
  public synchronized CompletionStage<@Nullable SegmentRow> read(String namespace, String tag) {
    return CompletableFuture.completedFuture(rows.get(key(namespace, tag)));
  }

  private static String key(String namespace, String tag) {
    return namespace + "/" + tag;
  }

  @Override
  public synchronized void close() {
    closed = true;
  }
}
