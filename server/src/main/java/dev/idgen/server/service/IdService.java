package dev.idgen.server.service;

import dev.idgen.IdBatch;
import dev.idgen.text.Text;
import dev.idgen.text.TextException;
import dev.idgen.time.TimeSource;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Issues ids for tags, within limits. The one thing that transports call. Thread-safe; nothing here
 * blocks the caller.
 */
public final class IdService {
  private static final long RETRY_SOON_MS = 1000;

  private final TagDirectory tags;
  private final @Nullable Idempotency keys;
  private final @Nullable AutoTags autoTags;
  private final Supplier<EngineHealth> health;
  private final int maxWaiting;
  private final UnreadBytes unread;
  private final TimeSource time;
  private final Enciphering enciphering = new Enciphering();
  private final RequestMeters meters = new RequestMeters();
  private final CompletableFuture<Void> quiet = new CompletableFuture<>();

  /** Calls whose ids are not there yet: 0..maxWaiting. */
  private final AtomicInteger waiting = new AtomicInteger();

  /** Set once, before {@link #waiting} is read for the last time. */
  private volatile boolean draining;

  /**
   * A service over the tags that there are.
   *
   * @param keys of requests that may come again; null: the store keeps none
   * @param health whether the server can issue ids, beside its being told to stop
   */
  public IdService(
      TagDirectory tags,
      @Nullable Idempotency keys,
      Supplier<EngineHealth> health,
      ServiceLimits limits,
      TimeSource time) {
    this(tags, keys, null, health, limits, time);
  }

  /**
   * A service that makes tags when they are first asked for.
   *
   * @param autoTags makes them; null: only administrators do
   */
  public IdService(
      TagDirectory tags,
      @Nullable Idempotency keys,
      @Nullable AutoTags autoTags,
      Supplier<EngineHealth> health,
      ServiceLimits limits,
      TimeSource time) {
    this.tags = tags;
    this.keys = keys;
    this.autoTags = autoTags;
    this.health = health;
    this.maxWaiting = limits.maxWaiting();
    this.unread = new UnreadBytes(limits.maxUnreadBytes());
    this.time = time;
  }

  /**
   * Issues what a caller asks for, as soon as it is to be had.
   *
   * @return fails with {@link ServiceException}, and nothing was issued then; completes on the
   *     caller's thread or on a timer's
   */
  public CompletionStage<Issued> issue(IssueRequest request) {
    return issue(request, true);
  }

  /**
   * The same for the request that comes most often: one number for anybody, of a tag without a
   * limit, that is there. It costs no more than it must.
   *
   * @return null: nothing was issued; ask {@link #issue}
   */
  public @Nullable Issued tryIssue(IssueRequest request) {
    boolean plain =
        request.count().isOne()
            && request.key() == null
            && request.content() == null
            && request.caller().isAnybody();
    Tag tag = plain ? tags.known(request.tag()) : null;
    if (tag == null || tag.limit() != null || tag.opaque() || draining) {
      return null;
    }
    if (!(tag.engine() instanceof NumberEngine engine)) {
      return null;
    }
    boolean timed = meters.timesNext(tag);
    long begun = timed ? time.monotonicNanos() : 0;
    long id = engine.tryNext();
    if (id < 0) {
      return null;
    }
    if (timed) {
      meters.servedAtOnceIn(tag, time.monotonicNanos() - begun);
    } else {
      meters.servedAtOnce(tag);
    }
    return Issued.of(tag, id);
  }

  private CompletionStage<Issued> issue(IssueRequest request, boolean mayMake) {
    long begun = time.monotonicNanos();
    Tag tag = null;
    try {
      tag = tag(request.caller(), request.tag());
      int count = request.count().value();
      requireShape(tag, request.shape());
      requireSight(tag, request);
      requireContent(tag, count, request);
      if (request.shape() == IssueRequest.Shape.CONTIGUOUS) {
        ((NumberEngine) tag.engine()).requireContiguous(count); // before a limit is drawn on
      }
      return Enciphering.concerns(tag, count, request.shape())
          ? enciphered(tag, count, request, begun)
          : taken(tag, count, request, begun);
    } catch (RuntimeException e) {
      AutoTags maker = mayMake ? autoTags : null;
      String name = request.tag();
      boolean missing = ServiceException.of(e).reason() == ServiceReason.UNKNOWN_TAG;
      if (tag == null && missing && maker != null && name != null && maker.wants(name)) {
        return madeFirst(maker, name, request);
      }
      return CompletableFuture.failedFuture(refused(tag, e));
    }
  }

  private CompletionStage<Issued> taken(Tag tag, int count, IssueRequest request, long begun) {
    String key = request.key();
    if (key != null) {
      return keyed(tag, count, request, key, begun);
    }
    if (draining) {
      throw stopping();
    }
    limit(tag, count);
    Issued now = atOnce(tag, count, request);
    if (now != null) {
      meters.served(tag, count, time.monotonicNanos() - begun);
      return CompletableFuture.completedFuture(now);
    }
    return later(tag, count, request, begun);
  }

  /** Ids that take long to be written: they never come at once. */
  private CompletionStage<Issued> enciphered(Tag tag, int count, IssueRequest request, long begun) {
    enciphering.enter();
    try {
      return taken(tag, count, request, begun)
          .whenComplete((issued, failure) -> enciphering.leave());
    } catch (RuntimeException e) {
      enciphering.leave();
      throw e;
    }
  }

  private CompletionStage<Issued> madeFirst(AutoTags maker, String name, IssueRequest request) {
    try {
      var unused = request.count().value(); // a request that is wrong makes no tag
      enter();
    } catch (ServiceException e) {
      return CompletableFuture.failedFuture(refused(null, e));
    }
    return maker
        .make(name)
        .handle(
            (row, failure) -> {
              CompletionStage<Issued> ids =
                  failure == null
                      ? issue(request, false)
                      : CompletableFuture.failedFuture(refused(null, failure));
              end();
              return ids;
            })
        .thenCompose(ids -> ids);
  }

  /**
   * The tag of a name, for a caller who may take its ids.
   *
   * @param name null: the default
   * @throws ServiceException the name cannot be one, the caller may not, there is none, or that is
   *     not known yet
   */
  public Tag tag(Caller caller, @Nullable String name) {
    String wanted = name == null ? Tag.DEFAULT : name;
    if (!caller.isAnybody()) {
      Tag.requireName(wanted);
      caller.require(Caller.Right.ISSUE, wanted);
    }
    return tags.find(name);
  }

  /**
   * An id that was read back. A value.
   *
   * @param tag whose it is
   * @param id the number
   */
  public record Decoded(String tag, long id) {}

  /**
   * The number of a text that a tag has written.
   *
   * @param name of the tag; null: the default
   * @throws ServiceException the caller may not, or the tag cannot have issued that
   */
  public Decoded decode(Caller caller, @Nullable String name, String text) {
    String wanted = name == null ? Tag.DEFAULT : name;
    Tag.requireName(wanted);
    caller.require(Caller.Right.DECODE, wanted);
    Tag tag = tags.find(name);
    Text form = tag.text();
    if (tag.engine() instanceof UnservedEngine unserved) {
      throw unserved.refusal();
    }
    if (form == null) {
      throw new ServiceException(
          ServiceReason.ENGINE_MISMATCH,
          "engine: " + tag.row().engine() + " (expected: one whose ids are numbers)");
    }
    try {
      return new Decoded(wanted, requirePossible(tag, requireWritten(tag, form, text)));
    } catch (TextException e) {
      throw new ServiceException(ServiceReason.INVALID_ID, String.valueOf(e.getMessage()));
    }
  }

  /** Crockford's rules let a text be read that no tag writes: two texts would be one id. */
  private static long requireWritten(Tag tag, Text form, String text) {
    long id = form.decode(text);
    if (!tag.opaque() && !form.isCanonical(text)) {
      throw new TextException(text, TextException.WHOLE, form.encode(id));
    }
    return id;
  }

  /** What is set now says nothing of ids that were issued before it was changed. */
  private static long requirePossible(Tag tag, long id) {
    boolean changed = tag.row().version() > 1;
    boolean inRange = id >= tag.row().start() && id <= tag.row().maximum();
    boolean possible =
        tag.engine().kind().marked() ? inRange : ((NumberEngine) tag.engine()).mayHaveIssued(id);
    if (!changed && !possible) {
      throw new ServiceException(
          ServiceReason.INVALID_ID,
          "id: never issued for tag " + tag.name() + " (expected: one that was)");
    }
    return id;
  }

  /**
   * The numbers of a text that begins with the prefixes of tags, and is no secret: one for each way
   * in which a tag writes it.
   *
   * @param caller only tags count whose ids they may take or decode
   * @return none where there is no such tag
   */
  List<TagText> readBehindPrefixes(Caller caller, String text) {
    Set<TagText> found = new LinkedHashSet<>();
    for (Tag tag : tags.prefixed()) {
      Text form = tag.text();
      String prefix = tag.row().prefix();
      boolean read = form != null && text.startsWith(prefix) && caller.mayRead(tag.name());
      if (form != null && read && form.isCanonical(text)) {
        found.add(new TagText(prefix, form.name(), form.decode(text)));
      }
    }
    return List.copyOf(found);
  }

  /**
   * The limit that a request met.
   *
   * @return null: its tag has none, or is gone
   */
  public @Nullable TagLimit limit(IssueRequest request) {
    try {
      return tag(request.caller(), request.tag()).limit();
    } catch (ServiceException e) {
      return null; // removed since
    }
  }

  /**
   * The tag of a name, as {@link #tag} finds it; one that makes itself is made.
   *
   * @return fails with a {@link ServiceException}
   */
  public CompletionStage<Tag> tagOrMade(Caller caller, String name) {
    try {
      return CompletableFuture.completedFuture(tag(caller, name));
    } catch (ServiceException e) {
      AutoTags maker = autoTags;
      boolean missing = e.reason() == ServiceReason.UNKNOWN_TAG;
      return missing && maker != null && maker.wants(name)
          ? made(maker, caller, name)
          : CompletableFuture.failedFuture(refused(null, e));
    }
  }

  private CompletionStage<Tag> made(AutoTags maker, Caller caller, String name) {
    try {
      enter();
    } catch (ServiceException e) {
      return CompletableFuture.failedFuture(refused(null, e));
    }
    return maker
        .make(name)
        .thenApply(row -> tag(caller, name))
        .handle(
            (tag, failure) -> {
              end();
              if (failure != null) {
                throw refused(null, failure);
              }
              return tag;
            });
  }

  /** All tags, in no order. A view. */
  public Collection<Tag> tags() {
    return tags.all();
  }

  /** What transports hold of requests that are not whole. */
  public UnreadBytes unread() {
    return unread;
  }

  /** What was counted. */
  public RequestMeters meters() {
    return meters;
  }

  /** A request for ids was refused before its tag was known: it is counted, too. */
  public ServiceException refused(Throwable failure) {
    return refused(null, failure);
  }

  /** A request for ids of a tag was refused: it is counted. */
  public ServiceException refused(@Nullable Tag tag, Throwable failure) {
    ServiceException refusal = ServiceException.of(failure);
    meters.refused(tag, refusal.reason());
    return refusal;
  }

  private static void requireShape(Tag tag, IssueRequest.Shape shape) {
    if (shape != IssueRequest.Shape.ANY && !(tag.engine() instanceof NumberEngine)) {
      throw new ServiceException(
          ServiceReason.ENGINE_MISMATCH,
          "engine: "
              + tag.row().engine()
              + " (expected: snowflake, segment, sequence: the ids of others are no 64-bit"
              + " numbers)");
    }
  }

  /** Numbers of ids that hide them are for those who may have them back. */
  private static void requireSight(Tag tag, IssueRequest request) {
    if (request.shape() != IssueRequest.Shape.ANY && tag.opaque()) {
      request.caller().require(Caller.Right.DECODE, tag.name());
    }
  }

  /** Before anything is taken, from a limit too. */
  private static void requireContent(Tag tag, int count, IssueRequest request) {
    if (tag.engine() instanceof TextEngine engine) {
      engine.requireSound(count, request.content());
    } else if (request.content() != null) {
      TextEngine.requireNone(request.content(), tag.engine().kind());
    }
  }

  /** Texts, and a number that is there; null: it must be waited for. */
  private @Nullable Issued atOnce(Tag tag, int count, IssueRequest request) {
    if (tag.engine() instanceof TextEngine engine) {
      return texts(tag, engine, count, request);
    }
    boolean simple = count == 1 && !draining;
    long id = simple ? ((NumberEngine) tag.engine()).tryNext() : -1;
    return id < 0 ? null : Issued.of(tag, id);
  }

  private Issued texts(Tag tag, TextEngine engine, int count, IssueRequest request) {
    if (draining) {
      throw stopping();
    }
    String prefix = tag.row().prefix();
    return Issued.of(tag, engine.next(count, request.content(), prefix));
  }

  private static void limit(Tag tag, int count) {
    TagLimit limit = tag.limit();
    if (limit != null) {
      limit.take(count);
    }
  }

  private CompletionStage<Issued> later(Tag tag, int count, IssueRequest request, long begun) {
    enter();
    CompletionStage<Issued> ids = begun(tag, count, request);
    return (Enciphering.concerns(tag, count, request.shape())
            ? ids.thenCompose(enciphering::written)
            : ids)
        .handle((issued, failure) -> ended(tag, issued, count, failure, request, begun));
  }

  private void enter() {
    if (waiting.incrementAndGet() > maxWaiting) {
      end();
      throw overloaded();
    }
    if (draining) { // read after the count was raised: drain() sees either the call or its refusal
      end();
      throw stopping();
    }
  }

  private CompletionStage<Issued> begun(Tag tag, int count, IssueRequest request) {
    try {
      return begin(tag, count, request);
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /**
   * A call that has waited. What comes later than its caller waits is no answer: the ids are a gap
   * or, under a key, those of whoever asks again.
   *
   * @param issued null: it failed
   * @param count of the ids that are new
   */
  private Issued ended(
      Tag tag,
      @Nullable Issued issued,
      int count,
      @Nullable Throwable failure,
      IssueRequest request,
      long begun) {
    end();
    if (issued == null) {
      Throwable why = failure == null ? new IllegalStateException("no ids") : failure;
      throw refused(tag, explained(tag, ServiceException.of(why)));
    }
    long nanos = time.monotonicNanos() - begun;
    if (nanos > request.waitNanos()) {
      meters.issuedInVain(issued.tag(), count);
      throw refused(issued.tag(), late());
    }
    meters.served(issued.tag(), count, nanos);
    return issued;
  }

  private static ServiceException late() {
    return new ServiceException(
        ServiceReason.DEADLINE, "ids: ready only after their caller's deadline (expected: before)");
  }

  /** A request that may have been answered before: then it is not counted against the limit. */
  private CompletionStage<Issued> keyed(
      Tag tag, int count, IssueRequest request, String key, long begun) {
    Idempotency kept = keys;
    if (kept == null) {
      throw new ServiceException(
          ServiceReason.INVALID_BODY,
          "idempotency-key: given (expected: none, as this server's store keeps none)");
    }
    enter();
    CompletionStage<Idempotency.Answer> answered = keptOrNew(kept, tag, count, request, key);
    return (Enciphering.concerns(tag, count, request.shape())
            ? answered.thenCompose(this::written)
            : answered)
        .handle(
            (answer, failure) ->
                ended(
                    tag,
                    answer == null ? null : answer.issued(),
                    answer == null || answer.replayed() ? 0 : count,
                    failure,
                    request,
                    begun));
  }

  private CompletionStage<Idempotency.Answer> written(Idempotency.Answer answer) {
    return enciphering
        .written(answer.issued())
        .thenApply(texts -> new Idempotency.Answer(texts, answer.replayed()));
  }

  private CompletionStage<Idempotency.Answer> keptOrNew(
      Idempotency kept, Tag tag, int count, IssueRequest request, String key) {
    try {
      return kept.issue(tag, count, request, key, () -> fresh(tag, count, request));
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private CompletionStage<Issued> fresh(Tag tag, int count, IssueRequest request) {
    limit(tag, count);
    Issued now = atOnce(tag, count, request);
    return now == null ? begun(tag, count, request) : CompletableFuture.completedFuture(now);
  }

  /** An engine may be replaced while a call is on its way to it: then the next one is asked. */
  private CompletionStage<Issued> begin(Tag tag, int count, IssueRequest request) {
    return attempt(tag, count, request)
        .handle(
            (issued, failure) -> {
              if (failure == null) {
                return CompletableFuture.completedFuture(issued);
              }
              Tag now = wasReplaced(failure) ? tags.find(tag.name()) : tag;
              return now.engine() == tag.engine()
                  ? CompletableFuture.<Issued>failedFuture(failure)
                  : attempt(now, count, request).toCompletableFuture();
            })
        .thenCompose(stage -> stage);
  }

  private boolean wasReplaced(Throwable failure) {
    return !draining && ServiceException.of(failure).reason() == ServiceReason.DRAINING;
  }

  /** That there is no lease tells nobody what to do; what the store has answered does. */
  private static ServiceException explained(Tag tag, ServiceException refusal) {
    if (refusal.reason() != ServiceReason.NO_LEASE) {
      return refusal;
    }
    List<String> reasons = tag.engine().health().reasons();
    if (reasons.isEmpty()) {
      return refusal; // it came back in between
    }
    return new ServiceException(
        refusal.reason(), String.join("; ", reasons), refusal.retryAfterMs());
  }

  private static CompletionStage<Issued> attempt(Tag tag, int count, IssueRequest request) {
    try {
      requireShape(tag, IssueRequest.Shape.NUMBERS);
      NumberEngine engine = (NumberEngine) tag.engine();
      long waitNanos = Math.min(engine.waitNanos(), request.waitNanos());
      CompletionStage<IdBatch> batch =
          request.shape() == IssueRequest.Shape.CONTIGUOUS
              ? engine.nextContiguous(count, waitNanos)
              : engine.nextAsync(count, waitNanos);
      return batch.thenApply(taken -> Issued.of(tag, taken));
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /** Whether ids can be had, and if not, why. */
  public EngineHealth health() {
    EngineHealth server = health.get();
    if (!draining) {
      return server;
    }
    return new EngineHealth(server.started(), List.of(stopping().detail()));
  }

  /**
   * Refuses new calls from now on.
   *
   * @return completes when no call waits any more
   */
  public CompletionStage<Void> drain() {
    draining = true;
    if (waiting.get() == 0) {
      quiet.complete(null);
    }
    return quiet;
  }

  private void end() {
    if (waiting.decrementAndGet() == 0 && draining) {
      quiet.complete(null);
    }
  }

  private ServiceException overloaded() {
    return new ServiceException(
        ServiceReason.OVERLOADED,
        "waiting requests: more than " + maxWaiting + " (expected: at most that many at a time)",
        RETRY_SOON_MS);
  }

  private static ServiceException stopping() {
    return new ServiceException(ServiceReason.DRAINING, "the server is stopping", RETRY_SOON_MS);
  }
}
