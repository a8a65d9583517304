package dev.idgen.check.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.store.StoreException;
import dev.idgen.store.TagReply;
import dev.idgen.store.TagRow;
import dev.idgen.store.memory.MemoryTagStore;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class LossyTagStoreTest {
  private static final TagRow ROW =
      new TagRow(
          "a", "segment", "decimal", "", 1, 9, 5, 1, 9, false, 0, 0, "", "", 0, 0, 0, false, 7, 7);

  private final MemoryTagStore store = new MemoryTagStore();

  private CompletionStage<TagReply> write(LossyTagStore lossy) {
    return lossy.write("default", ROW, 0);
  }

  private LossyTagStore lossy(int requestLost, int replyLost, int requestLate) {
    return new LossyTagStore(
        store, new LossyNetwork(new LossyNetwork.Faults(requestLost, replyLost, requestLate), 1));
  }

  private static void assertLost(String message, CompletionStage<TagReply> stage) {
    var e = assertThrows(CompletionException.class, () -> stage.toCompletableFuture().join());
    StoreException cause = assertInstanceOf(StoreException.class, e.getCause());
    assertEquals(message, cause.getMessage());
    assertTrue(cause.outcomeUnknown());
  }

  private long head() {
    return store.changes("default", 0).toCompletableFuture().join().head();
  }

  @Test
  void write_requestLost_isNotMade() {
    assertLost("network: request lost", write(lossy(100, 0, 0)));
    assertEquals(0, head());
  }

  @Test
  void write_replyLost_isMade() {
    assertLost("network: reply lost", write(lossy(0, 100, 0)));
    assertEquals(1, head());
  }

  @Test
  void write_requestLate_isMadeWhenItArrives() {
    LossyTagStore lossy = lossy(0, 0, 100);
    assertLost("network: request late", write(lossy));
    assertEquals(0, head());
    lossy.deliverLate();
    assertEquals(1, head());
  }
}
