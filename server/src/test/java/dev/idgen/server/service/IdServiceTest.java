package dev.idgen.server.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.idgen.IdRun;
import dev.idgen.store.TagRow;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

class IdServiceTest {
  private final List<CountingEngine> made = new ArrayList<>();
  private final TagDirectory tags =
      new TagDirectory(TagRows.of("default", "segment"), this::engine, "");
  private final IdService service =
      new IdService(tags, () -> new EngineHealth(true, List.of()), 10);

  private TagEngine engine(TagRow row) {
    CountingEngine engine = new CountingEngine(EngineKind.SEGMENT, 1 + 1_000L * made.size());
    made.add(engine);
    return engine;
  }

  private static TagRow withStep(long step, long revision) {
    TagRow row = TagRows.of("default", "segment");
    return new TagRow(
        row.tag(),
        row.engine(),
        row.text(),
        row.prefix(),
        row.start(),
        row.maximum(),
        step,
        row.stepMin(),
        row.stepMax(),
        row.critical(),
        0,
        0,
        "",
        "",
        0,
        revision,
        revision,
        false,
        0,
        0);
  }

  /** Who found the tag before its engine was replaced is served by the next one. */
  @Test
  void issue_engineWasReplaced_isServedByTheNextOne() {
    Tag before = service.tag(null);
    tags.apply(withStep(500, 1));
    assertEquals(-1, service.tryIssue(before));
    assertEquals(
        List.of(new IdRun(1_001, 3, 1)),
        service.issue(before, 3).toCompletableFuture().join().runs());
  }

  @Test
  void issue_tagWasRemoved_isUnknown() {
    Tag before = service.tag(null);
    tags.apply(withStep(500, 1).removedAt(1));
    var e =
        assertThrows(
            CompletionException.class, () -> service.issue(before, 3).toCompletableFuture().join());
    assertEquals(ServiceReason.UNKNOWN_TAG, ServiceException.of(e).reason());
  }
}
