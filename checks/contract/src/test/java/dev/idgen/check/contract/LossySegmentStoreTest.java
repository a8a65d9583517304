package dev.idgen.check.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.store.SegmentReply;
import dev.idgen.store.SegmentRequest;
import dev.idgen.store.SegmentRow;
import dev.idgen.store.SegmentTerms;
import dev.idgen.store.StoreException;
import dev.idgen.store.memory.MemorySegmentStore;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class LossySegmentStoreTest {
  private static final SegmentRequest TEN =
      new SegmentRequest(SegmentTerms.of("default", "order", 0), 10, -1);

  private final MemorySegmentStore store = new MemorySegmentStore("s");

  private LossySegmentStore lossy(int requestLost, int replyLost, int requestLate) {
    return new LossySegmentStore(
        store, new LossyNetwork(new LossyNetwork.Faults(requestLost, replyLost, requestLate), 1));
  }

  private static void assertLost(String message, CompletionStage<SegmentReply> stage) {
    var e = assertThrows(CompletionException.class, () -> stage.toCompletableFuture().join());
    StoreException cause = assertInstanceOf(StoreException.class, e.getCause());
    assertEquals(message, cause.getMessage());
    assertTrue(cause.outcomeUnknown());
  }

  private long mark() {
    SegmentRow row = store.read("default", "order").toCompletableFuture().join();
    return row == null ? 0 : row.maxId();
  }

  @Test
  void allocate_requestLost_isNotApplied() {
    assertLost("network: request lost", lossy(100, 0, 0).allocate(TEN));
    assertEquals(0, mark());
  }

  @Test
  void allocate_replyLost_isApplied() {
    assertLost("network: reply lost", lossy(0, 100, 0).allocate(TEN));
    assertEquals(10, mark());
  }

  @Test
  void allocate_requestLate_isAppliedWhenItArrives() {
    LossySegmentStore lossy = lossy(0, 0, 100);
    assertLost("network: request late", lossy.allocate(TEN));
    assertEquals(0, mark());
    lossy.deliverLate();
    assertEquals(10, mark());
    lossy.deliverLate();
    assertEquals(10, mark());
  }
}
