package dev.idgen.check.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.entropy.Entropy;
import dev.idgen.store.BehindPolicy;
import dev.idgen.store.ClaimRequest;
import dev.idgen.store.LeaseReply;
import dev.idgen.store.LeaseTerms;
import dev.idgen.store.StoreException;
import dev.idgen.store.memory.MemoryWorkerStore;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class LossyWorkerStoreTest {
  private static final LeaseTerms TERMS = new LeaseTerms("orders", "41/10/12", 60_000, 2_000, 1000);

  private final SettableWall time = new SettableWall(1_800_000_000_000L);
  private final MemoryWorkerStore store = new MemoryWorkerStore(time, Entropy.secure());

  @Test
  void claim_requestLost_isNotApplied() {
    assertLost("network: request lost", lossy(100, 0, 0).claim(request()));
    assertEquals(0, rows());
  }

  @Test
  void claim_replyLost_isApplied() {
    assertLost("network: reply lost", lossy(0, 100, 0).claim(request()));
    assertEquals(1, rows());
  }

  @Test
  void claim_requestLate_isAppliedWhenItArrives() {
    LossyWorkerStore lossy = lossy(0, 0, 100);
    assertLost("network: request late", lossy.claim(request()));
    assertEquals(0, rows());
    lossy.deliverLate();
    assertEquals(1, rows());
    lossy.deliverLate();
  }

  @Test
  void claim_noFaults_passes() {
    assertInstanceOf(
        LeaseReply.Granted.class, lossy(0, 0, 0).claim(request()).toCompletableFuture().join());
  }

  @Test
  void faults_moreThanAll_areRefused() {
    assertEquals(
        "faults: 101 (expected: 0..100)",
        assertThrows(IllegalArgumentException.class, () -> new LossyNetwork.Faults(50, 50, 1))
            .getMessage());
  }

  private LossyWorkerStore lossy(int requestLost, int replyLost, int requestLate) {
    return new LossyWorkerStore(
        store, new LossyNetwork(new LossyNetwork.Faults(requestLost, replyLost, requestLate), 1));
  }

  private static void assertLost(String message, CompletionStage<LeaseReply> stage) {
    CompletionException e =
        assertThrows(CompletionException.class, () -> stage.toCompletableFuture().join());
    StoreException cause = assertInstanceOf(StoreException.class, e.getCause());
    assertEquals(message, cause.getMessage());
    assertTrue(cause.outcomeUnknown());
  }

  private int rows() {
    return store.list("orders").toCompletableFuture().join().workers().size();
  }

  private ClaimRequest request() {
    return new ClaimRequest(
        TERMS, "a", 1, 1, 0, 9, -1, time.wallMillis(), 0, BehindPolicy.REFUSE, true);
  }
}
