package dev.idgen.server.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.server.engine.StillTime;
import dev.idgen.store.TagRow;
import dev.idgen.text.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EncipheringTest {
  private static final int MANY = Enciphering.AT_ONCE + 1;

  private final StillTime time = new StillTime(1_800_000_000_000L);
  private final HeldText text = new HeldText(Text.BASE62);
  private final CountingEngine engine = new CountingEngine(EngineKind.SEGMENT, 1);
  private final TagDirectory tags =
      new TagDirectory(opaque(), (row, kind) -> engine, new TagTexts(tag -> text), time, "");
  private final IdService service =
      new IdService(tags, null, () -> EngineHealth.WELL, new ServiceLimits(100, 1 << 20), time);

  private static TagRow opaque() {
    TagRow row = TagRows.of("default", "segment");
    return new TagRow(
        row.tag(),
        row.engine(),
        "opaque",
        "",
        row.start(),
        row.maximum(),
        row.step(),
        row.stepMin(),
        row.stepMax(),
        row.critical(),
        0,
        0,
        "",
        "",
        0,
        1,
        1,
        false,
        0,
        0);
  }

  @AfterEach
  void letGo() {
    text.letGo();
  }

  private CompletableFuture<Issued> issue(int count, IssueRequest.Shape shape) {
    Count asked = new Count("count", String.valueOf(count), 1_000);
    return service.issue(IssueRequest.of(Caller.ANYBODY, null, asked, shape)).toCompletableFuture();
  }

  private CompletableFuture<Issued> issue(int count) {
    return issue(count, IssueRequest.Shape.ANY);
  }

  @Test
  void issue_manyOpaque_areTextsInOrder() {
    List<String> texts = issue(MANY).join().texts();
    assertEquals(MANY, texts.size());
    assertEquals(Text.BASE62.encode(1), texts.get(0));
    assertEquals(Text.BASE62.encode(MANY), texts.get(MANY - 1));
  }

  /** Those who want few, or numbers, are not kept waiting. */
  @Test
  void issue_asManyAsThereMayBe_refusesMoreBeforeIdsAreTaken() {
    text.hold();
    List<CompletableFuture<Issued>> waiting = new ArrayList<>();
    for (int i = 0; i < Enciphering.MAX_BATCHES; i++) {
      waiting.add(issue(MANY));
    }
    long before = engine.next;
    ServiceException refusal =
        ServiceException.of(assertThrows(CompletionException.class, issue(MANY)::join));
    assertEquals(ServiceReason.OVERLOADED, refusal.reason());
    assertEquals(
        "batches of opaque ids: more than 64 (expected: at most that many at a time)",
        refusal.detail());
    assertEquals(1_000, refusal.retryAfterMs());
    assertEquals(before, engine.next);
    assertTrue(issue(1).isDone());
    assertTrue(issue(500, IssueRequest.Shape.NUMBERS).isDone());
    waiting.forEach(batch -> assertFalse(batch.isDone()));

    text.letGo();
    waiting.forEach(batch -> assertEquals(MANY, batch.join().count()));
    assertEquals(MANY, issue(MANY).join().count());
  }

  /** Whoever gets no ids takes no place either. */
  @Test
  void issue_refused_givesItsPlaceBack() {
    for (int i = 0; i < 2 * Enciphering.MAX_BATCHES; i++) {
      engine.closed = true;
      assertThrows(CompletionException.class, issue(MANY)::join);
    }
    engine.closed = false;
    assertEquals(MANY, issue(MANY).join().count());
  }
}
