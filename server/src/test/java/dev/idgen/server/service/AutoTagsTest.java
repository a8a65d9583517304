package dev.idgen.server.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.server.engine.StillTime;
import dev.idgen.server.service.IssueRequest.Shape;
import dev.idgen.store.SegmentTerms;
import dev.idgen.store.TagRow;
import dev.idgen.store.memory.MemorySegmentStore;
import dev.idgen.store.memory.MemoryTagStore;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AutoTagsTest {
  private final StillTime time = new StillTime(1_800_000_000_000L);
  private final MemoryTagStore store = new MemoryTagStore();
  private final TagDirectory tags = directory();
  private final TagAdmin admin = admin(tags);
  private final IdService service = service(2);

  private TagDirectory directory() {
    return new TagDirectory(
        TagRows.of("default", "snowflake"),
        (row, kind) -> new CountingEngine(kind, 1),
        TagTexts.PLAIN,
        time,
        "");
  }

  private TagAdmin admin(TagDirectory directory) {
    return new TagAdmin(
        "default",
        TagRows.of("default", "snowflake"),
        store,
        new MemorySegmentStore("test"),
        row -> SegmentTerms.of("default", row.tag(), 1_000),
        directory,
        time,
        TagEvents.NONE);
  }

  private IdService service(int most) {
    AutoTags auto = new AutoTags(admin, List.of("order.*", "one"), EngineKind.SEGMENT, most);
    return new IdService(
        tags, null, auto, () -> EngineHealth.WELL, new ServiceLimits(10, 1 << 20), time);
  }

  private CompletableFuture<Issued> issue(String tag) {
    return service
        .issue(IssueRequest.of(Caller.ANYBODY, tag, Count.ONE, Shape.ANY))
        .toCompletableFuture();
  }

  private ServiceException refusal(String tag) {
    return ServiceException.of(assertThrows(CompletionException.class, issue(tag)::join));
  }

  @ParameterizedTest
  @ValueSource(strings = {"order.a", "order.", "one"})
  void issue_nameOfThePattern_isMadeAndKept(String tag) {
    assertEquals(1, issue(tag).join().first());
    assertEquals(2, issue(tag).join().first());
    TagRow made = store.read("default", tag).toCompletableFuture().join();
    assertEquals("segment", made == null ? "" : made.engine());
  }

  @ParameterizedTest
  @ValueSource(strings = {"order", "ones", "orders.a", "a.order.b"})
  void issue_otherName_isUnknown(String tag) {
    assertEquals(ServiceReason.UNKNOWN_TAG, refusal(tag).reason());
    assertNull(store.read("default", tag).toCompletableFuture().join());
    assertEquals(1, service.meters().withoutTag(ServiceReason.UNKNOWN_TAG));
  }

  /** That somebody still asks for it may be why it was removed. */
  @Test
  void issue_removedTag_isNotMadeAgain() {
    issue("order.a").join();
    admin.remove("order.a", null).toCompletableFuture().join();
    assertEquals(ServiceReason.UNKNOWN_TAG, refusal("order.a").reason());
  }

  @Test
  void issue_madeByAnotherServer_isFound() {
    admin(directory())
        .put("order.a", Changes.engine("sequence"), null, false)
        .toCompletableFuture()
        .join();
    assertEquals(EngineKind.SEQUENCE, issue("order.a").join().tag().engine().kind());
  }

  @Test
  void issue_moreThanMayBeMade_isRefused() {
    issue("order.a").join();
    issue("order.b").join();
    assertEquals(
        "tag: order.c (expected: one that was made; this server has made 2 already)",
        refusal("order.c").detail());
    assertEquals(2, issue("order.a").join().first());
  }

  /** Whoever keeps asking for a tag that was removed keeps nobody from making others. */
  @Test
  void issue_askedForInVain_costsNoneOfThoseThatMayBeMade() {
    issue("order.a").join();
    admin.remove("order.a", null).toCompletableFuture().join();
    for (int i = 0; i < 5; i++) {
      assertEquals(ServiceReason.UNKNOWN_TAG, refusal("order.a").reason());
    }
    assertEquals(1, issue("order.b").join().first());
  }

  private ServiceException refusalToMake(String tag) {
    CompletableFuture<Tag> made = service.tagOrMade(Caller.ANYBODY, tag).toCompletableFuture();
    return ServiceException.of(assertThrows(CompletionException.class, made::join));
  }

  @Test
  void tagOrMade_notMade_isCounted() {
    issue("order.a").join();
    issue("order.b").join();
    assertEquals(ServiceReason.UNKNOWN_TAG, refusalToMake("order.c").reason());
    assertEquals(1, service.meters().withoutTag(ServiceReason.UNKNOWN_TAG));
  }

  /** As a request for ids is. */
  @Test
  void tagOrMade_serverStops_isRefusedAndMakesNothing() {
    assertTrue(service.drain().toCompletableFuture().isDone());
    assertEquals(ServiceReason.DRAINING, refusalToMake("order.a").reason());
    assertNull(store.read("default", "order.a").toCompletableFuture().join());
    assertEquals(1, service.meters().withoutTag(ServiceReason.DRAINING));
  }

  @Test
  void tagOrMade_nameOfThePattern_isMade() {
    Tag made = service.tagOrMade(Caller.ANYBODY, "order.a").toCompletableFuture().join();
    assertEquals("order.a", made.name());
    assertTrue(service.drain().toCompletableFuture().isDone()); // nothing is under way
  }

  @Test
  void issue_wrongCount_makesNothing() {
    Count wrong = new Count("count", "0", 10);
    CompletableFuture<Issued> call =
        service
            .issue(IssueRequest.of(Caller.ANYBODY, "order.a", wrong, Shape.ANY))
            .toCompletableFuture();
    assertThrows(CompletionException.class, call::join);
    assertNull(store.read("default", "order.a").toCompletableFuture().join());
  }

  @Test
  void issue_callerMayNot_makesNothing() {
    Caller caller = new Caller("web", java.util.Set.of(Caller.Right.ISSUE), List.of("default"));
    CompletableFuture<Issued> call =
        service
            .issue(IssueRequest.of(caller, "order.a", Count.ONE, Shape.ANY))
            .toCompletableFuture();
    var e = assertThrows(CompletionException.class, call::join);
    assertEquals(ServiceReason.FORBIDDEN, ServiceException.of(e).reason());
    assertNull(store.read("default", "order.a").toCompletableFuture().join());
  }
}
