package dev.idgen.store;

import dev.idgen.store.memory.MemorySegmentStore;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A store whose answers a test gives, loses, or has fail. Thread-safe. */
public final class SlowSegmentStore implements SegmentStore {

  public MemorySegmentStore store = new MemorySegmentStore("s");
  public final List<SegmentRequest> asked = new ArrayList<>();
  private final ArrayDeque<Pending> pending = new ArrayDeque<>();

  /** Why it does not say which of several databases it is. */
  public @Nullable StoreException refuse;

  /** It says so when this is complete. */
  public CompletableFuture<Void> saysWhen = CompletableFuture.completedFuture(null);

  private boolean slow;
  private int failing;
  private StoreException failure = away();

  private record Pending(SegmentRequest request, CompletableFuture<SegmentReply> answer) {}

  /** A store that answers at once. */
  public SlowSegmentStore() {}

  private static StoreException away() {
    return StoreException.refused("slow: away (expected: there)");
  }

  /** From now on answers wait for {@link #answer}. */
  public SlowSegmentStore slow() {
    slow = true;
    return this;
  }

  /** From now on it answers at once. */
  public void quick() {
    slow = false;
  }

  /** The next requests fail, and do nothing. */
  public void fail(int requests) {
    fail(requests, away());
  }

  /** The next requests fail in a way of their own, and do nothing. */
  public synchronized void fail(int requests, StoreException how) {
    failing = requests;
    failure = how;
  }

  /** How many answers are waited for. */
  public synchronized int pending() {
    return pending.size();
  }

  /** Applies the oldest request, and answers it. */
  public void answer() {
    Pending next;
    synchronized (this) {
      next = pending.remove();
    }
    apply(next.request, next.answer);
  }

  /** Forgets the oldest request, which fails. */
  public void loseOldest(StoreException how) {
    Pending next;
    synchronized (this) {
      next = pending.remove();
    }
    next.answer.completeExceptionally(how);
  }

  /** Applies all requests, the newest first, and answers them, the oldest first. */
  public void answerCrossed() {
    List<Runnable> answers = new ArrayList<>();
    synchronized (this) {
      while (!pending.isEmpty()) {
        Pending next = pending.removeLast();
        SegmentReply reply = store.allocate(next.request).toCompletableFuture().join();
        answers.add(0, () -> next.answer.complete(reply));
      }
    }
    answers.forEach(Runnable::run);
  }

  @Override
  public String kind() {
    return "slow";
  }

  @Override
  public CompletionStage<SegmentReply> allocate(SegmentRequest request) {
    CompletableFuture<SegmentReply> answer = new CompletableFuture<>();
    boolean now;
    boolean fails;
    synchronized (this) {
      asked.add(request);
      fails = failing > 0;
      failing = Math.max(0, failing - 1);
      now = !slow;
      if (!now && !fails) {
        pending.add(new Pending(request, answer));
      }
    }
    if (fails) {
      answer.completeExceptionally(failure);
    } else if (now) {
      apply(request, answer);
    }
    return answer;
  }

  private void apply(SegmentRequest request, CompletableFuture<SegmentReply> answer) {
    answer.complete(store.allocate(request).toCompletableFuture().join());
  }

  @Override
  public CompletionStage<SegmentReply> raise(SegmentTerms terms, long floor) {
    return store.raise(terms, floor);
  }

  @Override
  public CompletionStage<SegmentReply> remove(SegmentTerms terms) {
    return store.remove(terms);
  }

  @Override
  public CompletionStage<SegmentReply> revive(SegmentTerms terms) {
    return store.revive(terms);
  }

  @Override
  public CompletionStage<Long> fence(String namespace) {
    return store.fence(namespace);
  }

  @Override
  public CompletionStage<Residue> residue(String namespace, Residue ifNew) {
    StoreException refusal = refuse;
    return refusal == null
        ? saysWhen.thenCompose(now -> store.residue(namespace, ifNew))
        : CompletableFuture.failedFuture(refusal);
  }

  @Override
  public CompletionStage<@Nullable SegmentRow> read(String namespace, String tag) {
    return store.read(namespace, tag);
  }

  @Override
  public void close() {
    store.close();
  }
}
