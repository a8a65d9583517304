package dev.idgen.server.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.idgen.entropy.Entropy;
import dev.idgen.server.engine.StillTime;
import dev.idgen.server.service.Caller.Right;
import dev.idgen.server.service.IssueRequest.Shape;
import dev.idgen.store.IdempotencyEntry;
import dev.idgen.store.IdempotencyReply;
import dev.idgen.store.IdempotencyRequest;
import dev.idgen.store.IdempotencyStore;
import dev.idgen.store.StoreException;
import dev.idgen.store.TagRow;
import dev.idgen.store.memory.MemoryIdempotencyStore;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** C86, over a store that answers at once, and one that loses answers. */
class IdempotencyTest {
  private static final Caller A = new Caller("a", Set.of(Right.ISSUE), List.of("*"));
  private static final Caller B = new Caller("b", Set.of(Right.ISSUE), List.of("*"));

  private final StillTime time = new StillTime(1_800_000_000_000L);
  private final CountingEngine engine = new CountingEngine(EngineKind.SEGMENT, 1);
  private final TagDirectory tags =
      new TagDirectory(
          TagRows.of("default", "segment"), (row, kind) -> engine(kind), TagTexts.PLAIN, time, "");
  private final Lossy store = new Lossy(new MemoryIdempotencyStore(time));
  private final IdService service =
      new IdService(
          tags,
          new Idempotency(store, "default", 60_000, 3, Entropy.secure()),
          () -> EngineHealth.WELL,
          new ServiceLimits(10, 1 << 20),
          time);

  private TagEngine engine(EngineKind kind) {
    return kind.numbers() ? engine : new Counting();
  }

  /** Texts that count up. */
  private static final class Counting implements TextEngine {
    private int next;

    @Override
    public EngineKind kind() {
      return EngineKind.RANDOM;
    }

    @Override
    public String next(@Nullable Content content) {
      return "t" + next++;
    }
  }

  /** A store that does as a test says with the next calls. */
  private static final class Lossy implements IdempotencyStore {
    private final IdempotencyStore store;
    private int refuse;
    private int loseBegin;
    private int loseFinish;
    private Runnable beforeFinish = () -> {};

    Lossy(IdempotencyStore store) {
      this.store = store;
    }

    private <T> CompletionStage<T> told(boolean lost, Supplier<CompletionStage<T>> call) {
      if (refuse > 0) {
        refuse--;
        return CompletableFuture.failedFuture(StoreException.refused("store: away"));
      }
      CompletionStage<T> done = call.get();
      return lost
          ? done.thenCompose(
              value -> CompletableFuture.failedFuture(StoreException.unknown("store: no answer")))
          : done;
    }

    @Override
    public String kind() {
      return "lossy";
    }

    @Override
    public CompletionStage<IdempotencyReply> begin(IdempotencyRequest request) {
      return told(loseBegin-- > 0, () -> store.begin(request));
    }

    @Override
    public CompletionStage<Finish> finish(IdempotencyEntry entry, long attempt, String reply) {
      beforeFinish.run();
      return told(loseFinish-- > 0, () -> store.finish(entry, attempt, reply));
    }

    @Override
    public CompletionStage<Boolean> abandon(IdempotencyEntry entry, long attempt) {
      return told(false, () -> store.abandon(entry, attempt));
    }

    @Override
    public CompletionStage<Integer> purge(int most) {
      return store.purge(most);
    }

    @Override
    public void close() {
      store.close();
    }
  }

  private CompletableFuture<Issued> issue(Caller caller, String tag, String count, String key) {
    return service
        .issue(new IssueRequest(caller, tag, new Count("count", count, 100), Shape.ANY, null, key))
        .toCompletableFuture();
  }

  private CompletableFuture<Issued> issue(String key) {
    return issue(A, "default", "2", key);
  }

  private static ServiceException refusal(CompletableFuture<Issued> call) {
    return ServiceException.of(assertThrows(CompletionException.class, call::join));
  }

  @Test
  void issue_sameKey_givesTheSameIds() {
    Issued first = issue("k").join();
    Issued again = issue("k").join();
    assertEquals(first.runs(), again.runs());
    assertNotEquals(first.runs(), issue("other").join().runs());
    assertEquals(3, tags.find("default").meter().served());
    assertEquals(4, tags.find("default").meter().ids());
  }

  @Test
  void issue_texts_areRepeatedToo() {
    tags.apply(TagRows.of("doc", "random"));
    List<String> first = issue(A, "doc", "3", "k").join().texts();
    assertEquals(List.of("t0", "t1", "t2"), first);
    assertEquals(first, issue(A, "doc", "3", "k").join().texts());
  }

  @Test
  void issue_otherCallersAndTags_areStrangers() {
    tags.apply(TagRows.of("order", "segment"));
    Issued first = issue("k").join();
    assertNotEquals(first.runs(), issue(B, "default", "2", "k").join().runs());
    assertNotEquals(first.runs(), issue(A, "order", "2", "k").join().runs());
  }

  @Test
  void issue_anotherRequestUnderTheKey_isAMismatch() {
    issue("k").join();
    assertEquals(
        ServiceReason.IDEMPOTENCY_MISMATCH, refusal(issue(A, "default", "3", "k")).reason());
  }

  @Test
  void issue_failure_isNotStored() {
    engine.closed = true;
    assertEquals(ServiceReason.DRAINING, refusal(issue("k")).reason());
    engine.closed = false;
    assertEquals(2, issue("k").join().count());
  }

  @Test
  void issue_oneIsUnderWay_othersAreToldToComeBack() {
    store.beforeFinish =
        () -> {
          ServiceException other = refusal(issue("k"));
          assertEquals(ServiceReason.IDEMPOTENCY_IN_FLIGHT, other.reason());
          assertEquals(1_000, other.retryAfterMs());
          store.beforeFinish = () -> {};
        };
    assertEquals(2, issue("k").join().count());
    assertEquals(3, engine.next);
  }

  /** Its ids never went out: whoever asks again gets those of the attempt that was stored. */
  @Test
  void issue_attemptTookTooLong_goesNoFurther() {
    store.beforeFinish =
        () -> {
          store.beforeFinish = () -> {};
          time.advance(30_000);
          assertEquals(3, issue("k").join().first());
        };
    assertEquals(ServiceReason.IDEMPOTENCY_IN_FLIGHT, refusal(issue("k")).reason());
    assertEquals(3, issue("k").join().first());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void issue_answerLost_isAskedForAgain(boolean begin) {
    store.loseBegin = begin ? 1 : 0;
    store.loseFinish = begin ? 0 : 1;
    Issued first = issue("k").join();
    assertEquals(1, first.first());
    assertEquals(first.runs(), issue("k").join().runs());
  }

  /** Nothing went out; what was stored is what the next one gets. */
  @Test
  void issue_answersLostForGood_neverGivesTwoBatches() {
    store.loseFinish = 2;
    assertEquals(ServiceReason.STORE_UNAVAILABLE, refusal(issue("k")).reason());
    assertEquals(1, issue("k").join().first());
    assertEquals(3, engine.next);
  }

  /** Nothing went out, so the next one may begin at once. */
  @Test
  void issue_storeAwayAtTheEnd_leavesNoEntryBehind() {
    store.beforeFinish =
        () -> {
          store.beforeFinish = () -> {};
          store.refuse = 1;
        };
    assertEquals(ServiceReason.STORE_UNAVAILABLE, refusal(issue("k")).reason());
    assertEquals(3, issue("k").join().first());
  }

  /** Its ids would be told to be of an engine that never made them. */
  @Test
  void issue_engineWasChangedSince_isAMismatch() {
    issue("k").join();
    tags.apply(Limits.of(TagRows.of("default", "sequence"), 0, 0, 1));
    assertEquals(ServiceReason.IDEMPOTENCY_MISMATCH, refusal(issue("k")).reason());
  }

  @Test
  void issue_storeAway_issuesNothing() {
    store.refuse = 1;
    ServiceException e = refusal(issue("k"));
    assertEquals(ServiceReason.STORE_UNAVAILABLE, e.reason());
    assertEquals("idempotency keys: store: away", e.detail());
    assertEquals(1, engine.next);
  }

  @Test
  void issue_tooManyKeys_areRefusedUntilSomeHaveExpired() {
    for (String key : List.of("1", "2", "3")) {
      issue(key).join();
    }
    assertEquals(ServiceReason.RATE_LIMITED, refusal(issue("4")).reason());
    assertEquals(2, issue(B, "default", "2", "4").join().count());
    time.advance(60_000);
    assertEquals(2, issue("4").join().count());
  }

  @Test
  void issue_expiredKey_issuesAnew() {
    Issued first = issue("k").join();
    time.advance(60_000);
    assertNotEquals(first.runs(), issue("k").join().runs());
  }

  /** A repetition takes nothing from the limit. */
  @Test
  void issue_repeated_isNotCountedAgainstTheLimit() {
    TagRow row = TagRows.of("slow", "segment");
    tags.apply(Limits.of(row, 1, 2));
    Issued first = issue(A, "slow", "2", "k").join();
    assertEquals(first.runs(), issue(A, "slow", "2", "k").join().runs());
    assertEquals(ServiceReason.RATE_LIMITED, refusal(issue(A, "slow", "2", "m")).reason());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "a b", "\u00e9", "a\u0000"})
  void issue_badKey_isRefused(String key) {
    ServiceException e = refusal(issue(key));
    assertEquals(ServiceReason.INVALID_BODY, e.reason());
    assertEquals(1, engine.next);
  }

  @Test
  void issue_storeKeepsNone_keyIsRefused() {
    IdService none =
        new IdService(tags, null, () -> EngineHealth.WELL, new ServiceLimits(10, 1 << 20), time);
    ServiceException e =
        refusal(
            none.issue(new IssueRequest(A, null, Count.ONE, Shape.ANY, null, "k"))
                .toCompletableFuture());
    assertEquals(ServiceReason.INVALID_BODY, e.reason());
  }
}
