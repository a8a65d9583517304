package dev.idgen.store.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.entropy.Entropy;
import dev.idgen.store.BehindPolicy;
import dev.idgen.store.ClaimRequest;
import dev.idgen.store.LeaseReply;
import dev.idgen.store.LeaseTerms;
import dev.idgen.store.Refusal;
import dev.idgen.store.StoreException;
import dev.idgen.time.TimeSource;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class MemoryWorkerStoreTest {
  private static final LeaseTerms TERMS = new LeaseTerms("orders", "41/10/12", 60_000, 2_000, 1000);

  private final Fixed time = new Fixed();

  @Test
  void claim_noExecutor_isAnsweredBeforeItReturns() {
    MemoryWorkerStore store = new MemoryWorkerStore(time, Entropy.secure());
    LeaseReply.Granted granted = assertInstanceOf(LeaseReply.Granted.class, claim(store, "a", 1));
    assertEquals(1, granted.row().generation());
    assertEquals("memory", granted.identity());
    assertEquals(granted.row(), store.list("orders").toCompletableFuture().join().workers().get(0));
  }

  @Test
  void claim_executor_waitsForIt() {
    Queue<Runnable> tasks = new ArrayDeque<>();
    MemoryWorkerStore store = new MemoryWorkerStore("m", time, Entropy.secure(), true, tasks::add);
    CompletionStage<LeaseReply> stage = store.claim(request("a", 1));
    assertFalse(stage.toCompletableFuture().isDone());
    tasks.remove().run();
    assertTrue(stage.toCompletableFuture().isDone());
  }

  @Test
  void replica_laterWrites_areUnknownToIt() {
    MemoryWorkerStore store = new MemoryWorkerStore(time, Entropy.secure());
    MemoryWorkerStore standby = store.replica("standby", time);
    claim(store, "a", 1);
    assertEquals(1, store.list("orders").toCompletableFuture().join().workers().size());
    assertEquals(0, standby.list("orders").toCompletableFuture().join().workers().size());
  }

  @Test
  void claim_ownerHasEnded_takesItsWorkerId() {
    MemoryWorkerStore store =
        new MemoryWorkerStore("m", time, Entropy.secure(), true, Runnable::run);
    claim(store, "a", 1);
    LeaseReply.Refused held = assertInstanceOf(LeaseReply.Refused.class, claim(store, "b", 2));
    assertEquals(Refusal.HELD, held.reason());
    store.ownerEnded("a");
    time.wall += 60_000;
    assertInstanceOf(LeaseReply.Granted.class, claim(store, "b", 2));
  }

  @Test
  void claim_closed_failsTheStage() {
    MemoryWorkerStore store = new MemoryWorkerStore(time, Entropy.secure());
    store.close();
    CompletionException e = assertThrows(CompletionException.class, () -> claim(store, "a", 1));
    StoreException cause = assertInstanceOf(StoreException.class, e.getCause());
    assertEquals("memory: closed (expected: an open store)", cause.getMessage());
    assertFalse(cause.outcomeUnknown());
  }

  private LeaseReply claim(MemoryWorkerStore store, String owner, long nonce) {
    return store.claim(request(owner, nonce)).toCompletableFuture().join();
  }

  private ClaimRequest request(String owner, long nonce) {
    return new ClaimRequest(
        TERMS, owner, nonce, nonce, 0, 0, -1, time.wall, 0, BehindPolicy.REFUSE, true);
  }

  private static final class Fixed implements TimeSource {
    long wall = 1_800_000_000_000L;

    @Override
    public long wallMillis() {
      return wall;
    }

    @Override
    public long monotonicNanos() {
      return 0;
    }

    @Override
    public void pause(long nanos) {
      throw new UnsupportedOperationException();
    }
  }
}
