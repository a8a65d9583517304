package dev.idgen.server.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.idgen.IdRun;
import dev.idgen.server.engine.StillTime;
import dev.idgen.store.TagRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class IdServiceTest {
  private final StillTime time = new StillTime(1_800_000_000_000L);
  private final List<CountingEngine> made = new ArrayList<>();
  private final TagDirectory tags =
      new TagDirectory(TagRows.of("default", "segment"), this::engine, TagTexts.PLAIN, time, "");
  private final IdService service =
      new IdService(tags, null, () -> EngineHealth.WELL, new ServiceLimits(10, 1 << 20), time);

  private TagEngine engine(TagRow row, EngineKind kind) {
    CountingEngine engine = new CountingEngine(kind, 1 + 1_000L * made.size());
    made.add(engine);
    return engine;
  }

  private static TagRow limited(long rate, long burst, long revision) {
    return row(1_000, rate, burst, revision);
  }

  private static TagRow withStep(long step, long revision) {
    return row(step, 0, 0, revision);
  }

  private static TagRow row(long step, long rate, long burst, long revision) {
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
        rate,
        burst,
        "",
        "",
        0,
        revision,
        revision,
        false,
        0,
        0);
  }

  private CompletableFuture<Issued> issue(int count) {
    Count asked = new Count("count", String.valueOf(count), 1_000);
    return service
        .issue(IssueRequest.of(Caller.ANYBODY, null, asked, IssueRequest.Shape.ANY))
        .toCompletableFuture();
  }

  /** Who found the tag before its engine was replaced is served by the next one. */
  @Test
  void issue_engineWasReplaced_isServedByTheNextOne() {
    made.get(0).meanwhile = () -> tags.apply(withStep(500, 1));
    assertEquals(List.of(new IdRun(1_001, 3, 1)), issue(3).join().runs());
  }

  private @Nullable Issued tryIssue(Caller caller, Count count) {
    return service.tryIssue(IssueRequest.of(caller, null, count, IssueRequest.Shape.ANY));
  }

  /** Most are not timed, and all are counted. */
  @Test
  void tryIssue_oneForAnybody_isCountedEachTime() {
    for (int i = 1; i <= 1_000; i++) {
      assertEquals(i, Objects.requireNonNull(tryIssue(Caller.ANYBODY, Count.ONE)).first());
    }
    assertEquals(1_000, service.tag(Caller.ANYBODY, null).meter().served());
    assertEquals(1_000, service.tag(Caller.ANYBODY, null).meter().ids());
    assertEquals(1_000, service.meters().durations(EngineKind.SEGMENT).counts()[0]);
  }

  /** What has to be looked at closely takes the long way, and has taken nothing before. */
  @Test
  void tryIssue_anythingElse_isNull() {
    assertNull(tryIssue(Caller.ANYBODY, new Count("n", "2", 10)));
    assertNull(tryIssue(new Caller("a", Set.of(Caller.Right.ISSUE), List.of("*")), Count.ONE));
    tags.apply(limited(1, 5, 1));
    assertNull(tryIssue(Caller.ANYBODY, Count.ONE));
    tags.apply(withStep(1_000, 2));
    assertNotNull(tryIssue(Caller.ANYBODY, Count.ONE));
    var unused = service.drain();
    assertNull(tryIssue(Caller.ANYBODY, Count.ONE));
    assertEquals(1, service.tag(Caller.ANYBODY, null).meter().ids());
  }

  @Test
  void issue_tagWasRemoved_isUnknown() {
    made.get(0).meanwhile = () -> tags.apply(withStep(500, 1).removedAt(1));
    var e = assertThrows(CompletionException.class, issue(3)::join);
    assertEquals(ServiceReason.UNKNOWN_TAG, ServiceException.of(e).reason());
  }

  @Test
  void issue_overTheLimit_isToldWhenToComeBack() {
    tags.apply(limited(10, 5, 1));
    assertEquals(5, issue(5).join().count());
    var e = assertThrows(CompletionException.class, issue(1)::join);
    ServiceException refusal = ServiceException.of(e);
    assertEquals(ServiceReason.RATE_LIMITED, refusal.reason());
    assertEquals(100, refusal.retryAfterMs());
    time.advance(100);
    assertEquals(1, issue(1).join().count());
  }

  @Test
  void issue_moreThanTheLimitEverAllows_isNoMatterOfTime() {
    tags.apply(limited(10, 5, 1));
    var e = assertThrows(CompletionException.class, issue(6)::join);
    assertEquals(
        "count: 6 (expected: 1..5, what the tag allows at once)", ServiceException.of(e).detail());
  }

  /** What can never be had takes nothing from the limit. */
  @Test
  void issue_contiguousWhereThereIsNoSuchThing_leavesTheLimitAlone() {
    TagRow row = TagRows.of("flakes", "snowflake");
    tags.apply(Limits.of(row, 10, 5, 1));
    CountingEngine engine = made.get(made.size() - 1);
    Count five = new Count("increment", "5", 1_000);
    IssueRequest asked =
        IssueRequest.of(Caller.ANYBODY, "flakes", five, IssueRequest.Shape.CONTIGUOUS);
    var e =
        assertThrows(
            CompletionException.class, () -> service.issue(asked).toCompletableFuture().join());
    assertEquals(ServiceReason.ENGINE_MISMATCH, ServiceException.of(e).reason());
    assertEquals(EngineKind.SNOWFLAKE, engine.kind());
    TagLimit limit = Objects.requireNonNull(service.tag(Caller.ANYBODY, "flakes").limit());
    assertEquals(5, limit.remaining());
  }

  /** Else who changes a description would lift the limit. */
  @Test
  void issue_tagChangedButForItsLimit_limitGoesOn() {
    tags.apply(limited(10, 5, 1));
    assertEquals(5, issue(5).join().count());
    tags.apply(limited(10, 5, 2));
    assertThrows(CompletionException.class, issue(1)::join);
  }

  @Test
  void issue_counts_requestsAndIdsAndRefusals() {
    issue(3).join();
    issue(1).join();
    assertThrows(CompletionException.class, issue(0)::join);
    TagMeter meter = service.tag(Caller.ANYBODY, null).meter();
    assertEquals(2, meter.served());
    assertEquals(4, meter.ids());
    assertEquals(1, meter.refusedFor(ServiceReason.INVALID_COUNT));
    assertEquals(2, LongStream.of(service.meters().durations(EngineKind.SEGMENT).counts()).sum());
  }

  @Test
  void issue_noSuchTag_isCountedWithoutOne() {
    IssueRequest asked = IssueRequest.of(Caller.ANYBODY, "no", Count.ONE, IssueRequest.Shape.ANY);
    assertThrows(
        CompletionException.class, () -> service.issue(asked).toCompletableFuture().join());
    assertEquals(1, service.meters().withoutTag(ServiceReason.UNKNOWN_TAG));
  }

  /** Whether a tag exists is nobody's business who may not have it. */
  @Test
  void issue_callerMayNot_isForbiddenWhetherItExistsOrNot() {
    Caller caller = new Caller("web", Set.of(Caller.Right.ISSUE), List.of("order.*"));
    for (String tag : List.of("default", "no")) {
      IssueRequest asked = IssueRequest.of(caller, tag, Count.ONE, IssueRequest.Shape.ANY);
      var e =
          assertThrows(
              CompletionException.class, () -> service.issue(asked).toCompletableFuture().join());
      assertEquals(ServiceReason.FORBIDDEN, ServiceException.of(e).reason());
    }
  }
}
